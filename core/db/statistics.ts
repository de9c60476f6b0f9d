import { sql } from 'kysely'
import { runOutsideRequests } from './transactions/request-transaction.ts'
import type { DatabaseHandle, Id } from '../api/database/types.ts'

/** Rows of a workspace from which on plans matter, and new rows after which they are looked at again, at least. */
const MIN_ROWS = 50
/** How many times more rows there may be than the planner expects. */
const TOLERANCE = 4
/** A workspace of which the planner expects so many rows is large to it. */
const LARGE_ROWS = 10_000

export interface Statistics {
  /** Tells that a transaction has added rows of a workspace to the first of the tables. */
  note(workspaceId: Id, rows: number): void
  /** Waits until nothing is analysed any more. */
  stop(): Promise<void>
}

/**
 * Updates the planner's statistics of tables as soon as a workspace has far more rows in one of them than the planner
 * expects: PostgreSQL itself does so a minute later, and for a new workspace among large ones perhaps never.
 * @param onError what happens to a failure: statistics are of use, but nothing needs them
 */
export function keepStatistics(
  db: DatabaseHandle,
  tables: readonly [string, ...string[]],
  onError: (error: unknown) => void
): Statistics {
  /** By workspace, how many rows may be added before the next look. */
  const left = new Map<Id, number>()
  let running: Promise<void> = Promise.resolve()

  async function look(workspaceId: Id): Promise<void> {
    // From look to look twice as many rows, whatever comes of it.
    left.set(workspaceId, Math.max(MIN_ROWS, await countUpTo(db, tables[0], workspaceId, LARGE_ROWS)))
    for (const table of tables) {
      const expected = await expectedRows(db, table, workspaceId)
      if (expected >= LARGE_ROWS) return
      const most = Math.max(MIN_ROWS, TOLERANCE * expected)
      // Raw: a command.
      if ((await countUpTo(db, table, workspaceId, most)) >= most) await sql`analyze ${sql.table(table)}`.execute(db)
    }
  }
  return {
    note(workspaceId, rows) {
      const rest = (left.get(workspaceId) ?? MIN_ROWS) - rows
      left.set(workspaceId, rest > 0 ? rest : MIN_ROWS)
      if (rest > 0) return
      running = running.then(() => runOutsideRequests(() => look(workspaceId))).catch(onError)
    },
    stop: () => running
  }
}

/** How many rows of a workspace the planner expects. Raw: a command, whose answer is text. */
async function expectedRows(db: DatabaseHandle, table: string, workspaceId: Id): Promise<number> {
  const { rows } = await sql<Record<string, string>>`
    explain select from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(db)
  // On Citus, the plan of the worker stands below that of the coordinator, which expects none.
  const plan = rows.flatMap(row => Object.values(row)).join('\n')
  return Math.max(0, ...Array.from(plan.matchAll(/ rows=(\d+)/g), ([, expected]) => Number(expected)))
}

/** How many rows a workspace has, counted up to a limit. Raw: any table. */
async function countUpTo(db: DatabaseHandle, table: string, workspaceId: Id, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from ${sql.table(table)} where workspace_id = ${workspaceId} limit ${limit}) as counted`.execute(db)
  return rows[0]?.n ?? 0
}
