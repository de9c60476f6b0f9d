import { useState, type ComponentProps, type FormEvent, type ReactNode } from 'react'
import { Choice } from '../picker/choice.tsx'
import { useCopying } from '../parts/copy.ts'
import { ErrorNote } from '../parts/bits.tsx'
import { Button } from '../parts/controls.tsx'
import styles from './settings-parts.module.css'

export const Lead = ({ children }: { children: ReactNode }) => <p className={styles['lead']}>{children}</p>

export function Lines({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles['lines']} aria-label={label} data-rows>
      {children}
    </ul>
  )
}

export function Line({ error, children }: { error?: Error | null | undefined; children: ReactNode }) {
  return (
    <li className={styles['line']}>
      {children}
      {error && <ErrorNote error={error} />}
    </li>
  )
}

export function LineText({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <span className={styles['text']}>
      <strong>{title}</strong>
      {children !== undefined && <span>{children}</span>}
    </span>
  )
}

interface AddFormProps {
  label: string
  word?: string
  kind?: 'primary' | 'plain'
  request: { error: Error | null; isPending: boolean }
  onAdd: () => void
  children: ReactNode
}
export function AddForm({ label, word = 'Add', kind = 'primary', request, onAdd, children }: AddFormProps) {
  function submit(event: FormEvent): void {
    event.preventDefault()
    onAdd()
  }
  return (
    <form className={styles['add']} aria-label={label} onSubmit={submit}>
      {children}
      <Button type="submit" kind={kind} disabled={request.isPending}>
        {word}
      </Button>
      {request.error && <ErrorNote error={request.error} />}
    </form>
  )
}

type TextFieldProps = Pick<ComponentProps<'input'>, 'type' | 'placeholder' | 'required' | 'maxLength' | 'pattern'> & {
  label: string
  value: string
  onChange: (value: string) => void
}
export const TextField = ({ label, onChange, required = true, ...rest }: TextFieldProps) => (
  <label className={styles['labelled']}>
    <span>{label}</span>
    <input required={required} onChange={event => onChange(event.target.value)} {...rest} />
  </label>
)

/** Shows the label of a control that has it as its name. */
export const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles['labelled']}>
    <span aria-hidden>{label}</span>
    <div>{children}</div>
  </div>
)

interface SelectProps {
  label: string
  /** The names of the values, in the same order. */
  names: Readonly<Record<string, string>>
  value: string
  onChange: (value: string) => void
}
export const Select = ({ label, names, value, onChange }: SelectProps) => (
  <Choice
    label={label}
    options={Object.entries(names).map(([id, title]) => ({ id, title }))}
    chosen={value}
    onChoose={onChange}
  />
)

interface NameFieldProps {
  label: string
  name: string
  /** @param previous the displayed name when editing began */
  onRename: (name: string, previous: string) => Promise<unknown>
}
interface NameDraft {
  text: string
  /** The name that it replaces; undefined: the one that is displayed when it is saved. */
  previous?: string
  /** The saved name's predecessor: the saved one is displayed until the name differs from it. */
  replaced?: string
}
/** Typed text stays, whatever others change. */
export function NameField({ label, name, onRename }: NameFieldProps) {
  const [draft, setDraft] = useState<NameDraft>()
  if (draft?.replaced !== undefined && draft.replaced !== name) setDraft(undefined)
  function save(): void {
    const text = draft?.text.trim() ?? ''
    if (draft === undefined || draft.replaced !== undefined) return
    if (text === '' || text === name) return setDraft(undefined)
    onRename(text, draft.previous ?? name).then(
      // Text that was typed meanwhile replaces the saved name.
      () => setDraft(now => (now === draft ? { text, replaced: name } : now && { ...now, previous: text })),
      () => setDraft(now => (now === draft ? { text } : now))
    )
  }
  return (
    <input
      className={styles['name']}
      aria-label={label}
      maxLength={200}
      value={draft?.text ?? name}
      onChange={({ target: { value } }) => setDraft({ text: value, previous: draft?.previous ?? name })}
      onBlur={save}
      onKeyDown={event => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
}

interface ConfirmButtonProps {
  label: string
  word: string
  warning: string
  onConfirm: () => void
}
export function ConfirmButton({ label, word, warning, onConfirm }: ConfirmButtonProps) {
  const [isConfirming, setConfirming] = useState(false)
  if (!isConfirming) {
    return (
      <Button aria-label={label} onClick={() => setConfirming(true)}>
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
          setConfirming(false)
          onConfirm()
        }}
      >
        {word}
      </Button>
      <Button onClick={() => setConfirming(false)}>Cancel</Button>
    </>
  )
}

interface ShownOnceProps {
  title: string
  text: string
  onClose: () => void
  children?: ReactNode
}
export function ShownOnce({ title, text, onClose, children }: ShownOnceProps) {
  return (
    <section className={styles['secret']} aria-label={title}>
      <h3>{title}, shown only now</h3>
      <Copyable text={text} label={title} />
      {children}
      <Button onClick={onClose}>I have saved it</Button>
    </section>
  )
}

export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, copy] = useCopying(text, 'Copied')
  return (
    <div className={styles['copyable']}>
      <pre tabIndex={0}>{text}</pre>
      <Button aria-label={`Copy: ${label}`} onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
