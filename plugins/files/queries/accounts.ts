import { asShortRead, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'

export const isAccount = async (db: Db, workspaceId: Id, id: Id): Promise<boolean> =>
  (await asShortRead(db)
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined
