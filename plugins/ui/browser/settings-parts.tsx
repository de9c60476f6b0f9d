import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from './controls.tsx'
import { announce } from './keys.ts'
import styles from './settings-parts.module.css'

/** What the tabs of the settings are made of. */

export const Lead = ({ children }: { children: ReactNode }) => <p className={styles['lead']}>{children}</p>

/** A list of things that are set, a line each. */
export function Lines({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles['lines']} aria-label={label}>
      {children}
    </ul>
  )
}

export function Line({ children }: { children: ReactNode }) {
  return <li className={styles['line']}>{children}</li>
}

/** What stands first in a line: what it is, and below it what else is known. */
export function LineText({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <span className={styles['text']}>
      <strong>{title}</strong>
      {children !== undefined && <span>{children}</span>}
    </span>
  )
}

/** Fields in a row that add something. */
export function AddForm({ label, onAdd, children }: { label: string; onAdd: () => void; children: ReactNode }) {
  function submit(event: FormEvent): void {
    event.preventDefault()
    onAdd()
  }
  return (
    <form className={styles['add']} aria-label={label} onSubmit={submit}>
      {children}
    </form>
  )
}

/** A name that is changed where it stands: on Enter, or when the field is left. */
export function NameField({
  label,
  name,
  onRename
}: {
  label: string
  name: string
  onRename: (name: string) => void
}) {
  const [text, setText] = useState(name)
  function save(): void {
    const wanted = text.trim()
    if (wanted === '') setText(name)
    else if (wanted !== name) onRename(wanted)
  }
  return (
    <input
      className={styles['name']}
      aria-label={label}
      maxLength={200}
      value={text}
      onChange={event => setText(event.target.value)}
      onBlur={save}
      onKeyDown={event => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
}

interface ConfirmButtonProps {
  /** What is asked: `Remove Ada`; and the word that does it: `Remove`. */
  label: string
  word: string
  /** What will come of it. */
  warning: string
  onConfirm: () => void
}
/** Asks once more before what cannot be taken back. */
export function ConfirmButton({ label, word, warning, onConfirm }: ConfirmButtonProps) {
  const [isAsked, setAsked] = useState(false)
  if (!isAsked) {
    return (
      <Button kind="danger" aria-label={label} onClick={() => setAsked(true)}>
        {word}
      </Button>
    )
  }
  return (
    <>
      <span>{warning}</span>
      <Button
        kind="danger"
        autoFocus
        onClick={() => {
          setAsked(false)
          onConfirm()
        }}
      >
        {word}
      </Button>
      <Button onClick={() => setAsked(false)}>Keep</Button>
    </>
  )
}

/** A secret, the one time that it can be read. */
export function ShownOnce({ title, text, onClose }: { title: string; text: string; onClose: () => void }) {
  return (
    <section className={styles['secret']} aria-label={title}>
      <h3>{title}, shown only now</h3>
      <Copyable text={text} label={title} />
      <Button onClick={onClose}>I have kept it</Button>
    </section>
  )
}

/** A text with a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    announce('Copied')
  }
  return (
    <div className={styles['copyable']}>
      <pre tabIndex={0}>{text}</pre>
      {/* Without TLS a page may not write to the clipboard. */}
      {window.isSecureContext && (
        <Button aria-label={`Copy the ${label}`} onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </div>
  )
}
