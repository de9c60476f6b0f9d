import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { AccountAvatar, useDirectory, type Directory } from '../../../workspace/ui/contract.ts'
import { TimelineLine } from '../../../issues/ui/contract.ts'
import { announce, api, Button, dayText, ErrorNote, Skeleton, Time } from '../../../ui/browser/contract.ts'
import { HEALTH_NAMES, STATE_NAMES, type Health } from '../data.ts'
import styles from './project.module.css'

interface Change {
  field: string
  from?: unknown
  to?: unknown
}
interface Entry {
  at: string
  type: string
  actor: { id: string; fullname: string } | null
  issue?: { key: string; title: string }
  milestone?: { name: string }
  health?: Health
  changes?: Change[]
  /** Absent: there are no earlier entries. */
  nextCursor?: string
}
const FIRST = 20
const NEXT = 100

export function Activity({ projectId }: { projectId: string }) {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['project-activity', projectId],
    queryFn: ({ pageParam, signal }) => api<Entry[]>(`/v1/projects/${projectId}/activity?${pageParam}`, { signal }),
    initialPageParam: `limit=${FIRST}`,
    getNextPageParam: (page: Entry[]) => {
      const cursor = page.at(-1)?.nextCursor
      return cursor && `limit=${NEXT}&cursor=${encodeURIComponent(cursor)}`
    }
  })
  const entries = data?.pages.flat()
  const directory = useDirectory()
  async function showEarlier(): Promise<void> {
    const { isError } = await fetchNextPage()
    if (!isError) announce('Earlier changes are displayed')
  }
  return (
    <section className={styles['section']} aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      {error && <ErrorNote error={error} />}
      {!entries && !error && <Skeleton />}
      <ul aria-label="Activity">
        {entries?.map((entry, n) => (
          <li key={n}>
            <Line entry={entry} directory={directory} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <span>
          <Button onClick={showEarlier}>Show earlier changes</Button>
        </span>
      )}
    </section>
  )
}

function Line({ entry, directory }: { entry: Entry; directory: Directory | undefined }) {
  const { actor, at } = entry
  return (
    <TimelineLine>
      {actor && <AccountAvatar name={actor.fullname} id={actor.id} />}
      <strong>{actor?.fullname ?? 'The server'}</strong> <span>{sentenceOf(entry, directory)}</span> <Time at={at} />
    </TimelineLine>
  )
}

const VERBS: Readonly<Record<string, string>> = {
  'project.created': 'created the project',
  'project.deleted': 'deleted the project',
  'milestone.created': 'added the milestone',
  'milestone.updated': 'changed the milestone',
  'milestone.deleted': 'removed the milestone',
  'project_update.created': 'posted an update',
  'project_update.updated': 'changed an update',
  'project_update.deleted': 'removed an update',
  'issue.created': 'filed',
  'issue.added': 'added',
  'issue.removed': 'removed',
  'issue.completed': 'completed',
  'issue.canceled': 'canceled'
}
function sentenceOf(
  { type, issue, milestone, health, changes = [] }: Entry,
  directory: Directory | undefined
): ReactNode {
  if (type === 'project.updated') return changes.map(change => phraseOf(change, directory)).join(', ')
  const verb = VERBS[type] ?? type
  if (issue) {
    return (
      <>
        {verb} <Link href={`/issue/${issue.key}`}>{`${issue.key} ${issue.title}`}</Link>
      </>
    )
  }
  if (milestone) return `${verb} ${milestone.name}`
  return health ? `${verb}: ${HEALTH_NAMES[health]}` : verb
}

function phraseOf({ field, from, to }: Change, directory: Directory | undefined): string {
  const set = (what: string, value: string | undefined) =>
    to === null
      ? `removed the ${what}`
      : value === undefined
        ? `changed the ${what}`
        : `changed the ${what} to ${value}`
  switch (field) {
    case 'restored':
      return 'restored the project'
    case 'name':
      return `renamed it from ${String(from)} to ${String(to)}`
    case 'state':
      return set('state', Object.entries(STATE_NAMES).find(([state]) => state === to)?.[1])
    case 'leadId':
      return set('lead', directory?.members.find(({ id }) => id === to)?.fullname)
    case 'teamId':
      return set('team', directory?.teams.find(({ id }) => id === to)?.name)
    case 'startsOn':
      return set('start', dayOf(to))
    case 'targetOn':
      return set('target date', dayOf(to))
    case 'memberIds':
      return 'changed the members'
    default:
      return `changed the ${field}`
  }
}
const dayOf = (value: unknown) => (typeof value === 'string' ? dayText(value) : undefined)
