import { sql, type Kysely } from 'kysely'
import { vacuum } from '../statistics.ts'

const MAINTENANCE_INTERVAL_MS = 60_000

/** The work of autovacuum and checkpointer, which the embedded database lacks. @returns a function that ends it */
export function maintainRegularly<DB>(db: Kysely<DB>, onError: (error: unknown) => void): () => void {
  let running: Promise<void> | undefined
  let isOver = false
  const timer = setInterval(() => {
    running ??= maintainEmbedded(db)
      .catch((error: unknown) => {
        if (!isOver) onError(error)
      })
      .finally(() => {
        running = undefined
      })
  }, MAINTENANCE_INTERVAL_MS).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

const CHECKPOINT_AFTER_BYTES = 32 * 1024 * 1024

/** Without checkpoints, the log grows, and is replayed as a whole after a kill. Raw: commands, and the catalogue. */
export async function maintainEmbedded<DB>(db: Kysely<DB>): Promise<void> {
  const {
    rows: [state]
  } = await sql<{ isReadOnly: boolean; walBytes: number }>`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly",
      (pg_current_wal_insert_lsn() - redo_lsn)::float8 as "walBytes"
    from pg_control_checkpoint()`.execute(db)
  if (state === undefined || state.isReadOnly) return
  if (state.walBytes > CHECKPOINT_AFTER_BYTES) await sql`checkpoint`.execute(db)
  await vacuum(db)
}
