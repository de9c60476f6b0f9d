import type { Db } from '../context.ts'
import type { Id } from '../../../core/api/database/types.ts'

/** Files of one listing. */
export const MAX_LISTED = 500

/** Files of all workspaces that belong to nothing, and were begun before a time; oldest first. */
const listUnbound = (db: Db, state: 'UPLOADING' | 'STORED', before: Date) =>
  db
    .selectFrom('file')
    .select(['workspaceId', 'id', 'store', 'bytes'])
    .where('state', '=', state)
    .where('subjectId', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(MAX_LISTED)
    .execute()

/** Files that no text has named since a time. */
export const listUnused = (db: Db, before: Date) => listUnbound(db, 'STORED', before)

/** Uploads that were begun before a time and not ended, because their process has. */
export const listAbandoned = (db: Db, before: Date) => listUnbound(db, 'UPLOADING', before)

export const isWorkspace = async (db: Db, id: Id): Promise<boolean> =>
  (await db.selectFrom('workspace').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
