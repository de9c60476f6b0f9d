import type { FormEvent } from 'react'
import {
  api,
  ApiProblem,
  Button,
  ErrorNote,
  Labelled,
  RichTextField,
  Select,
  TextField,
  useWriting,
  useWritingState
} from '../../ui/browser/contract.ts'
import { KIND_NAMES, useWrite, type Entry, type Kind, type NewEntry } from './data.ts'
import styles from './knowledge.module.css'

function tagsOf(text: string): string[] {
  const names = text.split(',').map(tag => tag.trim())
  return [...new Set(names.filter(Boolean))]
}

interface WriteProps {
  supersedes?: Entry
  onWritten: (entry: Entry) => void
  onCancel?: () => void
}
/** They are stored with the draft. */
interface Fields {
  kind: Kind
  tags: string
}
/** The draft of a new entry, or of the one that replaces another. */
export const placeOf = (supersedes?: Entry) =>
  supersedes
    ? { name: `entry.${supersedes.id}`, title: 'Corrected entry', href: `/knowledge/${supersedes.id}` }
    : { name: 'entry.new', title: 'New entry of knowledge', href: '/knowledge' }

export function WriteEntry({ supersedes, onWritten, onCancel }: WriteProps) {
  const { content = '', kind: kindBefore = 'FACT', tags: tagsBefore = [] } = supersedes ?? {}
  const fields: Fields = { kind: kindBefore, tags: tagsBefore.join(', ') }
  const writing = useWriting(placeOf(supersedes), content, fields)
  const { context, isBlank, isChanged } = useWritingState(writing)
  const write = useWrite(async (entry: NewEntry) => {
    writing.setSaving(true)
    const written = await api<Entry>('/v1/knowledge', { body: entry }).finally(() => writing.setSaving(false))
    writing.clear()
    return written
  })
  const known = knownEntry(write.error)

  function send(more: Partial<NewEntry> = supersedes ? { supersedesId: supersedes.id } : {}): void {
    if (isBlank || write.isPending) return
    write.mutate(
      { content: writing.text(), kind: context.kind, tags: tagsOf(context.tags), ...more },
      { onSuccess: onWritten }
    )
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    send()
  }
  function discard(): void {
    writing.clear()
    write.reset()
    onCancel?.()
  }
  return (
    <form className={styles['write']} onSubmit={submit}>
      <RichTextField
        label={supersedes ? 'Corrected text' : 'Entry text'}
        writing={writing}
        autoFocus={supersedes !== undefined}
        onSave={() => send()}
      />
      <div className={styles['row']}>
        <FactFields fields={context} onChange={change => writing.setContext({ ...context, ...change })} />
        <Button type="submit" kind="primary" disabled={write.isPending || isBlank}>
          {supersedes ? 'Supersede' : 'Add entry'}
        </Button>
        {(onCancel || isChanged) && <Button onClick={discard}>{onCancel ? 'Cancel' : 'Discard'}</Button>}
      </div>
      {write.error && <ErrorNote error={write.error} />}
      {known && <KnownEntry id={known.id} onSend={send} />}
    </form>
  )
}

const FactFields = ({ fields, onChange }: { fields: Fields; onChange: (change: Partial<Fields>) => void }) => (
  <>
    <Labelled label="Kind">
      <Select
        label="Kind of the entry"
        names={KIND_NAMES}
        value={fields.kind}
        onChange={kind => onChange({ kind: kind as Kind })}
      />
    </Labelled>
    <TextField
      label="Tags, separated by commas"
      required={false}
      value={fields.tags}
      onChange={tags => onChange({ tags })}
    />
  </>
)

const KnownEntry = ({ id, onSend }: { id: string; onSend: (more: Partial<NewEntry>) => void }) => (
  <div className={styles['row']}>
    <Button onClick={() => onSend({ supersedesId: id })}>Replace it</Button>
    <Button onClick={() => onSend({ force: true })}>Keep both</Button>
  </div>
)

/** From an answer that refuses a duplicate. */
function knownEntry(error: unknown): { id: string } | undefined {
  if (!(error instanceof ApiProblem) || error.status !== 409) return undefined
  return error.details['entry'] as { id: string } | undefined
}
