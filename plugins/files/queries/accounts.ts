import { notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Reads } from '../context.ts'

export const isAccount = async (db: Reads, workspaceId: Id, id: Id): Promise<boolean> =>
  (await db
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined
