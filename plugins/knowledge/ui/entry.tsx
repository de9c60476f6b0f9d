import { useState } from 'react'
import { Link } from 'wouter'
import { AccountAvatar } from '../../workspace/ui/contract.ts'
import {
  api,
  Button,
  ErrorNote,
  go,
  PageFrame,
  removeRestorable,
  RichTextView,
  Skeleton,
  Time,
  useHasDraft,
  useRequest,
  useSession
} from '../../ui/browser/contract.ts'
import { useEntry, useServings, useWrite, type Entry } from './data.ts'
import { EntryFacts } from './knowledge.tsx'
import styles from './knowledge.module.css'
import { placeOf, WriteEntry } from './write.tsx'

export default function EntryPage({ params }: { params: Record<string, string> }) {
  const { data: entry, error } = useEntry(params['id']!)
  return (
    <PageFrame
      title="Entry"
      heading={
        <h1>
          <Link href="/knowledge">Knowledge</Link> · entry
        </h1>
      }
    >
      <div className={styles['page']}>
        {error && <ErrorNote error={error} />}
        {!entry && !error && <Skeleton />}
        {entry && <EntryBody key={entry.id} entry={entry} />}
      </div>
    </PageFrame>
  )
}

function EntryBody({ entry }: { entry: Entry }) {
  const [isSuperseding, setSuperseding] = useState(useHasDraft(placeOf(entry).name))
  const change = useWrite((status: 'ACTIVE' | 'DISPUTED') =>
    api<Entry>(`/v1/knowledge/${entry.id}`, { body: { status, previous: { status: entry.status } } })
  )
  const mark = useWrite((field: 'helped' | 'wrong') =>
    api<object>('/v1/knowledge/marks', { body: { [field]: [entry.id] } })
  )
  const isDisputed = entry.status === 'DISPUTED'
  return (
    <>
      <article className={styles['entry']} aria-label="Entry">
        <EntryFacts entry={entry} />
        <RichTextView doc={entry.body} />
        {entry.supersedesId && (
          <p>
            It replaced <Link href={`/knowledge/${entry.supersedesId}`}>another entry</Link>.
          </p>
        )}
        <Outcomes standing={entry.standing} />
        {(change.error ?? mark.error) && <ErrorNote error={change.error ?? mark.error} />}
      </article>
      {entry.status !== 'SUPERSEDED' && !isSuperseding && (
        <div className={styles['row']}>
          <Button onClick={() => setSuperseding(true)}>Supersede…</Button>
          <Button disabled={change.isPending} onClick={() => change.mutate(isDisputed ? 'ACTIVE' : 'DISPUTED')}>
            {isDisputed ? 'Settle the dispute' : 'Dispute'}
          </Button>
          <Button disabled={mark.isPending} onClick={() => mark.mutate('helped')}>
            It helped
          </Button>
          <Button disabled={mark.isPending} onClick={() => mark.mutate('wrong')}>
            It is wrong
          </Button>
        </div>
      )}
      {isSuperseding && (
        <WriteEntry
          supersedes={entry}
          onWritten={({ id }) => go(`/knowledge/${id}`)}
          onCancel={() => setSuperseding(false)}
        />
      )}
      <Removal entry={entry} />
      <Servings id={entry.id} />
    </>
  )
}

function Outcomes({ standing: { completed, canceled, reopened } }: Pick<Entry, 'standing'>) {
  if (completed + canceled + reopened === 0) return null
  return (
    <p className={styles['none']}>
      Served for issues of which {completed} were completed, {canceled} canceled, {reopened} opened again.
    </p>
  )
}

function Removal({ entry: { id, createdBy } }: { entry: Entry }) {
  const me = useSession()?.account
  const { mutateAsync, error, isPending } = useRequest('knowledge')
  if (me?.role !== 'ADMIN' && me?.id !== createdBy.id) return null
  async function remove(): Promise<void> {
    if (await removeRestorable(mutateAsync, `/v1/knowledge/${id}`, 'The entry')) go('/knowledge')
  }
  return (
    <div className={styles['row']}>
      <Button kind="danger" disabled={isPending} onClick={remove}>
        Remove
      </Button>
      {error && <ErrorNote error={error} />}
    </div>
  )
}

function Servings({ id }: { id: string }) {
  const { data: servings, error } = useServings(id)
  return (
    <section aria-label="Served" className={styles['servings']}>
      <h2>Served</h2>
      {error && <ErrorNote error={error} />}
      {!servings && !error && <Skeleton />}
      {servings?.length === 0 && <p>Not served yet.</p>}
      <ul>
        {servings?.map(({ id, at, token: { account }, session, issue }) => (
          <li key={id}>
            <AccountAvatar name={account.fullname} id={account.id} />
            <span>
              {account.fullname}
              {session !== null && ` in ${session}`}
            </span>
            {issue ? (
              <>
                <Link href={`/issue/${issue.key}`}>{`${issue.key} ${issue.title}`}</Link>
                <strong data-category={issue.state.category}>{issue.state.name}</strong>
              </>
            ) : (
              <span className={styles['none']}>without an issue</span>
            )}
            <Time at={at} />
          </li>
        ))}
      </ul>
    </section>
  )
}
