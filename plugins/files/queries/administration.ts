import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'
import { storedFiles, type StoredRow } from './files.ts'

export type FilesOrder = 'created' | 'bytes'

/** The bytes of the last file of a page, or its time in milliseconds. */
export interface ListPosition {
  value: number
  id: Id
}

export function listAllFiles(
  db: Db,
  workspaceId: Id,
  order: FilesOrder,
  { after, limit }: { after: ListPosition | undefined; limit: number }
): Promise<StoredRow[]> {
  const column = order === 'bytes' ? 'file.bytes' : 'file.createdAt'
  const value = after && (order === 'bytes' ? after.value : new Date(after.value))
  return storedFiles(db, workspaceId)
    .$if(after !== undefined, query =>
      query.where(sql<boolean>`(${sql.ref(column)}, file.id) < (${value}, ${after?.id}::uuid)`)
    )
    .orderBy(column, 'desc')
    .orderBy('file.id', 'desc')
    .limit(limit)
    .execute()
}
