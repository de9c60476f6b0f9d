import type { Caller } from '../../core/api/contract.ts'
import type { Ctx } from './context.ts'
import {
  BATCH_ROWS,
  clearReferences,
  listDataTables,
  removeRowsOf,
  removeWorkspaceRow,
  revokeAllTokens,
  type DataTable
} from './queries/removal.ts'

/** @param report called with the number of removed rows, and the table of the last ones */
export async function removeWorkspace(
  { db, log, now, transaction }: Ctx,
  { workspaceId, accountId, address, origin = 'rest' }: Caller,
  report: (rows: number, table: string) => void
): Promise<void> {
  // From now on no request writes into it.
  await transaction(trx => revokeAllTokens(trx, workspaceId, now()))
  let removed = 0
  for (const table of inOrderOfRemoval(await listDataTables(db))) {
    for (const column of table.ownReferences) {
      await repeat(() => transaction(trx => clearReferences(trx, workspaceId, table, column)))
    }
    await repeat(async () => {
      const rows = await transaction(trx => removeRowsOf(trx, workspaceId, table))
      removed += rows
      if (rows > 0) report(removed, table.name)
      return rows
    })
  }
  await transaction(trx => removeWorkspaceRow(trx, workspaceId))
  // Only logged: the workspace's events are removed with it.
  const security = 'workspace.removed'
  log.info({ security, address: address ?? null, workspaceId, accountId, origin }, 'security event')
}

async function repeat(batch: () => Promise<number>): Promise<void> {
  while ((await batch()) === BATCH_ROWS);
}

/** Each table after those that refer to it. */
function inOrderOfRemoval(tables: readonly DataTable[]): DataTable[] {
  const ordered = new Set<DataTable>()
  const visiting = new Set<DataTable>()
  function visit(table: DataTable): void {
    if (ordered.has(table)) return
    if (visiting.has(table)) throw new Error(`The foreign keys of the table ${table.name} lead back to it.`)
    visiting.add(table)
    for (const other of tables) if (table.referencedBy.includes(other.name)) visit(other)
    ordered.add(table)
  }
  tables.forEach(visit)
  return [...ordered]
}
