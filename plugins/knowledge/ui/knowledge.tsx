import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import {
  Choice,
  Empty,
  ErrorNote,
  go,
  PageFrame,
  RichTextView,
  Skeleton,
  Time,
  useCommands
} from '../../ui/browser/contract.ts'
import { KIND_NAMES, STANDING_NAMES, useEntries, type Entry } from './data.ts'
import styles from './knowledge.module.css'
import { WriteEntry } from './write.tsx'

const PAUSE_MS = 250
const MAX_NAME_CHARACTERS = 200

export default function Knowledge() {
  const [params, setParams] = useSearchParams()
  const kind = params.get('kind') ?? ''
  const query = params.get('query') ?? ''
  const standing = params.get('standing') ?? ''
  const { data: entries, error } = useEntries(query, kind, standing)
  function set(name: string, value: string): void {
    setParams(now => withParameter(now, name, value), { replace: true })
  }
  useCommands([
    {
      id: 'find',
      title: 'Search knowledge',
      section: 'Knowledge',
      keys: ['/'],
      run: () => document.querySelector<HTMLElement>('[data-search]')?.focus()
    }
  ])
  return (
    <PageFrame title="Knowledge" tools={<SearchField query={query} onChange={text => set('query', text)} />}>
      <div className={styles['page']}>
        <WriteEntry onWritten={({ id }) => go(`/knowledge/${id}`)} />
        <div className={styles['row']}>
          <Choice
            label="Kind"
            options={optionsOf('Any kind', KIND_NAMES)}
            chosen={kind}
            isMarked={kind !== ''}
            onChoose={value => set('kind', value)}
          />
          <Choice
            label="Standing"
            options={optionsOf('Any standing', STANDING_NAMES)}
            chosen={standing}
            isMarked={standing !== ''}
            onChoose={value => set('standing', value)}
          />
        </div>
        {error && <ErrorNote error={error} />}
        {!entries && !error && <Skeleton />}
        {entries?.length === 0 && (
          <Empty title={query || kind || standing ? 'No matching entries' : 'No entries yet'}>
            Agents add entries with the tool remember, and receive the relevant ones before a task. You can add entries,
            too.
          </Empty>
        )}
        <ul className={styles['list']} data-rows>
          {entries?.map(entry => (
            <li key={entry.id}>
              <Link href={`/knowledge/${entry.id}`} aria-label={`Open: ${entry.content.slice(0, MAX_NAME_CHARACTERS)}`}>
                <EntryFacts entry={entry} />
              </Link>
              <RichTextView doc={entry.body} />
            </li>
          ))}
        </ul>
      </div>
    </PageFrame>
  )
}

function withParameter(parameters: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(parameters)
  if (value === '') next.delete(name)
  else next.set(name, value)
  return next
}

const optionsOf = (all: string, names: Readonly<Record<string, string>>) =>
  Object.entries({ '': all, ...names }).map(([id, title]) => ({ id, title }))

function SearchField({ query, onChange }: { query: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(query)
  const [queryBefore, setQueryBefore] = useState(query)
  // A link has changed the address.
  if (query !== queryBefore) {
    setQueryBefore(query)
    setText(query)
  }
  useEffect(() => {
    if (text === query) return
    const timer = setTimeout(() => onChange(text), PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <input
      type="search"
      data-search
      aria-label="Search knowledge"
      placeholder="Search…"
      className={styles['search']}
      value={text}
      onChange={event => setText(event.target.value)}
    />
  )
}

export function EntryFacts({ entry }: { entry: Entry }) {
  const { kind, status, tags, createdBy, createdAt, doubt, standing } = entry
  return (
    <span className={styles['facts']}>
      <strong>{KIND_NAMES[kind]}</strong>
      {status !== 'ACTIVE' && <em>{status.toLowerCase()}</em>}
      {doubt && <em>{doubt === 'CHANGED' ? 'its issue changed' : 'its issue was reopened'}</em>}
      {tags.map(tag => (
        <span key={tag} className={styles['tag']}>
          {tag}
        </span>
      ))}
      <span>{createdBy.fullname}</span>
      <Time at={createdAt} />
      {standing.helped > 0 && <span>helped {standing.helped}</span>}
      {standing.wrong > 0 && <span>wrong {standing.wrong}</span>}
    </span>
  )
}
