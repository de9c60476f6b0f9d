import type { Db, Reads } from '../context.ts'
import type { Id } from '../../../core/api/database/types.ts'

/** Files of one listing. */
const MAX_LISTED = 500

/** Files of all workspaces that no text has named since a time, oldest first. */
export const listUnused = (db: Db, before: Date) =>
  db
    .selectFrom('file')
    .select(['workspaceId', 'id', 'store', 'bytes'])
    .where('state', '=', 'STORED')
    .where('subjectId', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(MAX_LISTED)
    .execute()

/** Uploads of all workspaces that were begun before a time and not ended, because their process has. */
export const listAbandoned = (db: Db, before: Date) =>
  db
    .selectFrom('file')
    .select(['workspaceId', 'id', 'store'])
    .where('state', '=', 'UPLOADING')
    .where('subjectId', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(MAX_LISTED)
    .execute()

export const isWorkspace = async (db: Db | Reads, id: Id): Promise<boolean> =>
  (await db.selectFrom('workspace').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
