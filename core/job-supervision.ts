import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { CoreTables } from './db/tables.ts'

/** Milliseconds between looks for jobs whose worker counts as dead. */
const LOOK_MS = 20_000
/** Milliseconds after which pg-boss maintains its tables, when nothing was lost: it removes what failed long ago. */
const MAINTAIN_MS = 3_600_000

/**
 * Has the jobs of dead workers tried again. pg-boss does that by half a dozen statements, some of which write to the
 * rows of all queues: so it is asked to only when there are such jobs, and its own timer is off.
 * @param onError what a look, or the supervision, has failed with
 * @returns what stops it
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
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        if (performance.now() - supervisedAt < MAINTAIN_MS && !(await isAnyLost(db))) continue
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

/** Whether a job is active whose worker has not said for long that it lives, or takes too long. */
async function isAnyLost(db: Kysely<CoreTables>): Promise<boolean> {
  // Raw, because the table is the library's.
  const { rows } = await sql<{ isAnyLost: boolean }>`
    select exists (
      select from pgboss.job
      where state = 'active' and (heartbeat_on + heartbeat_seconds * interval '1 second' < now()
        or started_on + expire_seconds * interval '1 second' < now())) as "isAnyLost"`.execute(db)
  return rows[0]!.isAnyLost
}
