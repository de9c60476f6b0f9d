import { sql, type RawBuilder } from 'kysely'
import type { Id, TransactionHandle } from '../../api/database/types.ts'

export type DeletedRows = { id: Id } | { before: Date; limit: number }

/** Deleted, and not emptied yet. */
export interface RestorableRows {
  are(workspaceId: Id): RawBuilder<boolean>
  restore(trx: TransactionHandle, workspaceId: Id, id: Id): Promise<boolean>
  /** The rows stay for what refers to them. @returns their ids */
  empty(trx: TransactionHandle, workspaceId: Id, rows: DeletedRows, at: Date): Promise<Id[]>
}

/**
 * @param table has `workspace_id`, `id`, `deleted_at`, `deleted_by_id` and `purged_at`
 * @param emptied SQL: the assignments that remove the texts of a row
 */
export function restorableRows(table: string, emptied: RawBuilder<unknown>): RestorableRows {
  const rowsOf = sql.table(table)
  const are = (workspaceId: Id) => sql<boolean>`
    workspace_id = ${workspaceId} and deleted_at is not null and purged_at is null`
  return {
    are,
    async restore(trx, workspaceId, id) {
      const { rows } = await sql`
        update ${rowsOf} set deleted_at = null, deleted_by_id = null
        where ${are(workspaceId)} and id = ${id} returning id`.execute(trx)
      return rows.length > 0
    },
    async empty(trx, workspaceId, selection, at) {
      const chosen =
        'id' in selection
          ? sql`${selection.id}::uuid`
          : sql`select id from ${rowsOf} where ${are(workspaceId)} and deleted_at < ${selection.before}
              order by deleted_at, id limit ${selection.limit}`
      const { rows } = await sql<{ id: Id }>`
        update ${rowsOf} set ${emptied}, purged_at = ${at}
        where ${are(workspaceId)} and id in (${chosen}) returning id`.execute(trx)
      return rows.map(({ id }) => id)
    }
  }
}
