import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import { removeRows } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import { oauth, type OauthTables } from '../contract.ts'

const MAX_GRANTS = 500

export interface GrantRef {
  workspaceId: Id
  grantId: Id
}

export const insertGrant = (trx: Trx, grant: Insertable<OauthTables['oauthGrant']>) =>
  trx.insertInto('oauthGrant').values(grant).execute()

const grantThatLasts = (trx: Trx, { workspaceId, grantId }: GrantRef) =>
  trx
    .selectFrom('oauthGrant')
    .select(['workspaceId', 'id', 'accountId', 'personId', 'clientId', 'clientName', 'redirectHost', 'scopes'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', grantId)
    .where('revokedAt', 'is', null)

/** Undefined when it was revoked. */
export const lockGrant = (trx: Trx, grant: GrantRef) => grantThatLasts(trx, grant).forUpdate().executeTakeFirst()
export type Grant = NonNullable<Awaited<ReturnType<typeof lockGrant>>>

/** Undefined when it was revoked, has expired, or one of its accounts was removed. */
export const lockLiveGrant = (trx: Trx, grant: GrantRef, at: Date) =>
  grantThatLasts(trx, grant)
    .where('expiresAt', '>', at)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account')
            .select('account.id')
            .where('account.workspaceId', '=', grant.workspaceId)
            .where('account.deletedAt', 'is not', null)
            .where(({ eb, or, ref }) =>
              or([
                eb('account.id', '=', ref('oauthGrant.accountId')),
                eb('account.id', '=', ref('oauthGrant.personId'))
              ])
            )
        )
      )
    )
    .forUpdate()
    .executeTakeFirst()

export const connectGrant = (trx: Trx, { workspaceId, id }: Grant, at: Date, expiresAt: Date) =>
  trx
    .updateTable('oauthGrant')
    .set(({ fn, val }) => ({ connectedAt: fn.coalesce('connectedAt', val(at)), expiresAt }))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()

export async function endGrant(trx: Trx, { workspaceId, id, accountId }: Grant, at: Date): Promise<void> {
  await trx
    .updateTable('oauthGrant')
    .set({ revokedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  await trx
    .updateTable('token')
    .set({ revokedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .where(sql<string>`confined_to ->> 'subjectId'`, '=', id)
    .execute()
}

/** An access token of the grant that has expired, whose row the next one takes. */
export const findExpiredToken = (trx: Trx, { workspaceId, accountId, id }: Grant, at: Date) =>
  trx
    .selectFrom('token')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '<=', at)
    .where(sql<string>`confined_to ->> 'subjectId'`, '=', id)
    .limit(1)
    .executeTakeFirst()

/** The grant of an access token, valid or not. */
export async function findGrantOfToken(db: Db, hash: Buffer): Promise<GrantRef | undefined> {
  const token = await db
    .selectFrom('token')
    .select(['workspaceId', 'confinedTo'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (token?.confinedTo?.plugin !== oauth.name) return undefined
  return { workspaceId: token.workspaceId, grantId: token.confinedTo.subjectId }
}

export const listGrants = (db: Db, workspaceId: Id, at: Date, filter: { personId?: Id }) =>
  db
    .selectFrom('oauthGrant as grant')
    .innerJoin('account as agent', join =>
      join.onRef('agent.workspaceId', '=', 'grant.workspaceId').onRef('agent.id', '=', 'grant.accountId')
    )
    .innerJoin('account as person', join =>
      join.onRef('person.workspaceId', '=', 'grant.workspaceId').onRef('person.id', '=', 'grant.personId')
    )
    .select(({ selectFrom }) => [
      'grant.id',
      'grant.clientName',
      'grant.clientId',
      'grant.redirectHost',
      'grant.scopes',
      'grant.createdAt',
      'agent.id as agentId',
      'agent.fullname as agentName',
      'person.id as personId',
      'person.fullname as personName',
      selectFrom('token')
        .select(({ fn }) => fn.max('token.lastUsedAt').as('at'))
        .where('token.workspaceId', '=', workspaceId)
        .whereRef('token.accountId', '=', 'grant.accountId')
        .where(sql`token.confined_to ->> 'subjectId'`, '=', sql`"grant".id::text`)
        .as('lastUsedAt')
    ])
    .where('grant.workspaceId', '=', workspaceId)
    .where('agent.workspaceId', '=', workspaceId)
    .where('person.workspaceId', '=', workspaceId)
    .where('grant.revokedAt', 'is', null)
    .where('grant.connectedAt', 'is not', null)
    .where('grant.expiresAt', '>', at)
    .where('agent.deletedAt', 'is', null)
    .where('person.deletedAt', 'is', null)
    .$if(filter.personId !== undefined, query => query.where('grant.personId', '=', filter.personId!))
    .orderBy('grant.createdAt', 'desc')
    .orderBy('grant.id', 'desc')
    .limit(MAX_GRANTS)
    .execute()

/** Without revoked ones. */
export const listGrantsOf = (db: Db | Trx, workspaceId: Id, of: { anyOf: Id } | { agentId: Id; personIds: Id[] }) =>
  db
    .selectFrom('oauthGrant')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('revokedAt', 'is', null)
    .where(({ eb, and, or }) =>
      'anyOf' in of
        ? or([eb('accountId', '=', of.anyOf), eb('personId', '=', of.anyOf)])
        : and([eb('accountId', '=', of.agentId), eb('personId', 'in', of.personIds)])
    )
    .orderBy('id')
    .execute()

/** Codes and refresh tokens before their grants. */
export async function removeOld(db: Db, before: Date): Promise<void> {
  const isOld = sql<boolean>`old.expires_at < ${before}`
  await removeRows(db, 'oauth_code', ['workspace_id', 'hash'], isOld)
  await removeRows(db, 'oauth_refresh_token', ['workspace_id', 'hash'], isOld)
  await removeRows(db, 'oauth_grant', ['workspace_id', 'id'], isOld)
}
export const removeOldClients = (db: Db, at: Date) =>
  removeRows(db, 'oauth_client', ['id'], sql`old.expires_at < ${at}`)
