import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'

/** The bytes of all stored files of a workspace. */
export async function usedBytes(db: Db | Trx, workspaceId: Id): Promise<number> {
  const row = await db.selectFrom('fileUsage').select('bytes').where('workspaceId', '=', workspaceId).executeTakeFirst()
  return row?.bytes ?? 0
}

/**
 * Counts the bytes of a new file, unless the workspace would have more than `maxBytes`.
 * @returns false if there is no room
 */
export async function addUsage(trx: Trx, workspaceId: Id, bytes: number, maxBytes: number): Promise<boolean> {
  if (bytes > maxBytes) return false
  const row = await trx
    .insertInto('fileUsage')
    .values({ workspaceId, bytes })
    .onConflict(conflict =>
      conflict
        .column('workspaceId')
        .doUpdateSet({ bytes: sql<number>`file_usage.bytes + excluded.bytes` })
        .where(sql<boolean>`file_usage.bytes + excluded.bytes <= ${sql.lit(maxBytes)}`)
    )
    .returning('bytes')
    .executeTakeFirst()
  return row !== undefined
}

export const subtractUsage = (trx: Trx, workspaceId: Id, bytes: number) =>
  trx
    .updateTable('fileUsage')
    .set(({ eb }) => ({ bytes: eb('bytes', '-', bytes) }))
    .where('workspaceId', '=', workspaceId)
    .execute()
