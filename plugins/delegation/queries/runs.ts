import { sql, type Selectable } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import { ACTIVE_STATUSES, type DelegationTables, type END_STATUSES, type RunReason } from '../contract.ts'
import { LOCKED_COLUMNS } from './locked-columns.ts'

type Run = Selectable<DelegationTables['agentRun']>

export interface RunName {
  workspaceId: Id
  id: Id
}

export interface End {
  status: (typeof END_STATUSES)[number]
  reason?: RunReason
  message?: string
  summary?: string | null
}

/** SQL: true if the status is that of an active run. With literals, as in the condition of the index. */
export const isActive = (column: string) =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(ACTIVE_STATUSES.map(status => sql.lit(status)))})`

/** Removes the texts of the runs on issues. */
export async function purgeRuns(trx: Trx, workspaceId: Id, issueIds: readonly Id[]): Promise<void> {
  const runs = await trx
    .updateTable('agentRun')
    .set({ instructions: null, errorMessage: null, summary: null, resultBranch: null, resultUrl: null })
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', sql<Id>`any(${issueIds}::uuid[])`)
    .returning('id')
    .execute()
  await trx
    .deleteFrom('agentRunEvent')
    .where('workspaceId', '=', workspaceId)
    .where('runId', '=', sql<Id>`any(${runs.map(({ id }) => id)}::uuid[])`)
    .execute()
}

/** @returns false if the issue has an active run already */
export async function insertRun(
  trx: Trx,
  run: RunName &
    Pick<Run, 'issueId' | 'agentId' | 'requestedById' | 'instructions' | 'depth' | 'createdAt'> &
    Partial<Pick<Run, 'retryOfId' | 'runner'>>
): Promise<boolean> {
  const inserted = await trx
    .insertInto('agentRun')
    .values({ ...run, status: 'QUEUED', attempt: 0 })
    .onConflict(conflict => conflict.columns(['workspaceId', 'issueId']).where(isActive('status')).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const insertEndedRun = (
  trx: Trx,
  run: Pick<
    Run,
    | keyof RunName
    | 'issueId'
    | 'agentId'
    | 'requestedById'
    | 'status'
    | 'createdAt'
    | 'finishedAt'
    | 'errorReason'
    | 'errorMessage'
    | 'summary'
  >
) =>
  trx
    .insertInto('agentRun')
    .values({
      ...run,
      instructions: null,
      attempt: 1,
      depth: 0,
      startedAt: run.createdAt,
      pickedUpAt: run.createdAt,
      leaseId: null,
      leaseUntil: null,
      tokenId: null
    })
    .execute()

export async function depthOf(db: Db, workspaceId: Id, id: Id): Promise<number> {
  const { depth } = await db
    .selectFrom('agentRun')
    .select('depth')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return depth
}

export const lockServiceAgent = (trx: Trx, workspaceId: Id) =>
  // Raw: a function call, not a query.
  sql`select pg_advisory_xact_lock(hashtextextended('delegation.agent:' || ${workspaceId}::text, 0))`.execute(trx)

export const insertServiceAgent = (trx: Trx, workspaceId: Id, id: Id) =>
  trx.insertInto('serviceAgent').values({ workspaceId, id }).execute()

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

export async function countAutomaticRuns(
  trx: Trx,
  workspaceId: Id,
  agentId: Id,
  since: Date
): Promise<{ active: number; recent: number }> {
  const row = await trx
    .selectFrom('agentRun')
    .select(({ fn }) => [
      fn.countAll().filterWhere('status', 'in', ['QUEUED', 'RUNNING']).as('active'),
      fn.countAll().filterWhere('createdAt', '>', since).as('recent')
    ])
    .where('workspaceId', '=', workspaceId)
    .where('requestedById', '=', agentId)
    .executeTakeFirstOrThrow()
  return { active: Number(row.active), recent: Number(row.recent) }
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
    .select(LOCKED_COLUMNS)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}
export type LockedRun = NonNullable<Awaited<ReturnType<typeof lockRun>>>

export async function markPickedUp(trx: Trx, { workspaceId, id }: RunName, leaseId: Id, at: Date): Promise<void> {
  await trx
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
  const renewed = await db
    .with('renewed', cte =>
      cte
        .updateTable('agentRun')
        .set({ leaseUntil: leaseEnd(seconds) })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .where('status', '=', 'RUNNING')
        .where('leaseId', '=', leaseId)
        .where('leaseUntil', '>', sql<Date>`now()`)
        .returning(['tokenId', 'leaseUntil'])
    )
    .updateTable('token')
    .from('renewed')
    .set(({ ref }) => ({ expiresAt: ref('renewed.leaseUntil') }))
    .where('token.workspaceId', '=', workspaceId)
    .whereRef('token.id', '=', 'renewed.tokenId')
    .returning('token.id')
    .execute()
  return renewed.length === 1
}

export async function setEnded(trx: Trx, { workspaceId, id }: RunName, end: End & { at: Date }): Promise<void> {
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

export async function setQueued(
  trx: Trx,
  { workspaceId, id }: RunName,
  resumed?: { resumedAt: Date; attemptsBefore: number }
): Promise<void> {
  await trx
    .updateTable('agentRun')
    .set({ status: 'QUEUED', leaseId: null, leaseUntil: null, pickedUpAt: null, ...resumed })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function setWaiting(trx: Trx, { workspaceId, id }: RunName, summary: string | null): Promise<void> {
  await trx
    .updateTable('agentRun')
    .set({ status: 'WAITING', leaseId: null, leaseUntil: null, pickedUpAt: null, summary })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export const listLost = (db: Db) =>
  db
    .selectFrom('agentRun')
    .select(['workspaceId', 'id', 'issueId'])
    .where('status', '=', 'RUNNING')
    .where('leaseUntil', '<=', sql<Date>`now()`)
    .orderBy('leaseUntil')
    .limit(50)
    .execute()

/** Skips a run that another replica is handling. */
export const lockLost = (trx: Trx, { workspaceId, id }: RunName) =>
  trx
    .selectFrom('agentRun')
    .select(LOCKED_COLUMNS)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .where('leaseUntil', '<=', sql<Date>`now()`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

export const listWaiting = (db: Db) =>
  db
    .selectFrom('agentRun')
    .select(['workspaceId', 'id', 'runner'])
    .where('status', '=', 'QUEUED')
    .where('createdAt', '<', sql<Date>`now() - interval '30 seconds'`)
    .orderBy('createdAt')
    .limit(100)
    .execute()

export const listWaitingForAnswers = (db: Db, workspaceId?: Id) =>
  db
    .selectFrom('agentRun')
    .select(['workspaceId', 'id', 'issueId'])
    .where('status', '=', 'WAITING')
    .$if(workspaceId !== undefined, query => query.where('workspaceId', '=', workspaceId!))
    .orderBy('id')
    .limit(1000)
    .execute()

export async function tokensOfRun(db: Db, { workspaceId, id, agentId }: RunName & { agentId: Id }): Promise<Id[]> {
  const rows = await db
    .selectFrom('token')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', agentId)
    .where(sql<boolean>`confined_to ->> 'runId' = ${id}`)
    .execute()
  return rows.map(token => token.id)
}

export const listActive = (db: Db) =>
  db.selectFrom('agentRun').select(['workspaceId', 'issueId']).where(isActive('status')).execute()

export const lockActiveOf = (trx: Trx, workspaceId: Id, issueId: Id): Promise<LockedRun | undefined> =>
  trx
    .selectFrom('agentRun')
    .select(LOCKED_COLUMNS)
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where(isActive('status'))
    .forUpdate()
    .executeTakeFirst()

export const countRuns = (db: Db): Promise<{ queued: number; running: number }> =>
  db
    .selectFrom('agentRun')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('status', '=', 'QUEUED').as('queued'),
      fn.countAll<number>().filterWhere('status', '=', 'RUNNING').as('running')
    ])
    .where(isActive('status'))
    .executeTakeFirstOrThrow()
