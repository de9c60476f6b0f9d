import type { Id } from '../../core/db/tables.ts'
import { contract } from '../../core/plugin.ts'

export interface TransferTables {
  /** What came from elsewhere, by its name there. */
  importedIssue: { workspaceId: Id, externalId: string, issueId: Id }
}
export const transfer = contract<object, TransferTables>()('transfer')
