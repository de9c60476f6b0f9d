import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Button } from '../parts/controls.tsx'
import { putBeside, whilePlaced } from '../parts/place.ts'
import type { OpenPicker } from './picker-button.tsx'
import styles from './picker.module.css'

const PHONE = '(max-width: 640px)'
/** The first focus on touch screens, whose keyboard would cover the options. */
const WITHOUT_KEYBOARD = '(pointer: coarse)'

function place(dialog: HTMLElement, anchor: Element | null): void {
  dialog.style.cssText = ''
  const isOnPhone = window.matchMedia(PHONE).matches
  const rect = anchor?.getBoundingClientRect()
  const isBeside = rect !== undefined && rect.height > 0 && !isOnPhone
  dialog.toggleAttribute('data-beside', isBeside)
  if (isBeside) putBeside(dialog, rect)
  if (!isOnPhone) return
  const { height, offsetTop } = window.visualViewport!
  dialog.style.bottom = `${Math.max(0, window.innerHeight - height - offsetTop)}px`
}

interface PickerDialogProps extends OpenPicker {
  label: string
  children: ReactNode
}
export function PickerDialog({ id, label, anchor, onClose, children }: PickerDialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    const first = window.matchMedia(WITHOUT_KEYBOARD).matches ? '[role=listbox]' : 'input, [role=listbox]'
    dialog.querySelector<HTMLElement>(first)?.focus()
    return () => dialog.close()
  }, [])
  // After each change: its height depends on the options.
  useLayoutEffect(() => whilePlaced(() => place(ref.current!, anchor)))
  return (
    <dialog
      ref={ref}
      id={id}
      className={styles['picker']}
      aria-labelledby={titleId}
      onCancel={onClose}
      onMouseDown={event => event.target === ref.current && onClose()}
    >
      <div className={styles['body']}>
        <header>
          <h2 id={titleId}>{label}</h2>
          <Button kind="quiet" onClick={onClose}>
            Done
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
