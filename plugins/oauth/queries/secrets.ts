import type { Insertable } from 'kysely'
import type { Db, Trx } from '../context.ts'
import type { OauthTables } from '../contract.ts'

/* Authorization codes and refresh tokens, by their hashes. */

export const insertCode = (trx: Trx, code: Insertable<OauthTables['oauthCode']>) =>
  trx.insertInto('oauthCode').values(code).execute()

/** Searches all workspaces: the client does not name one. */
export const findCode = (db: Db, hash: Buffer) =>
  db
    .selectFrom('oauthCode')
    .select(['workspaceId', 'hash', 'grantId', 'redirectUri', 'codeChallenge', 'expiresAt'])
    .where('hash', '=', hash)
    .executeTakeFirst()
export type Code = NonNullable<Awaited<ReturnType<typeof findCode>>>

/** @returns false when it was used before */
export async function useCode(trx: Trx, { workspaceId, hash }: Code, at: Date): Promise<boolean> {
  const used = await trx
    .updateTable('oauthCode')
    .set({ usedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .returning('grantId')
    .executeTakeFirst()
  return used !== undefined
}

export const insertRefreshToken = (trx: Trx, token: Omit<Insertable<OauthTables['oauthRefreshToken']>, 'uses'>) =>
  trx
    .insertInto('oauthRefreshToken')
    .values({ ...token, uses: 0 })
    .execute()

/** Searches all workspaces: the client does not name one. */
export const findRefreshToken = (db: Db, hash: Buffer) =>
  db
    .selectFrom('oauthRefreshToken')
    .select(['workspaceId', 'hash', 'grantId', 'expiresAt'])
    .where('hash', '=', hash)
    .executeTakeFirst()
type RefreshToken = NonNullable<Awaited<ReturnType<typeof findRefreshToken>>>

/** @returns its first use, and the number of its uses, this one included */
export const useRefreshToken = (trx: Trx, { workspaceId, hash }: RefreshToken, at: Date) =>
  trx
    .updateTable('oauthRefreshToken')
    .set(({ fn, val, eb }) => ({ usedAt: fn.coalesce('usedAt', val(at)), uses: eb('uses', '+', 1) }))
    .where('workspaceId', '=', workspaceId)
    .where('hash', '=', hash)
    .returning(['usedAt', 'uses'])
    .executeTakeFirstOrThrow()
