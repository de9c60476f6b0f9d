import type { SignedIn } from '../../core/api/contract.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { newId, notDeletedIn, removeRows } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { Db, Trx } from './context.ts'

/** Maximum accounts of one identity. */
const MAX_CANDIDATES = 10
const MAX_IDENTITIES = 100

export interface Identity {
  issuer: string
  subject: string
}

export const hasIdentity = async (db: Db, account: SignedIn): Promise<boolean> =>
  (await listIdentities(db, account)).length > 0

/** At most one in each workspace, oldest first. */
export const findPeople = (db: Db, { issuer, subject }: Identity) =>
  db
    .selectFrom('oidcIdentity')
    .innerJoin('account', join =>
      join
        .onRef('account.workspaceId', '=', 'oidcIdentity.workspaceId')
        .onRef('account.id', '=', 'oidcIdentity.accountId')
    )
    .select(['account.workspaceId', 'account.id as accountId'])
    .where('oidcIdentity.issuer', '=', issuer)
    .where('oidcIdentity.subject', '=', subject)
    .where('account.deletedAt', 'is', null)
    .orderBy('account.createdAt')
    .limit(MAX_CANDIDATES)
    .execute()

export const listIdentities = (db: Db, { workspaceId, accountId }: SignedIn) =>
  db
    .selectFrom('oidcIdentity')
    .select(['id', 'accountId', 'issuer', 'subject', 'linkedAt'])
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .orderBy('linkedAt')
    .orderBy('id')
    .limit(MAX_IDENTITIES)
    .execute()

/** So that it can be linked to another account. */
export const deleteOfRemoved = (trx: Trx, workspaceId: Id, { issuer, subject }: Identity) =>
  trx
    .deleteFrom('oidcIdentity')
    .where('workspaceId', '=', workspaceId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('accountId', 'in', query =>
      query.selectFrom('account').select('id').where('workspaceId', '=', workspaceId).where('deletedAt', 'is not', null)
    )
    .execute()

/** @returns undefined when it is linked already */
export const insertIdentity = (trx: Trx, { workspaceId, accountId }: SignedIn, identity: Identity, at: Date) =>
  trx
    .insertInto('oidcIdentity')
    .values({ workspaceId, id: newId(), accountId, issuer: identity.issuer, subject: identity.subject, linkedAt: at })
    .onConflict(conflict => conflict.columns(['workspaceId', 'issuer', 'subject']).doNothing())
    .returning(['id', 'accountId', 'issuer', 'subject', 'linkedAt'])
    .executeTakeFirst()

/** @param accountId the account that must own it; undefined: any */
export const deleteIdentity = (trx: Trx, workspaceId: Id, id: Id, accountId: Id | undefined) =>
  trx
    .deleteFrom('oidcIdentity')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .$if(accountId !== undefined, query => query.where('accountId', '=', accountId!))
    .returning(['id', 'accountId', 'issuer'])
    .executeTakeFirst()

export const findPerson = (db: Db, workspaceId: Id, id: Id) =>
  db
    .selectFrom('account')
    .select(['id', 'fullname'])
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .where('kind', '=', 'PERSON')
    .executeTakeFirst()

export async function hasAddress(db: Db, workspaceId: Id, email: string): Promise<boolean> {
  const account = await db
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where(eb => eb.fn<string>('lower', ['account.email']), '=', email.toLowerCase())
    .executeTakeFirst()
  return account !== undefined
}

export const firstWorkspace = (db: Db) =>
  db.selectFrom('workspace').select('id').orderBy('createdAt').orderBy('id').limit(1).executeTakeFirstOrThrow()

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

export const insertAttempt = (trx: Trx, state: string, expiresAt: Date) =>
  trx
    .insertInto('oidcAttempt')
    .values({ state: hashOf(state), expiresAt })
    .execute()

/** @returns false when the attempt does not exist, or has expired */
export async function useAttempt(trx: Trx, state: string, at: Date): Promise<boolean> {
  const used = await trx
    .deleteFrom('oidcAttempt')
    .where('state', '=', hashOf(state))
    .returning('expiresAt')
    .executeTakeFirst()
  return used !== undefined && used.expiresAt > at
}

export const insertChoice = (trx: Trx, secret: string, { issuer, subject }: Identity, expiresAt: Date) =>
  trx
    .insertInto('oidcChoice')
    .values({ secret: hashOf(secret), issuer, subject, expiresAt })
    .execute()

export const findChoice = (db: Db, secret: string, at: Date): Promise<Identity | undefined> =>
  db
    .selectFrom('oidcChoice')
    .select(['issuer', 'subject'])
    .where('secret', '=', hashOf(secret))
    .where('expiresAt', '>', at)
    .executeTakeFirst()

/** @returns undefined when it was made before, or has expired */
export const useChoice = (trx: Trx, secret: string, at: Date): Promise<Identity | undefined> =>
  trx
    .deleteFrom('oidcChoice')
    .where('secret', '=', hashOf(secret))
    .where('expiresAt', '>', at)
    .returning(['issuer', 'subject'])
    .executeTakeFirst()

export async function removeOld(db: Db, at: Date): Promise<void> {
  await removeRows(db, 'oidc_attempt', ['state'], sql`old.expires_at < ${at}`)
  await removeRows(db, 'oidc_choice', ['secret'], sql`old.expires_at < ${at}`)
}
