import { useState, type FormEvent } from 'react'
import { api, ApiProblem, Button, ErrorNote, Field } from '../../ui/browser/contract.ts'
import { KIND_NAMES, KINDS, useWrite, type Entry, type Kind, type NewEntry } from './data.ts'
import styles from './knowledge.module.css'

interface WriteProps {
  /** The entry that the new one replaces. */
  supersedes?: Entry
  onWritten: (entry: Entry) => void
  onCancel?: () => void
}
/** A form for one fact, new or replacing another. Similar facts are listed, to be replaced or kept. */
export function WriteEntry({ supersedes, onWritten, onCancel }: WriteProps) {
  const [content, setContent] = useState(supersedes?.content ?? '')
  const [kind, setKind] = useState<Kind>(supersedes?.kind ?? 'FACT')
  const [tags, setTags] = useState(supersedes?.tags.join(', ') ?? '')
  const write = useWrite((entry: NewEntry) => api<Entry>('/v1/knowledge', { body: entry }))
  const known = knownEntry(write.error)

  function send(more: Partial<NewEntry> = supersedes ? { supersedesId: supersedes.id } : {}): void {
    const names = tags.split(',').map(tag => tag.trim())
    write.mutate({ content, kind, tags: [...new Set(names.filter(Boolean))], ...more }, { onSuccess: written })
  }
  function written(entry: Entry): void {
    setContent('')
    setTags('')
    onWritten(entry)
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    send()
  }
  return (
    <form className={styles['write']} onSubmit={submit}>
      <Field label={supersedes ? 'Corrected text' : 'Entry text'}>
        {id => (
          <textarea
            id={id}
            required
            rows={2}
            maxLength={2000}
            value={content}
            onChange={event => setContent(event.target.value)}
          />
        )}
      </Field>
      <div className={styles['row']}>
        <KindField kind={kind} onChange={setKind} />
        <Field label="Tags, separated by commas">
          {id => <input id={id} value={tags} onChange={event => setTags(event.target.value)} />}
        </Field>
        <Button type="submit" kind="primary" disabled={write.isPending}>
          {supersedes ? 'Supersede' : 'Add entry'}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
      {write.error && <ErrorNote error={write.error} />}
      {known && (
        <div className={styles['row']}>
          <Button onClick={() => send({ supersedesId: known.id })}>Replace it</Button>
          <Button onClick={() => send({ force: true })}>Keep both</Button>
        </div>
      )}
    </form>
  )
}

function KindField({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  return (
    <Field label="Kind">
      {id => (
        <select id={id} value={kind} onChange={event => onChange(event.target.value as Kind)}>
          {KINDS.map(each => (
            <option key={each} value={each}>
              {KIND_NAMES[each]}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** The existing entry with the same fact, from an answer that refuses a duplicate. */
function knownEntry(error: unknown): { id: string } | undefined {
  if (!(error instanceof ApiProblem) || error.status !== 409) return undefined
  return error.details['entry'] as { id: string } | undefined
}
