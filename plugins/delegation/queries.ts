import { sql } from 'kysely'
import { iso, jsonRow } from '../../core/db/sql.ts'
import type { Id } from '../../core/db/tables.ts'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { Db, Trx } from './context.ts'
import type { RunReason, RunStatus } from './contract.ts'
import type { OutputEvent } from './runner/output.ts'

export interface RunName {
  workspaceId: Id
  id: Id
}

/** How a run ends. */
export interface End {
  status: Exclude<RunStatus, 'QUEUED' | 'RUNNING'>
  reason?: RunReason
  message?: string
  summary?: string | null
}

const ACTIVE: RunStatus[] = ['QUEUED', 'RUNNING']

/** Runs as the API shows them, newest first. */
export async function listRuns(
  db: Db,
  workspaceId: Id,
  {
    id,
    issueId,
    status,
    before,
    limit = 1
  }: {
    id?: Id | undefined
    issueId?: Id | undefined
    status?: readonly RunStatus[] | undefined
    before?: Id | undefined
    limit?: number
  }
) {
  const rows = await db
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
      'run.summary'
    ])
    .where('run.workspaceId', '=', workspaceId)
    .$if(id !== undefined, query => query.where('run.id', '=', id!))
    .$if(issueId !== undefined, query => query.where('run.issueId', '=', issueId!))
    .$if(status !== undefined, query => query.where('run.status', 'in', status!))
    .$if(before !== undefined, query => query.where('run.id', '<', before!))
    .orderBy('run.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ requestedById, requestedBy, agentId, agent, errorReason, errorMessage, ...run }) => ({
    ...run,
    requestedBy: { id: requestedById, fullname: requestedBy },
    agent: { id: agentId, fullname: agent },
    createdAt: run.createdAt.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    finishedAt: run.finishedAt?.toISOString() ?? null,
    error: errorReason === null ? null : { reason: errorReason, message: errorMessage ?? '' }
  }))
}
export type Run = Awaited<ReturnType<typeof listRuns>>[number]

/** @throws 404 */
export async function findRun(db: Db, workspaceId: Id, id: Id): Promise<Run> {
  const [run] = await listRuns(db, workspaceId, { id })
  if (!run) throw notFound('run', id)
  return run
}

