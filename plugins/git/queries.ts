import { sql } from 'kysely'
import { mayBeNamed, notDeletedIn, removeRows } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import { cleanLine } from '../../core/api/text.ts'
import type { Db, Trx } from './context.ts'

export interface HookName {
  workspaceId: Id
  id: Id
}

const living = (db: Db) => db.selectFrom('gitHook').where('deletedAt', 'is', null)

export const listHooks = (db: Db, workspaceId: Id) =>
  living(db)
    .select(['id', 'repository', 'createdAt'])
    .where('workspaceId', '=', workspaceId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** By id alone: a delivery does not name its workspace. */
export const findHook = (db: Db, id: Id) =>
  living(db).select(['workspaceId', 'id', 'repository', 'secret', 'accountId']).where('id', '=', id).executeTakeFirst()

export async function insertHook(
  trx: Trx,
  hook: HookName & { repository: string; secret: string; accountId: Id; createdAt: Date }
): Promise<void> {
  await trx.insertInto('gitHook').values(hook).execute()
}

/** @returns true if the hook exists */
export async function updateHook(
  trx: Trx,
  { workspaceId, id }: HookName,
  changes: { secret: string } | { deletedAt: Date }
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('gitHook')
    .set(changes)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** @returns true if it is new: neither its id nor its body was stored before */
export async function addDelivery(
  trx: Trx,
  { workspaceId, id }: HookName,
  delivery: { deliveryId: string; signature: string; at: Date }
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('gitDelivery')
    .values({ workspaceId, hookId: id, ...delivery })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const removeDeliveries = (db: Db, before: Date) =>
  removeRows(db, 'git_delivery', ['workspace_id', 'hook_id', 'delivery_id'], sql`old.at < ${before}`)

/** An account that was not removed, by e-mail address or full name. */
export const findAccountNamed = (db: Db, workspaceId: Id, name: string) =>
  db
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where(eb => eb.or([mayBeNamed(eb.ref('fullname'), [name]), eb(sql`lower(email)`, '=', name.trim().toLowerCase())]))
    .orderBy(eb => eb('fullname', '=', cleanLine(name)), 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .executeTakeFirst()

/** The agent of the workspace's hooks, unless it was removed. The lock serialises its creation. */
export async function lockAgent(trx: Trx, workspaceId: Id): Promise<Id | undefined> {
  // Raw: a function call, not a query.
  await sql`select pg_advisory_xact_lock(hashtext('git.agent'), hashtext(${workspaceId}))`.execute(trx)
  const account = await trx
    .selectFrom('gitHook as h')
    .innerJoin('account as a', join =>
      join.onRef('a.workspaceId', '=', 'h.workspaceId').onRef('a.id', '=', 'h.accountId')
    )
    .select('a.id')
    .where('h.workspaceId', '=', workspaceId)
    .where('a.deletedAt', 'is', null)
    .orderBy('h.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return account?.id
}

/** The team's first state of the category COMPLETED, unless the issue is closed already. */
export const closingState = (trx: Trx, workspaceId: Id, issueId: Id) =>
  trx
    .selectFrom('issue as i')
    .innerJoin('workflowState as now', join =>
      join.onRef('now.workspaceId', '=', 'i.workspaceId').onRef('now.id', '=', 'i.stateId')
    )
    .innerJoin('workflowState as s', join =>
      join.onRef('s.workspaceId', '=', 'i.workspaceId').onRef('s.teamId', '=', 'i.teamId')
    )
    .select('s.id')
    .where('i.workspaceId', '=', workspaceId)
    .where('i.id', '=', issueId)
    .where('now.category', 'not in', ['COMPLETED', 'CANCELED'])
    .where('s.category', '=', 'COMPLETED')
    .where('s.deletedAt', 'is', null)
    .orderBy('s.position')
    .orderBy('s.id')
    .executeTakeFirst()
