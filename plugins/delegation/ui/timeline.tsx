import { Link } from 'wouter'
import {
  timelineKey,
  TimelineLine,
  type Issue,
  type TimelineEntry,
  type TimelineSource
} from '../../issues/ui/contract.ts'
import { api, Time } from '../../ui/browser/contract.ts'
import type { Run } from './data.ts'
import { Status } from './runs.tsx'

const MAX_RUNS = 100
type RunEntry = TimelineEntry & { run: Run }

export const runSource = {
  name: 'runs',
  query: issue => ({
    queryKey: timelineKey(issue, 'runs'),
    queryFn: ({ signal }) => api<Run[]>(`/v1/agent_runs?limit=${MAX_RUNS}&issueId=${issue.id}`, { signal })
  }),
  entries: (runs: Run[]): RunEntry[] => runs.map(run => ({ id: run.id, at: run.createdAt, run })),
  Entry({ entry: { run } }: { issue: Issue; entry: RunEntry }) {
    return (
      <TimelineLine>
        <Status run={run} />
        <span>
          <Link href={`/runs/${run.id}`}>Run of the agent</Link>, requested by {run.requestedBy.fullname}
        </span>{' '}
        <Time at={run.createdAt} />
      </TimelineLine>
    )
  }
} satisfies TimelineSource
