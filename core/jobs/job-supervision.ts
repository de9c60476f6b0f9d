import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { CoreTables } from '../api/database/types.ts'

const CHECK_INTERVAL_MS = 20_000
/** Maximum milliseconds between maintenance runs of pg-boss, which also remove old failed jobs. */
const MAINTENANCE_INTERVAL_MS = 3_600_000

/**
 * Retries the jobs of dead workers. pg-boss does that with half a dozen statements, some of which write to the rows of
 * all queues: it is called only when there are such jobs.
 * @returns a function that stops the supervision
 */
export function superviseJobs(
  boss: PgBoss,
  db: Kysely<CoreTables>,
  onError: (error: unknown) => void
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping

  async function supervise(): Promise<void> {
    let supervisedAt = -Infinity
    for (;;) {
      await sleep(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        if (performance.now() - supervisedAt < MAINTENANCE_INTERVAL_MS && !(await hasLostJobs(db))) continue
        await boss.supervise()
        supervisedAt = performance.now()
      } catch (error) {
        onError(error)
      }
    }
  }
  const running = supervise()
  return () => {
    stopping.abort()
    return running
  }
}

/** True if an active job's worker has missed its heartbeat, or has taken too long. */
async function hasLostJobs(db: Kysely<CoreTables>): Promise<boolean> {
  const { rows } = await sql<{ hasLostJobs: boolean }>`
    select exists (
      select from pgboss.job
      where state = 'active' and (heartbeat_on + heartbeat_seconds * interval '1 second' < now()
        or started_on + expire_seconds * interval '1 second' < now())) as "hasLostJobs"`.execute(db)
  return rows[0]!.hasLostJobs
}
