import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Issue } from '../../issues/ui/contract.ts'
import { api, Button, ErrorNote, go } from '../../ui/browser/contract.ts'
import { isOver, type Run } from './data.ts'
import { RunList } from './runs.tsx'

/** The runs of an issue, and a button to delegate it. */
export default function AgentPanel({ issue }: { issue: Issue }) {
  const client = useQueryClient()
  const { data: runs = [], error } = useQuery({
    queryKey: ['runs', 'of', issue.id],
    queryFn: ({ signal }) => api<Run[]>(`/v1/agent_runs?limit=5&issueId=${issue.id}`, { signal })
  })
  const delegate = useMutation({
    mutationFn: () => api<Run>('/v1/agent_runs', { body: { issueId: issue.id } }),
    onSuccess: ({ id }) => go(`/runs/${id}`),
    onSettled: () => client.invalidateQueries({ queryKey: ['runs'] })
  })
  const problem = error ?? delegate.error
  return (
    <>
      <RunList runs={runs} isOfIssue />
      {problem && <ErrorNote error={problem} />}
      {runs.every(isOver) && (
        <Button disabled={delegate.isPending} onClick={() => delegate.mutate()}>
          Delegate to the agent
        </Button>
      )}
    </>
  )
}
