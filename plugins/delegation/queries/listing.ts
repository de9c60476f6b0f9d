import { sql } from 'kysely'
import { newId, removeRows } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { notFound } from '../../../core/api/errors.ts'
import type { Db, Trx } from '../context.ts'
import type { DelegationTables, RunStatus } from '../contract.ts'
import type { RunName } from './runs.ts'

export interface RunFilter {
  id?: Id | undefined
  issueId?: Id | undefined
  status?: readonly RunStatus[] | undefined
  before?: Id | undefined
  limit?: number
}

export async function listRuns(db: Db, workspaceId: Id, { id, issueId, status, before, limit = 1 }: RunFilter) {
  const rows = await runsWithNames(db)
    .where('run.workspaceId', '=', workspaceId)
    .$if(id !== undefined, query => query.where('run.id', '=', id!))
    .$if(issueId !== undefined, query => query.where('run.issueId', '=', issueId!))
    .$if(status !== undefined, query => query.where('run.status', 'in', status!))
    .$if(before !== undefined, query => query.where('run.id', '<', before!))
    .orderBy('run.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ requestedById, requestedBy, agentId, agent, errorReason, errorMessage, ...row }) => {
    const { resultBranch, resultUrl, resultAt, review, reviewedAt, reviewedById, reviewedBy, ...run } = row
    return {
      ...run,
      requestedBy: { id: requestedById, fullname: requestedBy },
      agent: { id: agentId, fullname: agent },
      createdAt: run.createdAt.toISOString(),
      startedAt: run.startedAt?.toISOString() ?? null,
      finishedAt: run.finishedAt?.toISOString() ?? null,
      error: errorReason === null ? null : { reason: errorReason, message: errorMessage ?? '' },
      result:
        resultAt === null
          ? null
          : {
              branch: resultBranch,
              url: resultUrl,
              at: resultAt.toISOString(),
              review,
              reviewedBy: reviewedById === null ? null : { id: reviewedById, fullname: reviewedBy ?? '' },
              reviewedAt: reviewedAt?.toISOString() ?? null
            }
    }
  })
}
export type Run = Awaited<ReturnType<typeof listRuns>>[number]

const runsWithNames = (db: Db) =>
  db
    .selectFrom('agentRun as run')
    .innerJoin('issue', join =>
      join.onRef('issue.workspaceId', '=', 'run.workspaceId').onRef('issue.id', '=', 'run.issueId')
    )
    .innerJoin('team', join =>
      join.onRef('team.workspaceId', '=', 'issue.workspaceId').onRef('team.id', '=', 'issue.teamId')
    )
    .innerJoin('account as agent', join =>
      join.onRef('agent.workspaceId', '=', 'run.workspaceId').onRef('agent.id', '=', 'run.agentId')
    )
    .innerJoin('account as requester', join =>
      join.onRef('requester.workspaceId', '=', 'run.workspaceId').onRef('requester.id', '=', 'run.requestedById')
    )
    .leftJoin('account as reviewer', join =>
      join.onRef('reviewer.workspaceId', '=', 'run.workspaceId').onRef('reviewer.id', '=', 'run.reviewedById')
    )
    .select([
      'run.id',
      'run.issueId',
      sql<string>`team.identifier || '-' || issue.number`.as('issueKey'),
      'run.status',
      'run.attempt',
      'run.instructions',
      'run.requestedById',
      'requester.fullname as requestedBy',
      'run.agentId',
      'agent.fullname as agent',
      'run.createdAt',
      'run.startedAt',
      'run.finishedAt',
      'run.errorReason',
      'run.errorMessage',
      'run.summary',
      'run.runner',
      'run.retryOfId as retryOf',
      'run.resultBranch',
      'run.resultUrl',
      'run.resultAt',
      'run.review',
      'run.reviewedAt',
      'run.reviewedById',
      'reviewer.fullname as reviewedBy'
    ])

/** @throws 404 */
export async function findRun(db: Db, workspaceId: Id, id: Id): Promise<Run> {
  const [run] = await listRuns(db, workspaceId, { id })
  if (!run) throw notFound('run', id)
  return run
}

type EventType = DelegationTables['agentRunEvent']['type']
export interface RunEvent {
  type: EventType
  name?: string | null
  text: string
}

export async function listEvents<const T extends EventType>(
  db: Db,
  workspaceId: Id,
  runId: Id,
  types: readonly T[],
  { after, limit }: { after: number; limit: number }
) {
  const rows = await db
    .selectFrom('agentRunEvent')
    .select(['seq', 'at', 'type', 'name', 'text'])
    .where('workspaceId', '=', workspaceId)
    .where('runId', '=', runId)
    .where('seq', '>', after)
    .where('type', 'in', types)
    .orderBy('seq')
    .limit(limit)
    .$narrowType<{ type: T }>()
    .execute()
  return rows.map(row => ({ ...row, at: row.at.toISOString() }))
}

export async function addEvents(
  trx: Trx,
  { workspaceId, id }: RunName,
  at: Date,
  events: readonly RunEvent[]
): Promise<void> {
  await trx
    .insertInto('agentRunEvent')
    .values(events.map(event => ({ workspaceId, id: newId(), runId: id, at, ...event })))
    .execute()
}

export const removeOutput = (db: Db, at: Date): Promise<void> =>
  removeRows(
    db,
    'agent_run_event',
    ['workspace_id', 'id'],
    sql`old.type <> 'status' and old.at < ${at} and exists (
      select 1 from agent_run r
      where r.workspace_id = old.workspace_id and r.id = old.run_id and r.finished_at < ${at})`
  )
