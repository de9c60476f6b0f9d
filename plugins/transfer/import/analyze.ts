import type { RecordKind } from '../contract.ts'
import type { Db } from '../context.ts'
import { analyze } from '../queries/imported.ts'

/** Smaller tables are read equally fast with any plan. */
const MIN_ROWS = 100
const GROWTH = 4

/**
 * For an apparently empty table all indexes look equally good to the planner: each check of a foreign key would read
 * all rows of the workspace.
 * @returns a function to call after each batch, with the number of records of each kind so far
 */
export function makeAnalyzer(kinds: readonly RecordKind[]) {
  const analyzed = new Map<string, number>()
  return async (db: Db, added: Readonly<Record<string, number>>): Promise<void> => {
    const rows = new Map<string, number>()
    for (const { kind, table } of kinds) {
      for (const name of [table, 'imported_record']) rows.set(name, (rows.get(name) ?? 0) + (added[kind] ?? 0))
    }
    for (const [table, count] of rows) {
      if (count < Math.max(MIN_ROWS, GROWTH * (analyzed.get(table) ?? 0))) continue
      analyzed.set(table, count)
      await analyze(db, table)
    }
  }
}
