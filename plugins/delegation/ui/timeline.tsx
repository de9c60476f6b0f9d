import { Link } from 'wouter'
import type { Issue, TimelineEntry, TimelineSource } from '../../issues/ui/contract.ts'
import { api, Time } from '../../ui/browser/contract.ts'
import type { Run } from './data.ts'
import styles from './runs.module.css'
import { Status } from './runs.tsx'

const MAX_RUNS = 100
type RunEntry = TimelineEntry & { run: Run }

/** The runs of an issue, in its line of time. */
export const runSource = {
  name: 'runs',
  async load({ id }: Issue, signal: AbortSignal): Promise<RunEntry[]> {
    const runs = await api<Run[]>(`/v1/agent_runs?limit=${MAX_RUNS}&issueId=${id}`, { signal })
    return runs.map(run => ({ id: run.id, at: run.createdAt, run }))
  },
  Entry({ entry }: { entry: TimelineEntry }) {
    const { run } = entry as RunEntry
    return (
      <p className={styles['entry']}>
        <Status run={run} />
        <Link href={`/runs/${run.id}`}>Run of the agent</Link>, requested by {run.requestedBy.fullname}{' '}
        <Time at={run.createdAt} />
      </p>
    )
  }
} satisfies TimelineSource
