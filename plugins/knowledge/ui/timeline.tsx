import { Link } from 'wouter'
import {
  timelineKey,
  TimelineLine,
  type Issue,
  type TimelineEntry,
  type TimelineSource
} from '../../issues/ui/contract.ts'
import { api, Time } from '../../ui/browser/contract.ts'
import { AccountAvatar } from '../../workspace/ui/contract.ts'
import { KIND_NAMES, type Kind } from './data.ts'
import styles from './knowledge.module.css'

interface Serving {
  id: string
  at: string
  token: { account: { id: string; fullname: string } }
  session: string | null
  entry: { id: string; kind: Kind; content: string }
  requestId: string
}
/** The entries of one answer. */
interface Served extends TimelineEntry {
  account: Serving['token']['account']
  session: string | null
  entries: Array<Serving['entry']>
}

function servedTogether(servings: readonly Serving[]): Served[] {
  const byRequest = Map.groupBy(servings, ({ requestId, session, token }) =>
    JSON.stringify([requestId, session, token.account.id])
  )
  return [...byRequest.values()].map(([first, ...others]) => ({
    id: first!.id,
    at: first!.at,
    account: first!.token.account,
    session: first!.session,
    entries: [first!, ...others].map(({ entry }) => entry)
  }))
}

export const servingSource = {
  name: 'servings',
  query: issue => ({
    queryKey: timelineKey(issue, 'servings'),
    queryFn: ({ signal }) => api<Serving[]>(`/v1/issues/${issue.id}/servings`, { signal })
  }),
  entries: servedTogether,
  Entry({ entry: { account, session, entries, at } }: { issue: Issue; entry: Served }) {
    return (
      <details className={styles['served']}>
        <summary>
          <TimelineLine>
            <AccountAvatar name={account.fullname} id={account.id} />
            <strong>{account.fullname}</strong>{' '}
            {`received ${entries.length === 1 ? 'one entry' : `${entries.length} entries`} of knowledge`}
            {session !== null && `, in ${session}`} <Time at={at} />
          </TimelineLine>
        </summary>
        <ul className={styles['worth']}>
          {entries.map(({ id, kind, content }) => (
            <li key={id}>
              <Link href={`/knowledge/${id}`}>
                <strong>{KIND_NAMES[kind]}</strong> {content}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    )
  }
} satisfies TimelineSource