export async function listEvents(db: Db, workspaceId: Id, runId: Id, after: number, limit: number) {
  const rows = await db
    .selectFrom('agentRunEvent')
    .select(['seq', 'at', 'type', 'text'])
    .where('workspaceId', '=', workspaceId)
    .where('runId', '=', runId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(row => ({ ...row, at: row.at.toISOString() }))
}

export async function addEvents(
  db: Db,
  { workspaceId, id }: RunName,
  at: Date,
  events: readonly OutputEvent[]
): Promise<void> {
  await db
    .insertInto('agentRunEvent')
    .values(events.map(event => ({ workspaceId, id: newId(), runId: id, at, ...event })))
    .execute()
}

/** @returns whether it was inserted: not while the issue has an active run */
export async function insertRun(
  trx: Trx,
  run: {
    workspaceId: Id
    id: Id
    issueId: Id
    agentId: Id
    requestedById: Id
    instructions: string | null
    depth: number
    createdAt: Date
  }
): Promise<boolean> {
  const inserted = await trx
    .insertInto('agentRun')
    .values({ ...run, status: 'QUEUED', attempt: 0 })
    .onConflict(conflict =>
      conflict
        .columns(['workspaceId', 'issueId'])
        .where(sql<boolean>`status in ('QUEUED', 'RUNNING')`)
        .doNothing()
    )
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** How deep below a request of a person or agent a run is. */
export async function depthOf(db: Db, workspaceId: Id, id: Id): Promise<number> {
  const { depth } = await db
    .selectFrom('agentRun')
    .select('depth')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return depth
}

/** The workspace's own agent, if it has one that was not removed. */
export async function findServiceAgent(db: Db, workspaceId: Id): Promise<Id | null> {
  const row = await db
    .selectFrom('serviceAgent')
    .innerJoin('account', join =>
      join.onRef('account.workspaceId', '=', 'serviceAgent.workspaceId').onRef('account.id', '=', 'serviceAgent.id')
    )
    .select('account.id')
    .where('serviceAgent.workspaceId', '=', workspaceId)
    .where('account.deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** The issue of a run, which never changes. */
export const issueOfRun = async (db: Db, { workspaceId, id }: RunName): Promise<Id | undefined> =>
  (
    await db
      .selectFrom('agentRun')
      .select('issueId')
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst()
  )?.issueId

export async function lockRun(trx: Trx, { workspaceId, id }: RunName) {
  return trx
    .selectFrom('agentRun')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}
export type LockedRun = NonNullable<Awaited<ReturnType<typeof lockRun>>>

export async function markPickedUp(db: Db, { workspaceId, id }: RunName, leaseId: Id, at: Date): Promise<void> {
  await db
    .updateTable('agentRun')
    .set({ pickedUpAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('leaseId', '=', leaseId)
    .execute()
}

const leaseEnd = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

export const startRun = (
  trx: Trx,
  { workspaceId, id }: RunName,
  start: { leaseId: Id; leaseSeconds: number; tokenId: Id; at: Date }
) =>
  trx
    .updateTable('agentRun')
    .set(eb => ({
      status: 'RUNNING',
      attempt: eb('attempt', '+', 1),
      startedAt: eb.fn.coalesce('startedAt', sql<Date>`${start.at}`),
      pickedUpAt: null,
      leaseId: start.leaseId,
      leaseUntil: leaseEnd(start.leaseSeconds),
      tokenId: start.tokenId
    }))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()

/** Extends the lease and the run's token with it. @returns false when the run no longer belongs to the caller */
export async function renewLease(db: Db, { workspaceId, id }: RunName, leaseId: Id, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    with renewed as (
      update agent_run set lease_until = ${leaseEnd(seconds)}
      where workspace_id = ${workspaceId} and id = ${id} and status = 'RUNNING' and lease_id = ${leaseId} and lease_until > now()
      returning token_id, lease_until
    )
    update token set expires_at = renewed.lease_until from renewed where token.workspace_id = ${workspaceId} and token.id = renewed.token_id
    returning token.id`.execute(db)
  return rows.length === 1
}

/** Ends a locked run, whichever way. */
export async function setEnded(
  trx: Trx,
  { workspaceId, id }: RunName,
  end: { status: RunStatus; reason?: RunReason; message?: string; summary?: string | null; at: Date }
): Promise<void> {
  await trx
    .updateTable('agentRun')
    .set({
      status: end.status,
      finishedAt: end.at,
      errorReason: end.reason ?? null,
      errorMessage: end.message ?? null,
      leaseId: null,
      leaseUntil: null,
      ...(end.summary !== undefined && { summary: end.summary })
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function setQueued(trx: Trx, { workspaceId, id }: RunName): Promise<void> {
  await trx
    .updateTable('agentRun')
    .set({ status: 'QUEUED', leaseId: null, leaseUntil: null, pickedUpAt: null })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Runs whose worker has not been heard of in time. */
export const listLost = (db: Db) =>
  db
    .selectFrom('agentRun')
    .select(['workspaceId', 'id', 'issueId'])
    .where('status', '=', 'RUNNING')
    .where('leaseUntil', '<=', sql<Date>`now()`)
    .orderBy('leaseUntil')
    .limit(50)
    .execute()

/** A run whose worker has not been heard of in time, locked; one that another replica is at is left to it. */
export const lockLost = (trx: Trx, { workspaceId, id }: RunName) =>
  trx
    .selectFrom('agentRun')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .where('leaseUntil', '<=', sql<Date>`now()`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** Runs that have waited for a while, oldest first. */
export const listWaiting = (db: Db) =>
  db
    .selectFrom('agentRun')
    .select(['workspaceId', 'id'])
    .where('status', '=', 'QUEUED')
    .where('createdAt', '<', sql<Date>`now() - interval '30 seconds'`)
    .orderBy('createdAt')
    .limit(100)
    .execute()

/** The issues of all active runs. */
export const listActive = (db: Db) =>
  db.selectFrom('agentRun').select(['workspaceId', 'issueId']).where('status', 'in', ACTIVE).execute()

export const hasActiveRun = async (db: Db, workspaceId: Id, issueId: Id): Promise<boolean> =>
  (await db
    .selectFrom('agentRun')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where('status', 'in', ACTIVE)
    .executeTakeFirst()) !== undefined

export const lockActiveOf = (trx: Trx, workspaceId: Id, issueId: Id): Promise<LockedRun | undefined> =>
  trx
    .selectFrom('agentRun')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where('status', 'in', ACTIVE)
    .forUpdate()
    .executeTakeFirst()

/** What decides whether an issue's run ends: its state, its assignee, and who last changed each; none if deleted. */
export async function issueOutlook(db: Db, workspaceId: Id, issueId: Id) {
  const {
    rows: [row]
  } = await sql<{
    deleted: boolean
    category: string
    assigneeId: Id | null
    stateById: Id | null
    assigneeById: Id | null
  }>`
    select i.deleted_at is not null as deleted, s.category, i.assignee_id,
      (select c.actor_id from issue_change c where c.workspace_id = i.workspace_id and c.issue_id = i.id and c.change = 'state' order by c.at desc, c.id desc limit 1) as state_by_id,
      (select c.actor_id from issue_change c where c.workspace_id = i.workspace_id and c.issue_id = i.id and c.change = 'assignee' order by c.at desc, c.id desc limit 1) as assignee_by_id
    from issue i join workflow_state s on s.workspace_id = i.workspace_id and s.id = i.state_id
    where i.workspace_id = ${workspaceId} and i.id = ${issueId}`.execute(db)
  return row
}

export async function countRuns(db: Db): Promise<{ queued: number; running: number }> {
  const {
    rows: [row]
  } = await sql<{ queued: number; running: number }>`
    select count(*) filter (where status = 'QUEUED') as queued, count(*) filter (where status = 'RUNNING') as running
    from agent_run where status in ('QUEUED', 'RUNNING')`.execute(db)
  return row!
}

/** The active run of the row `issue`, for its context. */
export const activeRunJson = jsonRow(sql`
  select run.id, run.status, run.attempt, account.fullname as "requestedBy", ${iso('run.created_at')} as "createdAt"
  from agent_run run join account on account.workspace_id = run.workspace_id and account.id = run.requested_by_id
  where run.workspace_id = issue.workspace_id and run.issue_id = issue.id and run.status in ('QUEUED', 'RUNNING')`)

/** Of the row `issue`: something works on it, or is about to. */
export const hasRun = sql<boolean>`exists (
  select 1 from agent_run run
  where run.workspace_id = issue.workspace_id and run.issue_id = issue.id and run.status in ('QUEUED', 'RUNNING'))`
