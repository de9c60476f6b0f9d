import { useQuery } from '@tanstack/react-query'
import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { Link } from 'wouter'
import { Button, ErrorNote, Icon, isSearchable, useRequest, type WriteRequest } from '../../../ui/browser/contract.ts'
import type { StateCategory } from '../../../workspace/ui/contract.ts'
import type { Issue } from '../contract.ts'
import { useSimilar } from '../data.ts'
import { contextQuery } from './context-query.ts'
import styles from './issue.module.css'
import { StateIcon } from './state-icon.tsx'
import { RELATION_NAMES } from './timeline/words.ts'

/** A connection to another issue beside relations. */
const PARENT = 'PARENT'
const CHILD = 'CHILD'

const useNeighbourChange = () => useRequest('issue', 'context', 'issues', 'timeline')

/** Its parent, sub-issues, relations and links; each can be added and removed. */
export function Others({ issue }: { issue: Issue }) {
  const { data: context } = useQuery(contextQuery(issue.key))
  const { mutate, error } = useNeighbourChange()
  if (!context) return null
  const { parent, subIssues, relations, linkedIssues } = context
  return (
    <section className={styles['others']} aria-label="Other issues">
      {parent && (
        <ul>
          <Neighbour
            name={parent.key}
            onRemove={() => mutate({ path: `/v1/issues/${issue.id}`, body: { parentId: null, rev: issue.rev } })}
          >
            Part of <Link href={`/issue/${parent.key}`}>{`${parent.key} ${parent.title}`}</Link>
          </Neighbour>
        </ul>
      )}
      <h2>Sub-issues</h2>
      <ul>
        {subIssues.map(({ id, key, title, stateCategory }) => (
          <Neighbour
            key={id}
            name={key}
            category={stateCategory}
            onRemove={() => mutate({ path: `/v1/issues/${id}`, body: { parentId: null } })}
          >
            <Link href={`/issue/${key}`}>{`${key} ${title}`}</Link>
          </Neighbour>
        ))}
      </ul>
      <AddSubIssue issue={issue} />
      <h2>Related</h2>
      <ul>
        {relations.map(({ id, type, issue: other }) => (
          <Neighbour
            key={id}
            name={other.key}
            category={other.stateCategory}
            onRemove={() => mutate({ path: `/v1/issue_relations/${id}`, method: 'DELETE' })}
          >
            {RELATION_NAMES[type] ?? type} <Link href={`/issue/${other.key}`}>{`${other.key} ${other.title}`}</Link>
          </Neighbour>
        ))}
        {linkedIssues.map(({ id, url, title }) => (
          <Neighbour
            key={id}
            name={title}
            onRemove={() => mutate({ path: `/v1/issues/${issue.id}/links/${id}`, method: 'DELETE' })}
          >
            <a href={url} target="_blank" rel="noopener noreferrer">
              {title}
            </a>
          </Neighbour>
        ))}
      </ul>
      <AddRelation issue={issue} />
      {error && <ErrorNote error={error} />}
    </section>
  )
}

interface NeighbourProps {
  name: string
  category?: StateCategory
  onRemove: () => void
  children: ReactNode
}
function Neighbour({ name, category, onRemove, children }: NeighbourProps) {
  return (
    <li>
      {category && <StateIcon category={category} />}
      <span className={styles['neighbour']}>{children}</span>
      <Button kind="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="close" size={12} />
      </Button>
    </li>
  )
}

/** Clears a field whose text was stored, unless the user has begun to write the next one. */
const clearIf = (stored: string) => (now: string) => (now === stored ? '' : now)

/** A new sub-issue; Enter creates it, and the next can be typed. */
function AddSubIssue({ issue }: { issue: Issue }) {
  const { mutate, error, isPending } = useNeighbourChange()
  const [title, setTitle] = useState('')
  function submit(event: FormEvent): void {
    event.preventDefault()
    const body = { title, parentId: issue.id, teamId: issue.teamId }
    if (title.trim() !== '') mutate({ path: '/v1/issues', body }, { onSuccess: () => setTitle(clearIf(title)) })
  }
  return (
    <form className={styles['add']} onSubmit={submit}>
      <input
        aria-label="Title of a new sub-issue"
        placeholder="A new sub-issue…"
        maxLength={1000}
        value={title}
        onChange={event => setTitle(event.target.value)}
      />
      <Button type="submit" disabled={isPending || title.trim() === ''}>
        Add
      </Button>
      {error && <ErrorNote error={error} />}
    </form>
  )
}

/** The request that connects an issue to another one. */
function requestFor(issue: Issue, type: string, other: string): WriteRequest {
  if (type === PARENT) return { path: `/v1/issues/${issue.id}`, body: { parentId: other, rev: issue.rev } }
  if (type === CHILD) return { path: `/v1/issues/${encodeURIComponent(other)}`, body: { parentId: issue.id } }
  return { path: '/v1/issue_relations', body: { issueId: issue.id, relatedIssueId: other, type } }
}

/** Another issue, by its key or by words of its title, or an address. */
function AddRelation({ issue }: { issue: Issue }) {
  const { mutate, error, isPending } = useNeighbourChange()
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
      <select aria-label="This issue" value={type} onChange={event => setType(event.target.value)}>
        {Object.entries(RELATION_NAMES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        <option value={PARENT}>is part of</option>
        <option value={CHILD}>has the part</option>
      </select>
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
