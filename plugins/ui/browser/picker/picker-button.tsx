import { useId, useRef, useState, type ReactNode } from 'react'
import { useCommands } from '../keys.ts'
import type { UiCommand } from '../registry.ts'

export interface OpenPicker {
  id?: string
  /** The picker is displayed beside it; without one, or while it is hidden, in the middle of the window. */
  anchor: Element | null
  onClose(): void
}
interface PickerButtonProps {
  label: string
  command?: Omit<UiCommand, 'run'>
  className?: string | undefined
  /** Default: true. In a toolbar, the arrow keys lead to the others. */
  isTabStop?: boolean
  picker: (open: OpenPicker) => ReactNode
  children: ReactNode
}

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
