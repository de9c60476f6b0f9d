import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'

/* Queries over all workspaces: for the first start and for commands. */

/** Later callers find the workspace or the token. */
export const lockWorkspaceNames = (trx: Trx) =>
  // Raw: a function call, not a query.
  sql`select pg_advisory_xact_lock(hashtext('tracker.bootstrap'))`.execute(trx)

/** @param name undefined: any */
export async function hasWorkspace(trx: Trx, name?: string): Promise<boolean> {
  const workspace = await trx
    .selectFrom('workspace')
    .select('id')
    .$if(name !== undefined, query => query.where('name', '=', name!))
    .executeTakeFirst()
  return workspace !== undefined
}

export const addWorkspaceRow = (trx: Trx, id: Id, name: string) =>
  trx.insertInto('workspace').values({ id, name }).execute()

/** Revoked ones included. */
export const hasToken = async (trx: Trx): Promise<boolean> =>
  (await trx.selectFrom('token').select('id').executeTakeFirst()) !== undefined

export const findFirstAdministrator = (trx: Trx) =>
  trx
    .selectFrom('account')
    .select(['workspaceId', 'id'])
    .where('kind', '=', 'PERSON')
    .where('role', '=', 'ADMIN')
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .executeTakeFirst()

/** In all workspaces. */
export const findPeopleAnywhere = (db: Db, email: string) =>
  db
    .selectFrom('account')
    .innerJoin('workspace', 'workspace.id', 'account.workspaceId')
    .select(['account.workspaceId', 'account.id', 'account.fullname', 'workspace.name as workspaceName'])
    .where(eb => eb.fn<string>('lower', ['account.email']), '=', email.toLowerCase())
    .where('account.deletedAt', 'is', null)
    .execute()

/** Oldest first. */
export const countAccounts = (db: Db) =>
  db
    .selectFrom('workspace')
    .leftJoin('account', join =>
      join.onRef('account.workspaceId', '=', 'workspace.id').on('account.deletedAt', 'is', null)
    )
    .select(({ fn }) => [
      'workspace.id',
      'workspace.name',
      fn.count<number>('account.id').filterWhere('account.kind', '=', 'PERSON').as('people'),
      fn.count<number>('account.id').filterWhere('account.kind', '=', 'AGENT').as('agents')
    ])
    .groupBy(['workspace.id', 'workspace.name', 'workspace.createdAt'])
    .orderBy('workspace.createdAt')
    .orderBy('workspace.id')
    .execute()
