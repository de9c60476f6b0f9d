import type { Transaction, UpdateQueryBuilder, UpdateResult } from 'kysely'
import type { Confinement, CoreTables, Id, TransactionHandle } from '../api/database/types.ts'
import { newId } from '../db/id.ts'
import { hashToken, newToken } from './tokens.ts'

interface TokenSpec {
  accountId: Id
  name: string
  kind?: 'ACCESS' | 'SESSION'
  expiresAt?: Date | undefined
  token?: string | undefined
  confinedTo?: Confinement | undefined
}

/** Stores the hash of a token (a new one unless given) and returns the token, which cannot be read again. */
export async function insertToken(
  handle: TransactionHandle,
  workspaceId: Id,
  { accountId, name, kind = 'ACCESS', expiresAt, token = newToken(), confinedTo }: TokenSpec
): Promise<{ id: Id; name: string; expiresAt: Date | null; token: string }> {
  const db: Transaction<CoreTables> = handle
  const row = await db
    .insertInto('token')
    .values({
      workspaceId,
      id: newId(),
      accountId,
      name,
      kind,
      hash: hashToken(token),
      expiresAt: expiresAt ?? null,
      confinedTo: confinedTo ? JSON.stringify(confinedTo) : null
    })
    .returning(['id', 'name', 'expiresAt'])
    .executeTakeFirstOrThrow()
  return { ...row, token }
}

/** Gives a stored token a new secret and a new expiry; the former secret is refused from then on. */
export async function renewToken(handle: TransactionHandle, workspaceId: Id, id: Id, expiresAt: Date): Promise<string> {
  const db: Transaction<CoreTables> = handle
  const token = newToken()
  await db
    .updateTable('token')
    .set({ hash: hashToken(token), expiresAt })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  return token
}

/** The query that revokes the tokens of its caller's condition; every replica refuses them from the next request on. */
export function revokingTokens(
  handle: TransactionHandle,
  workspaceId: Id,
  at: Date
): UpdateQueryBuilder<CoreTables, 'token', 'token', UpdateResult> {
  const db: Transaction<CoreTables> = handle
  return db
    .updateTable('token')
    .set({ revokedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('revokedAt', 'is', null)
}

export async function revokeTokens(handle: TransactionHandle, workspaceId: Id, accountId: Id, at: Date): Promise<void> {
  await revokingTokens(handle, workspaceId, at).where('accountId', '=', accountId).execute()
}

export async function revokeToken(handle: TransactionHandle, workspaceId: Id, id: Id, at: Date): Promise<void> {
  await revokingTokens(handle, workspaceId, at).where('id', '=', id).execute()
}

/** Removes an account and its tokens; the row stays for history. */
export async function removeAccount(handle: TransactionHandle, workspaceId: Id, id: Id, at: Date): Promise<void> {
  const trx: Transaction<CoreTables> = handle
  await revokeTokens(trx, workspaceId, id, at)
  await trx
    .updateTable('account')
    .set({ deletedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
