import { useQuery } from '@tanstack/react-query'
import type { Issue } from '../../issues/ui/contract.ts'
import { api, ErrorNote } from '../../ui/browser/contract.ts'
import { isOver, isReviewable, type Run, type Step } from './data.ts'
import { Delegation } from './delegation.tsx'
import { useFollowed } from './progress/follow.ts'
import { Result } from './review/result.tsx'
import { RunList } from './runs.tsx'
import { isOfAgent, StepList } from './progress/steps.tsx'

const LAST_STEPS = 5

function LastSteps({ run }: { run: Run }) {
  const { events } = useFollowed<Step>(run, 'steps')
  const steps = events.filter(isOfAgent).slice(-LAST_STEPS)
  return steps.length === 0 ? null : <StepList steps={steps} />
}

export default function AgentPanel({ issue }: { issue: Issue }) {
  const { data: runs = [], error } = useQuery({
    queryKey: ['runs', 'of', issue.id],
    queryFn: ({ signal }) => api<Run[]>(`/v1/agent_runs?limit=5&issueId=${issue.id}`, { signal })
  })
  const active = runs.find(run => !isOver(run))
  const reviewable = runs.find(isReviewable)
  return (
    <>
      <RunList runs={runs} isOfIssue />
      {active && <LastSteps key={active.id} run={active} />}
      {reviewable && <Result key={reviewable.id} run={reviewable} />}
      {error && <ErrorNote error={error} />}
      {!active && reviewable?.status !== 'SUCCEEDED' && <Delegation issue={issue} />}
    </>
  )
}
