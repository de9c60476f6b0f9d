import { sql, type Insertable } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { OauthTables } from '../contract.ts'

/** Registrations wait for each other, so that none passes the limits. */
export const lockRegistrations = (trx: Trx) =>
  sql`select pg_advisory_xact_lock(hashtext('oauth.registrations'))`.execute(trx)

/** @returns `unused`: those that expire before `expireBefore` */
export async function countClients(
  trx: Trx,
  { network, since, expireBefore }: { network: Buffer; since: Date; expireBefore: Date }
): Promise<{ ofNetwork: number; unused: number }> {
  const count = trx.selectFrom('oauthClient').select(({ fn }) => fn.countAll<string>().as('count'))
  const ofNetwork = count.where('network', '=', network).where('createdAt', '>', since)
  const unused = count.where('expiresAt', '<=', expireBefore)
  return {
    ofNetwork: Number((await ofNetwork.executeTakeFirstOrThrow()).count),
    unused: Number((await unused.executeTakeFirstOrThrow()).count)
  }
}

export const insertClient = (trx: Trx, client: Insertable<OauthTables['oauthClient']>) =>
  trx.insertInto('oauthClient').values(client).execute()

export const findClient = (db: Db, id: Id, at: Date) =>
  db
    .selectFrom('oauthClient')
    .select(['id', 'name', 'redirectUris'])
    .where('id', '=', id)
    .where('expiresAt', '>', at)
    .executeTakeFirst()

export const keepClient = (trx: Trx, id: Id, expiresAt: Date) =>
  trx.updateTable('oauthClient').set({ expiresAt }).where('id', '=', id).execute()
