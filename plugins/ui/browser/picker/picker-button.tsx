import { useId, useRef, useState, type ReactNode } from 'react'
import { useCommands } from '../keys.ts'
import type { UiCommand } from '../registry.ts'

export interface OpenPicker {
  /** The id of the displayed element. */
  id?: string
  /** The picker is displayed beside it; without one, or while it is hidden, in the middle of the window. */
  anchor: Element | null
  onClose(): void
}
interface PickerButtonProps {
  label: string
  /** Opens the picker from the palette, or by its keys. */
  command?: Omit<UiCommand, 'run'>
  className?: string | undefined
  /** Default: true. In a toolbar, the arrow keys lead to the others. */
  isTabStop?: boolean
  picker: (open: OpenPicker) => ReactNode
  children: ReactNode
}

/** A value that is a button, which opens a picker. */
export function PickerButton({ label, command, className, isTabStop = true, picker, children }: PickerButtonProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [anchor, setAnchor] = useState<Element | null>(null)
  useCommands(command ? [{ ...command, run: () => setAnchor(button.current) }] : [])
  const isOpen = anchor !== null
  return (
    <>
      <button
        ref={button}
        type="button"
        role="combobox"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className={className}
        tabIndex={isTabStop ? 0 : -1}
        onClick={() => setAnchor(button.current)}
      >
        {children}
      </button>
      {isOpen && picker({ id, anchor, onClose: () => setAnchor(null) })}
    </>
  )
}
