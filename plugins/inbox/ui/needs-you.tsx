import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import {
  api,
  Button,
  Card,
  Cards,
  contributions,
  Empty,
  ErrorNote,
  PageFrame,
  Skeleton,
  Time,
  useRequest
} from '../../ui/browser/contract.ts'
import { AccountAvatar } from '../../workspace/ui/contract.ts'
import { entryViews, type Entry, type Reason } from './contract.ts'
import styles from './needs-you.module.css'

interface Inbox {
  entries: Entry[]
  unread: number
  nextCursor: string | null
}

const WORDS: Record<Reason, string> = {
  asked: 'asks about',
  answered: 'answered your question about',
  mentioned: 'mentions you in',
  assigned: 'assigned you',
  run_failed: 'A run failed:',
  run_result: 'The work of a run waits for you:',
  claim_lapsed: 'A claim expired:',
  closed_unmet: 'completed with unmet criteria:'
}

const useInbox = (isUnread: boolean) =>
  useInfiniteQuery({
    queryKey: ['inbox', isUnread],
    queryFn: ({ pageParam, signal }) =>
      api<Inbox>(`/v1/inbox?limit=50${isUnread ? '&unread=true' : ''}${pageParam}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : `&cursor=${encodeURIComponent(nextCursor)}`)
  })

export default function NeedsYou() {
  const [isAll, setAll] = useState(false)
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInbox(!isAll)
  const read = useRequest('inbox')
  const entries = data?.pages.flatMap(page => page.entries)
  const [newest] = entries ?? []
  const markRead = (body: object) => read.mutate({ path: '/v1/inbox/read', body })
  return (
    <PageFrame
      title="Needs you"
      actions={
        <>
          <Button kind="quiet" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
            Show read entries
          </Button>
          {newest && data!.pages[0]!.unread > 0 && (
            <Button disabled={read.isPending} onClick={() => markRead({ before: newest.at })}>
              Mark all as read
            </Button>
          )}
        </>
      }
    >
      {(error ?? read.error) && <ErrorNote error={error ?? read.error} />}
      {!entries && !error && <Skeleton />}
      {entries?.length === 0 && (
        <Empty title="Nothing needs you">
          Questions, answers, mentions, assignments, failed runs and expired claims appear here.
        </Empty>
      )}
      {entries !== undefined && entries.length > 0 && (
        <Cards label="Inbox">
          {entries.map(entry => (
            <EntryCard key={entry.id} entry={entry} onRead={() => markRead({ ids: [entry.id] })} />
          ))}
        </Cards>
      )}
      {hasNextPage && (
        <Button className={styles['more']!} disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Older
        </Button>
      )}
    </PageFrame>
  )
}

function EntryCard({ entry, onRead }: { entry: Entry; onRead: () => void }) {
  const { reason, at, readAt, actor, subject, issue } = entry
  const isUnread = readAt === null
  return (
    <Card isNew={isUnread}>
      <div className={styles['line']}>
        {actor && <AccountAvatar name={actor.fullname} id={actor.id} />}
        <p>
          {actor && <strong>{actor.fullname}</strong>} {WORDS[reason]}{' '}
          <Link href={subject.type === 'run' ? `/runs/${subject.id}` : `/issue/${issue.key}`}>
            {`${issue.key} ${issue.title}`}
          </Link>
        </p>
        <Time at={at} />
        {isUnread && (
          <Button kind="quiet" aria-label={`Mark as read: ${issue.key}`} onClick={onRead}>
            Mark as read
          </Button>
        )}
      </div>
      {isUnread &&
        contributions(entryViews)
          .filter(view => view.reason === reason)
          .map(({ component: View }, at) => <View key={at} entry={entry} />)}
    </Card>
  )
}
