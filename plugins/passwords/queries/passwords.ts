import { sql } from 'kysely'
import type { SignedIn } from '../../../core/api/contract.ts'
import type { Db, Trx } from '../context.ts'

/** Maximum accounts of one e-mail address. */
const MAX_CANDIDATES = 10

/** In all workspaces, oldest first. */
export const findCandidates = (db: Db, email: string, workspaceId: string | undefined) =>
  db
    .selectFrom('account')
    .innerJoin('password', join =>
      join.onRef('password.workspaceId', '=', 'account.workspaceId').onRef('password.accountId', '=', 'account.id')
    )
    .select(['account.workspaceId', 'account.id as accountId', 'password.hash'])
    .where(eb => eb.fn<string>('lower', ['account.email']), '=', email.toLowerCase())
    .where('account.kind', '=', 'PERSON')
    .where('account.deletedAt', 'is', null)
    .$if(workspaceId !== undefined, query => query.where('account.workspaceId', '=', workspaceId!))
    .orderBy('account.createdAt')
    .limit(MAX_CANDIDATES)
    .execute()

/** With or without a password. */
export const findPeople = (db: Db, email: string) =>
  db
    .selectFrom('account')
    .innerJoin('workspace', 'workspace.id', 'account.workspaceId')
    .select(['account.workspaceId', 'account.id as accountId', 'account.fullname', 'workspace.name as workspaceName'])
    .where(eb => eb.fn<string>('lower', ['account.email']), '=', email.toLowerCase())
    .where('account.kind', '=', 'PERSON')
    .where('account.deletedAt', 'is', null)
    .execute()

export async function findEmail(db: Db, { workspaceId, accountId }: SignedIn): Promise<string | null> {
  const { email } = await db
    .selectFrom('account')
    .select('email')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return email
}

export const findHash = (db: Db, { workspaceId, accountId }: SignedIn) =>
  db
    .selectFrom('password')
    .select('hash')
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .executeTakeFirst()

/** @returns false when the account already had one */
export async function insertFirstHash(trx: Trx, account: SignedIn, hash: string, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('password')
    .values({ workspaceId: account.workspaceId, accountId: account.accountId, hash, changedAt: at })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const saveHash = (trx: Trx, account: SignedIn, hash: string, at: Date) =>
  trx
    .insertInto('password')
    .values({ workspaceId: account.workspaceId, accountId: account.accountId, hash, changedAt: at })
    .onConflict(conflict =>
      conflict.columns(['workspaceId', 'accountId']).doUpdateSet({ hash: sql`excluded.hash`, changedAt: at })
    )
    .execute()
