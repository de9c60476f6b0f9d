import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { onPostgres, runsOnCitus, type TestServer } from './runner/harness.ts'

/** The reason why no token can be revoked while it is being looked up; false: it can. */
export const cannotRevokeWhileRead = onPostgres
  ? (await runsOnCitus()) && 'on Citus, a lock of the coordinator is not one of the worker, which reads'
  : 'needs a PostgreSQL server'

/**
 * Sends a request whose token is revoked while it is being looked up, once the request has read ahead.
 * @param reads collects the reads of requests; it is emptied first
 * @returns the answer
 */
export async function revokedWhileRead(
  t: Test,
  { databaseUrl }: TestServer,
  tokenId: string,
  reads: string[],
  send: () => Promise<LightMyRequestResponse>
): Promise<LightMyRequestResponse> {
  const other = new pg.Client(databaseUrl)
  await other.connect()
  t.teardown(() => other.end())
  await other.query('begin')
  await other.query('lock table token in access exclusive mode')
  reads.length = 0
  const answer = send()
  for (let waits = 0; reads.length === 0 && waits < 500; waits++) await sleep(10)
  t.equal(reads.length, 1, 'it was read before the token was known to be valid')
  await other.query('update token set revoked_at = now() where id = $1', [tokenId])
  await other.query('commit')
  return answer
}
