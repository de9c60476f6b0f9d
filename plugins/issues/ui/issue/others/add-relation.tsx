import { useId, useState, type FormEvent } from 'react'
import { Button, Choice, ErrorNote, isSearchable, type WriteRequest } from '../../../../ui/browser/contract.ts'
import type { Issue } from '../../contract.ts'
import { useSimilar } from '../../data.ts'
import { useIssueRequest } from '../../changes/send.ts'
import { RELATION_NAMES } from '../timeline/words.ts'
import { clearIf } from './neighbour.tsx'
import styles from './others.module.css'

/** A connection to another issue beside relations. */
const PARENT = 'PARENT'
const CHILD = 'CHILD'

const TYPES = [
  ...Object.entries(RELATION_NAMES).map(([id, title]) => ({ id, title })),
  { id: PARENT, title: 'is part of' },
  { id: CHILD, title: 'has the part' }
]

/** The request that connects an issue to another one. */
function requestFor(issue: Issue, type: string, other: string): WriteRequest {
  if (type === PARENT) return { path: `/v1/issues/${issue.id}`, body: { parentId: other, rev: issue.rev } }
  if (type === CHILD) return { path: `/v1/issues/${encodeURIComponent(other)}`, body: { parentId: issue.id } }
  return { path: '/v1/issue_relations', body: { issueId: issue.id, relatedIssueId: other, type } }
}

/** Another issue, by its key or by words of its title, or an address. */
export function AddRelation({ issue }: { issue: Issue }) {
  const { mutate, error, isPending } = useIssueRequest()
  const [type, setType] = useState('RELATED')
  const [text, setText] = useState('')
  const listId = useId()
  const isSearched = isSearchable(text) && !/^\S+-\d+ |^https?:/.test(text)
  const matches = useSimilar(text, isSearched)
  const other = text.trim().split(' ')[0]!
  const isLink = /^https?:\/\//.test(other)
  function submit(event: FormEvent): void {
    event.preventDefault()
    const request = isLink
      ? {
          path: `/v1/issues/${issue.id}/links`,
          body: { url: other, title: text.trim().slice(other.length + 1) || other }
        }
      : requestFor(issue, type, other)
    mutate(request, { onSuccess: () => setText(clearIf(text)) })
  }
  return (
    <form className={styles['add']} onSubmit={submit}>
      <Choice label="This issue" options={TYPES} chosen={type} onChoose={setType} />
      <input
        aria-label="Another issue, or an address"
        placeholder="ENG-12, words of a title, or https://…"
        list={listId}
        autoComplete="off"
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <datalist id={listId}>
        {matches.map(({ id, title, hint }) => (
          <option key={id} value={`${hint ?? ''} ${title}`} />
        ))}
      </datalist>
      <Button type="submit" disabled={isPending || other === ''}>
        Relate
      </Button>
      {error && <ErrorNote error={error} />}
    </form>
  )
}
