import { sql, type Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import type { CoreTables } from '../api/database/types.ts'

/** The last assigned position, and the transactions that were appending after it was read. */
interface Mark {
  readonly position: number
  writers: Set<string>
}

/** The decided part of the log: no transaction can still append at or below the horizon. */
export interface Horizon {
  readonly decided: number
  readonly assigned: number
  /** Decides everything committed before the call, unless another transaction is still appending. */
  refresh(): Promise<void>
}

/**
 * Positions are assigned before their transactions commit, so a lower one may appear later: a reader by position alone
 * would miss it. The order of transactions is no solution: one that began earlier may change the same subject later.
 * A mark is the last assigned position and, read after it, the appending transactions: each holds a lock on the table
 * from before it takes a position until its end. Once these have ended, everything up to the mark is decided, and is
 * read by position alone. Transactions that append nothing, and those of other databases, do not delay it.
 */
export function makeHorizon(kind: Database['kind'], db: Kysely<CoreTables>): Horizon {
  let decided = 0
  let lastAssigned = 0
  let marks: Mark[] = []
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function refreshOnce(): Promise<void> {
    let latest: { assigned: number; writers: string[] }
    try {
      latest = await readEnd(kind, db)
    } catch (error) {
      // After a crash, the database may reassign positions that were never committed.
      decided = lastAssigned = 0
      marks = []
      throw error
    }
    const writers = new Set(latest.writers)
    if (kind === 'embedded') {
      // The embedded database has one connection, which no transaction holds now.
      decided = latest.assigned
    } else {
      if (latest.assigned > (marks.at(-1)?.position ?? decided)) marks.push({ position: latest.assigned, writers })
      for (const mark of marks) mark.writers = mark.writers.intersection(writers)
      for (; marks[0]?.writers.size === 0; marks.shift()) decided = marks[0].position
    }
    lastAssigned = latest.assigned
  }

  // One refresh at a time: of two, the earlier might be answered last.
  function refresh(): Promise<void> {
    if (running === undefined) {
      running = refreshOnce().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return refresh()
      })
    return next
  }

  return {
    get decided() {
      return decided
    },
    get assigned() {
      return lastAssigned
    },
    refresh
  }
}

async function readEnd(
  kind: Database['kind'],
  db: Kysely<CoreTables>
): Promise<{ assigned: number; writers: string[] }> {
  // Materialized, so that the position is read before the locks: a plain column could read the sequence afterwards.
  const writers = sql`array(
    select virtualtransaction from pg_locks
    where locktype = 'relation' and relation = 'event'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())
      and latest.position is not null)`
  const { rows } = await sql<{ assigned: number; writers: string[] }>`
    with latest as materialized (
      select case when is_called then last_value else 0 end as position from event_position)
    select position as assigned, ${kind === 'embedded' ? sql`'{}'::text[]` : writers} as writers
    from latest`.execute(db)
  return rows[0]!
}
