import { newId } from '../../../core/api/database/queries.ts'
import type { DemoPart } from '../../demo/contract.ts'
import type { Trx } from '../context.ts'
import type { RunReason } from '../contract.ts'
import { addEvents } from '../queries/listing.ts'
import { insertEndedRun, insertServiceAgent } from '../queries/runs.ts'

const HOUR_MS = 3_600_000

interface SampleRun {
  issue: string
  hoursAgo: number
  minutes: number
  summary?: string
  failure?: { reason: RunReason; message: string }
  output: readonly string[]
}
const RUNS: readonly SampleRun[] = [
  {
    issue: 'stream',
    hoursAgo: 240,
    minutes: 14,
    summary: 'Rows are written as they are read; memory stays at 140 MB for an export of 4 GB.',
    output: ['Reading plugins/export/write.ts', '3 files changed', 'npm test: 214 passed', 'Done.']
  },
  {
    issue: 'certs',
    hoursAgo: 30,
    minutes: 6,
    failure: { reason: 'EXIT_CODE', message: 'The command ended with exit code 1.' },
    output: ['Renewing 3 certificates', 'error: the account of the authority has no rights for *.example.org']
  },
  {
    issue: 'certs',
    hoursAgo: 22,
    minutes: 9,
    summary: 'Three certificates are renewed; the job runs each day from now on.',
    output: ['Renewing 3 certificates', 'renewed: api, www, mail', 'The alert at 5 days is left to a person.']
  }
]
/** The account of the board that plays the service’s own agent. */
const AGENT = 'brook'

/** Runs of the sample board, for which the import format has no place. */
export const addSampleRuns: DemoPart = async ({ workspaceId }, trx, { adminId, issues, accounts, now }) => {
  const db: Trx = trx
  const agentId = accounts.get(AGENT)
  if (agentId === undefined) return
  await insertServiceAgent(db, workspaceId, agentId)
  for (const { issue, hoursAgo, minutes, summary, failure, output } of RUNS) {
    const issueId = issues.get(issue)
    if (issueId === undefined) continue
    const createdAt = new Date(now.getTime() - hoursAgo * HOUR_MS)
    const finishedAt = new Date(createdAt.getTime() + minutes * 60_000)
    const run = { workspaceId, id: newId() }
    await insertEndedRun(db, {
      ...run,
      issueId,
      agentId,
      requestedById: adminId,
      status: failure ? 'FAILED' : 'SUCCEEDED',
      createdAt,
      finishedAt,
      errorReason: failure?.reason ?? null,
      errorMessage: failure?.message ?? null,
      summary: summary ?? null
    })
    const events = output.map(text => ({ type: 'stdout' as const, text }))
    await addEvents(db, run, finishedAt, events)
  }
}
