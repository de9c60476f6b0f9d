import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, Button, ErrorNote, PageFrame, Skeleton, Time, useCommands } from '../../ui/browser/contract.ts'
import { FOLLOW_MS, isOver, isReviewable, type Run } from './data.ts'
import { ProgressOf } from './progress/output.tsx'
import { Result } from './review/result.tsx'
import { RetryButtons } from './review/retry.tsx'
import styles from './runs.module.css'
import { Status } from './runs.tsx'

export default function RunPage({ params }: { params: Record<string, string> }) {
  const id = params['id']!
  const client = useQueryClient()
  const { data: run, error } = useQuery({
    queryKey: ['runs', id],
    queryFn: ({ signal }) => api<Run>(`/v1/agent_runs/${id}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isOver(data) ? false : FOLLOW_MS)
  })
  const cancel = useMutation({
    mutationFn: () => api(`/v1/agent_runs/${id}/cancel`, { body: {} }),
    onSettled: () => client.invalidateQueries({ queryKey: ['runs'] })
  })
  useCommands([
    {
      id: 'run-cancel',
      title: 'Cancel the run',
      section: 'Run',
      isAvailable: () => run !== undefined && !isOver(run),
      run: () => cancel.mutate()
    }
  ])
  if (!run) return <PageFrame title="Run">{error ? <ErrorNote error={error} /> : <Skeleton />}</PageFrame>
  return (
    <PageFrame
      title={`Run of ${run.issueKey}`}
      heading={
        <h1>
          Run of <Link href={`/issue/${run.issueKey}`}>{run.issueKey}</Link>
        </h1>
      }
      tools={<Status run={run} />}
      actions={
        isOver(run) ? (
          !isReviewable(run) && <RetryButtons key={run.id} run={run} />
        ) : (
          <Button kind="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )
      }
    >
      <div className={styles['run']}>
        <Facts run={run} />
        {run.error && (
          <p className={styles['failure']}>
            <strong>{run.error.reason}</strong> {run.error.message}
          </p>
        )}
        {cancel.error && <ErrorNote error={cancel.error} />}
        <Result key={run.id} run={run} />
        <ProgressOf key={run.id} run={run} />
      </div>
    </PageFrame>
  )
}

function Facts({ run }: { run: Run }) {
  return (
    <>
      <p className={styles['facts']}>
        Requested by {run.requestedBy.fullname} <Time at={run.createdAt} /> · attempt {run.attempt}
        {run.runner !== 'default' && ` · runner ${run.runner}`}
        {run.retryOf !== null && (
          <>
            {' '}
            · <Link href={`/runs/${run.retryOf}`}>the run before</Link>
          </>
        )}
      </p>
      {run.instructions !== null && (
        <details className={styles['instructions']}>
          <summary>Instructions</summary>
          <p>{run.instructions}</p>
        </details>
      )}
    </>
  )
}
