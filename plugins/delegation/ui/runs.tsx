import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, Empty, ErrorNote, PageFrame, Skeleton, Time } from '../../ui/browser/contract.ts'
import { FOLLOW_MS, isOver, type Run } from './data.ts'
import styles from './runs.module.css'

export default function Runs() {
  const { data: runs, error } = useQuery({
    queryKey: ['runs'],
    queryFn: ({ signal }) => api<Run[]>('/v1/agent_runs?limit=100', { signal }),
    refetchInterval: query => (query.state.data?.every(isOver) ? false : FOLLOW_MS)
  })
  return (
    <PageFrame title="Runs">
      {error && <ErrorNote error={error} />}
      {!runs && !error && <Skeleton />}
      {runs?.length === 0 && (
        <Empty title="No runs yet">
          Delegate a ready issue (described, with a criterion, not blocked) to the service’s own agent, on the issue’s
          page.
        </Empty>
      )}
      <RunList runs={runs ?? []} />
    </PageFrame>
  )
}

export function RunList({ runs, isOfIssue = false }: { runs: readonly Run[]; isOfIssue?: boolean }) {
  return (
    <ul className={styles['list']} data-of-issue={isOfIssue || undefined} data-rows>
      {runs.map(run => (
        <li key={run.id}>
          <Link href={`/runs/${run.id}`} className={styles['row']!}>
            <Status run={run} />
            {!isOfIssue && <span className={styles['key']}>{run.issueKey}</span>}
            <span className={styles['what']}>{run.error?.message ?? run.summary ?? ''}</span>
            <Time at={run.createdAt} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The status as a word, not only as a colour. */
export function Status({ run }: { run: Run }) {
  return (
    <span className={styles['status']} data-status={run.status}>
      {run.status.toLowerCase()}
    </span>
  )
}
