import { asShortRead, newId, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'

const accountColumns = ['id', 'fullname', 'email', 'kind', 'role', 'scopes', 'createdAt'] as const

/** People first. */
export const listAccounts = (db: Db, workspaceId: Id) =>
  db
    .selectFrom('account')
    .select(accountColumns)
    .where(notDeletedIn(workspaceId))
    .orderBy('kind', 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const findMe = (db: Db, workspaceId: Id, id: Id) =>
  asShortRead(db)
    .selectFrom('account')
    .innerJoin('workspace', 'workspace.id', 'account.workspaceId')
    .select([
      'account.id',
      'account.fullname',
      'account.email',
      'account.kind',
      'account.role',
      'account.scopes',
      'account.createdAt',
      'workspace.name as workspaceName'
    ])
    .where('account.workspaceId', '=', workspaceId)
    .where('account.id', '=', id)
    .executeTakeFirstOrThrow()

export interface NewPerson {
  email: string
  fullname: string
  role: 'ADMIN' | 'MEMBER'
  createdById: Id | null
}

export const insertPerson = (trx: Trx, workspaceId: Id, person: NewPerson) =>
  trx
    .insertInto('account')
    .values({ workspaceId, id: newId(), kind: 'PERSON', scopes: null, ...person })
    .returning(accountColumns)
    .executeTakeFirstOrThrow()

export const lockPerson = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('account')
    .select(accountColumns)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .where('kind', '=', 'PERSON')
    .forNoKeyUpdate()
    .executeTakeFirst()

export const updatePerson = (
  trx: Trx,
  workspaceId: Id,
  id: Id,
  changes: { email?: string; fullname?: string; role?: 'ADMIN' | 'MEMBER' }
) =>
  trx
    .updateTable('account')
    .set({ ...changes, id })
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .where('kind', '=', 'PERSON')
    .returning(accountColumns)
    .executeTakeFirst()

/** Serialises changes of roles. */
export const lockAdministrators = (trx: Trx, workspaceId: Id) =>
  trx
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('role', '=', 'ADMIN')
    .orderBy('id')
    .forUpdate()
    .execute()

export const listTokens = (db: Db, workspaceId: Id, accountId: Id) =>
  db
    .selectFrom('token')
    .select(['id', 'name', 'createdAt', 'lastUsedAt', 'expiresAt'])
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .where('kind', '=', 'ACCESS')
    .where('revokedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const revokeToken = (trx: Trx, workspaceId: Id, accountId: Id, id: Id, at: Date) =>
  trx
    .updateTable('token')
    .set({ revokedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('kind', '=', 'ACCESS')
    .where('revokedAt', 'is', null)
    .returning(['id', 'name'])
    .executeTakeFirst()

/** Revoked ones included: they could sign in. */
export async function hadToken(db: Db, workspaceId: Id, accountId: Id): Promise<boolean> {
  const token = await db
    .selectFrom('token')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .limit(1)
    .executeTakeFirst()
  return token !== undefined
}
