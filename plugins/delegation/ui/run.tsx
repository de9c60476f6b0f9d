import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, Button, ErrorNote, go, PageFrame, Skeleton, Time } from '../../ui/browser/contract.ts'
import { FOLLOW_MS, isOver, type Run } from './data.ts'
import { ProgressOf } from './output.tsx'
import styles from './runs.module.css'
import { Status } from './runs.tsx'

/** A run: its status, the reason for a failure, and its live steps or output. */
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
  const retry = useMutation({
    mutationFn: (issueId: string) => api<Run>('/v1/agent_runs', { body: { issueId } }),
    onSuccess: created => go(`/runs/${created.id}`)
  })
  if (!run) return <PageFrame title="Run">{error ? <ErrorNote error={error} /> : <Skeleton />}</PageFrame>
  const problem = cancel.error ?? retry.error
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
          <Button disabled={retry.isPending} onClick={() => retry.mutate(run.issueKey)}>
            Run again
          </Button>
        ) : (
          <Button kind="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )
      }
    >
      <div className={styles['run']}>
        <p className={styles['facts']}>
          Requested by {run.requestedBy.fullname} <Time at={run.createdAt} /> · attempt {run.attempt}
        </p>
        {run.error && (
          <p className={styles['failure']}>
            <strong>{run.error.reason}</strong> {run.error.message}
          </p>
        )}
        {problem && <ErrorNote error={problem} />}
        <ProgressOf key={run.id} run={run} />
      </div>
    </PageFrame>
  )
}
