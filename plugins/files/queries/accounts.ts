import { sql } from 'kysely'
import { asShortRead, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'
import type { FileSubject } from '../contract.ts'

export const isAccount = async (db: Db, workspaceId: Id, id: Id): Promise<boolean> =>
  (await asShortRead(db)
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined

export const namedAccounts: FileSubject['named'] = workspaceId => sql`
  select id, null::text as key, fullname as title from account where ${notDeletedIn(workspaceId)}`
