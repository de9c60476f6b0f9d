import { sql, type Kysely, type Transaction } from 'kysely'
import { removeRows } from '../../db/statements/remove-rows.ts'
import type { CoreTables, Id, Reader } from '../../api/database/types.ts'
import { ApiError } from '../../api/errors.ts'
import type { KeptAnswer } from './kept-answer.ts'

/** Retention of a key and its answer, in milliseconds. */
const KEEP_MS = 24 * 3600 * 1000
/** Milliseconds that a request waits for another with its key. */
export const MAX_WAIT_MS = 1_000

export interface SentKey {
  workspaceId: Id
  tokenId: Id
  key: string
  fingerprint: Buffer
}

/** An earlier use of a key: by the same request, whose answer is replayed, or by another one. */
export type EarlierUse = { isSame: true; answer: KeptAnswer } | { isSame: false }

const LOCK_NOT_AVAILABLE = '55P03'

export const keyInUse = (): ApiError =>
  new ApiError(
    409,
    'IDEMPOTENCY_KEY_IN_USE',
    'The first request with this Idempotency-Key still runs: send it again in a second, to get the answer of the ' +
      'first.',
    {},
    { 'retry-after': '1' }
  )

/** @returns undefined when the key was not used successfully in the last 24 hours */
export async function findKey(
  db: Reader<CoreTables>,
  { workspaceId, tokenId, key, fingerprint }: SentKey,
  now: Date
): Promise<EarlierUse | undefined> {
  const row = await db
    .selectFrom('idempotencyKey')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('workspaceId', '=', workspaceId)
    .where('tokenId', '=', tokenId)
    .where('key', '=', key)
    .where('createdAt', '>=', oldestKept(now))
    .executeTakeFirst()
  if (row?.status == null) return undefined
  if (!fingerprint.equals(row.fingerprint)) return { isSame: false }
  return { isSame: true, answer: { status: row.status, headers: row.headers ?? {}, body: row.body ?? '' } }
}

/**
 * Takes the key for the transaction, after waiting for another server's transaction that has it.
 * @returns an earlier use of the key; undefined: the key is taken
 * @throws 409 when the other transaction takes too long
 */
export async function takeKey(trx: Transaction<CoreTables>, sent: SentKey, now: Date): Promise<EarlierUse | undefined> {
  // Raw: a setting, not a query.
  await sql`set local lock_timeout = ${sql.lit(MAX_WAIT_MS)}`.execute(trx)
  const inserted = await trx
    .insertInto('idempotencyKey')
    .values({ ...sent, createdAt: now })
    .onConflict(conflict =>
      conflict
        .columns(['workspaceId', 'tokenId', 'key'])
        .doUpdateSet({ fingerprint: sent.fingerprint, status: null, headers: null, body: null, createdAt: now })
        .where('idempotencyKey.createdAt', '<', oldestKept(now))
    )
    .returning('key')
    .executeTakeFirst()
    .catch((error: { code?: string }) => {
      throw error.code === LOCK_NOT_AVAILABLE ? keyInUse() : error
    })
  if (inserted === undefined) return findKey(trx, sent, now)
  await sql`set local lock_timeout to default`.execute(trx)
}

export async function keepAnswer(
  trx: Transaction<CoreTables>,
  { workspaceId, tokenId, key }: SentKey,
  { status, headers, body }: KeptAnswer
): Promise<void> {
  await trx
    .updateTable('idempotencyKey')
    .set({ status, headers: JSON.stringify(headers), body })
    .where('workspaceId', '=', workspaceId)
    .where('tokenId', '=', tokenId)
    .where('key', '=', key)
    .execute()
}

export const removeOldKeys = (db: Kysely<CoreTables>, now: Date): Promise<void> =>
  removeRows(db, 'idempotency_key', ['workspace_id', 'token_id', 'key'], sql`old.created_at < ${oldestKept(now)}`)

const oldestKept = (now: Date) => new Date(now.getTime() - KEEP_MS)
