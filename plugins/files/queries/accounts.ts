import { sql } from 'kysely'
import { asShortRead, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { FileSubject } from '../contract.ts'

/** Undefined: there is none, or it is removed. */
export const kindOfAccount = async (db: Db, workspaceId: Id, id: Id) =>
  (
    await asShortRead(db)
      .selectFrom('account')
      .select('kind')
      .where(notDeletedIn(workspaceId))
      .where('id', '=', id)
      .executeTakeFirst()
  )?.kind

export const lockAccounts = (trx: Trx, workspaceId: Id, ids: readonly Id[]) =>
  trx
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export const namedAccounts: FileSubject['named'] = workspaceId => sql`
  select id, null::text as key, fullname as title from account where ${notDeletedIn(workspaceId)}`

export const listPictures = (db: Db, workspaceId: Id) =>
  db
    .selectFrom('file')
    .innerJoin('account', join =>
      join.on(notDeletedIn(workspaceId, 'account')).onRef('account.id', '=', 'file.subjectId')
    )
    .select(['account.id as accountId', 'file.id', 'file.urlName'])
    .where('file.workspaceId', '=', workspaceId)
    .where('file.subjectType', '=', 'account')
    .where('file.state', '=', 'STORED')
    .orderBy('file.id')
    .execute()
