import { sql } from 'kysely'
import { runOutsideRequests } from './transactions/request-transaction.ts'
import type { DatabaseHandle, Id } from '../api/database/types.ts'

/** Minimum rows of a workspace, and minimum new rows, before the statistics are checked. */
const MIN_ROWS = 50
/** The tolerated ratio of rows to the planner's estimate. */
const TOLERANCE = 4
/** Estimated rows from which on the estimate is not checked. */
const LARGE_ROWS = 10_000

export interface Statistics {
  /** Call it after rows were added to the first of the tables. */
  note(workspaceId: Id, rows: number): void
  stop(): Promise<void>
}

/**
 * Analyzes tables as soon as a workspace has far more rows in one of them than the planner expects: PostgreSQL itself
 * does so a minute later, and for a new workspace among large ones perhaps never.
 * @param onError failures are harmless
 */
export function keepStatistics(
  db: DatabaseHandle,
  tables: readonly [string, ...string[]],
  onError: (error: unknown) => void
): Statistics {
  /** By workspace: rows until the next check. */
  const remaining = new Map<Id, number>()
  let running: Promise<void> = Promise.resolve()

  async function look(workspaceId: Id): Promise<void> {
    // The interval doubles with each check, whatever its result.
    remaining.set(workspaceId, Math.max(MIN_ROWS, await countUpTo(db, tables[0], workspaceId, LARGE_ROWS)))
    for (const table of tables) {
      const expected = await expectedRows(db, table, workspaceId)
      if (expected >= LARGE_ROWS) return
      const most = Math.max(MIN_ROWS, TOLERANCE * expected)
      if ((await countUpTo(db, table, workspaceId, most)) >= most) await sql`analyze ${sql.table(table)}`.execute(db)
    }
  }
  return {
    note(workspaceId, rows) {
      const rest = (remaining.get(workspaceId) ?? MIN_ROWS) - rows
      remaining.set(workspaceId, rest > 0 ? rest : MIN_ROWS)
      if (rest > 0) return
      running = running.then(() => runOutsideRequests(() => look(workspaceId))).catch(onError)
    },
    stop: () => running
  }
}

/** The planner's estimate of a workspace's rows. Raw: a command, whose answer is text. */
async function expectedRows(db: DatabaseHandle, table: string, workspaceId: Id): Promise<number> {
  const { rows } = await sql<Record<string, string>>`
    explain select from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(db)
  // On Citus, the worker's plan follows the coordinator's, which expects none.
  const plan = rows.flatMap(row => Object.values(row)).join('\n')
  return Math.max(0, ...Array.from(plan.matchAll(/ rows=(\d+)/g), ([, expected]) => Number(expected)))
}

/** Raw: any table. */
async function countUpTo(db: DatabaseHandle, table: string, workspaceId: Id, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from ${sql.table(table)} where workspace_id = ${workspaceId} limit ${limit}) as counted`.execute(db)
  return rows[0]?.n ?? 0
}

/** As autovacuum would choose. Raw: a view of the catalogue, and a command. */
export async function vacuum(db: DatabaseHandle): Promise<void> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, relname as name from pg_stat_user_tables
    where n_mod_since_analyze > 50 + 0.1 * n_live_tup or n_dead_tup > 50 + 0.2 * n_live_tup`.execute(db)
  for (const { schema, name } of rows) await sql`vacuum (analyze) ${sql.table(`${schema}.${name}`)}`.execute(db)
}
