import { useId, useLayoutEffect, useRef, type ButtonHTMLAttributes, type ReactNode } from 'react'
import styles from './controls.module.css'
import { Icon } from './icons.tsx'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'plain' | 'primary' | 'quiet' | 'danger'
}
export function Button({ kind = 'plain', type = 'button', className = '', ...rest }: ButtonProps) {
  return <button type={type} className={`${styles['button']} ${className}`} data-kind={kind} {...rest} />
}

export function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

interface DialogProps {
  title: string
  isOpen: boolean
  /** As large as its content and the window allow. */
  isLarge?: boolean
  isSheet?: boolean
  onClose: () => void
  children: ReactNode
}
/** The focus begins at the element with `data-first-focus`, or in the first field. */
export function Dialog({ title, isOpen, isLarge, isSheet, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  /** The number of closings here that the browser has not reported yet: it may be reopened before. */
  const closings = useRef({ count: 0 })
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null || !isOpen) return
    const unreported = closings.current
    dialog.showModal()
    // The browser has focused the button that closes it.
    const first = dialog.querySelector<HTMLElement>('[data-first-focus]')
    ;(first ?? dialog.querySelector<HTMLElement>('input, textarea'))?.focus()
    return () => {
      if (dialog.open) unreported.count++
      dialog.close()
    }
  }, [isOpen])
  return (
    <dialog
      ref={ref}
      className={styles['dialog']}
      data-large={isLarge}
      data-sheet={isSheet}
      aria-labelledby={id}
      // Escape: a key that follows at once may open it again. The same event of a file field is another one.
      onCancel={event => event.target === ref.current && onClose()}
      onClose={() => {
        if (closings.current.count === 0) onClose()
        else closings.current.count--
      }}
      // Not on a click: a selection of text that begins in a field may end outside.
      onMouseDown={event => {
        if (event.target === ref.current) onClose()
      }}
    >
      {isOpen && (
        <div className={styles['dialogBody']}>
          <header>
            <h2 id={id}>{title}</h2>
            <Button kind="quiet" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </Button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  )
}
