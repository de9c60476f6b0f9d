import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import {
  announce,
  Button,
  Choice,
  contributions,
  ErrorNote,
  isUnreached,
  Skeleton,
  storedState
} from '../../../../ui/browser/contract.ts'
import { timelineSources, type Issue } from '../../contract.ts'
import { isMissing } from '../../data.ts'
import { ActivityLine, activityQuery } from './activity.tsx'
import styles from './timeline.module.css'

interface Item {
  id: string
  at: string
  content: ReactNode
}

export function Timeline({ issue }: { issue: Issue }) {
  const { order } = activityOrder.use()
  const others = useOtherEntries(issue)
  const changes = useChanges(issue)
  const failure = others.error ?? changes.error
  const items = [...changes.items, ...others.items].sort((a, b) => a.at.localeCompare(b.at))
  if (order === 'newest') items.reverse()
  // The page has a note of a lost connection, and of an issue that was removed.
  const error = items.length > 0 && (isUnreached(failure) || isMissing(failure)) ? null : failure
  const list = (
    <ol key="entries">
      {items.map(({ id, content }) => (
        <li key={id}>
          <Suspense fallback={<Skeleton lines={1} />}>{content}</Suspense>
        </li>
      ))}
    </ol>
  )
  const footers = contributions(timelineSources).map(
    ({ name, Footer }) => Footer && <Footer key={`footer ${name}`} issue={issue} />
  )
  return (
    <section className={styles['timeline']} aria-label="Activity">
      <header>
        <h2>Activity</h2>
        <Choice
          label="Order of the activity"
          options={ORDERS}
          chosen={order}
          onChoose={order => activityOrder.change({ order })}
        />
      </header>
      {error && <ErrorNote error={error} />}
      {(others.isPending || changes.isPending) && <Skeleton />}
      {/* In one array, so that a text field that changes its place keeps its text. */}
      {order === 'newest' ? [...footers, list] : [list, ...footers]}
    </section>
  )
}

const ORDERS = [
  { id: 'oldest', title: 'Oldest first' },
  { id: 'newest', title: 'Newest first' }
]
const activityOrder = storedState('tracker.activityOrder', { order: 'oldest' })

function useOtherEntries(issue: Issue) {
  const sources = contributions(timelineSources)
  const results = useQueries({
    queries: sources.map(({ query, entries }) => ({ ...query(issue), select: entries }))
  })
  const items = results.flatMap(({ data = [] }, n): Item[] => {
    const { Entry } = sources[n]!
    return data.map(entry => ({ id: entry.id, at: entry.at, content: <Entry issue={issue} entry={entry} /> }))
  })
  return {
    items,
    isPending: results.some(({ isPending }) => isPending),
    error: results.find(({ error }) => error)?.error
  }
}

const MAX_TRIES = 5

function useChanges(issue: Issue) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    activityQuery(issue)
  )
  const entries = data?.pages.flatMap(({ activity }) => activity) ?? []
  const items = entries.map((entry): Item => {
    const { at, since = at, actor } = entry
    const begin = entry.changes[0]?.change === 'filed' ? 'filed' : since
    return { id: `${begin} ${actor.id}`, at, content: <ActivityLine issue={issue} entry={entry} /> }
  })
  async function showEarlier(): Promise<boolean> {
    const pages = data?.pages.length ?? 0
    for (let n = 0; n < MAX_TRIES; n++) {
      const result = await fetchNextPage({ cancelRefetch: false })
      if (result.isError) return false
      if (result.data !== undefined && result.data.pages.length > pages) return true
      // A refetch after an event has taken its place.
    }
    return false
  }
  const oldest = entries.at(-1)
  if (oldest && hasNextPage) {
    const content = <EarlierButton isLoading={isFetchingNextPage} onShow={showEarlier} />
    // The first of those with its time.
    items.unshift({ id: 'earlier', at: oldest.at, content })
  }
  return { items, isPending, error }
}

interface EarlierButtonProps {
  isLoading: boolean
  onShow: () => Promise<boolean>
}
function EarlierButton({ isLoading, onShow }: EarlierButtonProps) {
  const ref = useRef<HTMLSpanElement>(null)
  const wasUsed = useRef(false)
  useEffect(() => {
    // The entries that came in may have moved the button, which takes the focus from it.
    if (isLoading || !wasUsed.current || document.activeElement !== document.body) return
    ref.current?.querySelector('button')?.focus()
  }, [isLoading])
  async function show(): Promise<void> {
    wasUsed.current = true
    if (await onShow()) announce('Earlier changes are displayed')
  }
  return (
    <span ref={ref} className={styles['earlier']}>
      <Button kind="quiet" aria-busy={isLoading} onClick={() => !isLoading && show()}>
        Show earlier changes
      </Button>
    </span>
  )
}
