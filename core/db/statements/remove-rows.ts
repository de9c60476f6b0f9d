import { sql, type RawBuilder } from 'kysely'
import type { DatabaseHandle } from '../../api/database/types.ts'

/** More would be locked, and written to the log, for longer at once. */
const BATCH_ROWS = 1_000

/** Removes rows of all workspaces. @param condition over the row `old` */
export async function removeRows(
  db: DatabaseHandle,
  table: string,
  key: readonly string[],
  condition: RawBuilder<boolean>
): Promise<void> {
  const columnsOf = (row: string) => sql.join(key.map(column => sql.ref(`${row}.${column}`)))
  for (;;) {
    const { rows } = await sql<{ removed: number }>`
      with old as materialized (
        select ${columnsOf('old')} from ${sql.table(table)} old where ${condition} limit ${BATCH_ROWS}),
      removed as (
        delete from ${sql.table(table)} t using old where (${columnsOf('t')}) = (${columnsOf('old')}) returning 1)
      select count(*) as removed from removed`.execute(db)
    if ((rows[0]?.removed ?? 0) < BATCH_ROWS) return
  }
}
