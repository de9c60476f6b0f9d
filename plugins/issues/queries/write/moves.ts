import { sql } from 'kysely'
import { notDeletedIn } from '../../../../core/api/database/queries.ts'
import type { Id } from '../../../../core/api/database/types.ts'
import { insertOldKeys } from './numbers.ts'
import { keyOf } from '../filter/conditions.ts'
import { revised, type Author } from './write.ts'
import type { Trx } from '../../context.ts'

/** Keeps the key of an issue that gets another; where an import gave it to another issue, it leads to both. */
export async function keepFormerKey(trx: Trx, workspaceId: Id, issueId: Id, key: string, at: Date): Promise<void> {
  const kept = await trx
    .insertInto('issueFormerKey')
    .columns(['workspaceId', 'teamId', 'number', 'issueId', 'movedAt'])
    .expression(eb =>
      eb
        .selectFrom('issue')
        .select(['workspaceId', 'teamId', 'number', 'id', sql<Date>`${at}::timestamptz`.as('movedAt')])
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', issueId)
    )
    .onConflict(c => c.doNothing())
    .returning('issueId')
    .executeTakeFirst()
  if (!kept) await insertOldKeys(trx, workspaceId, [{ key, issueId }])
}

export const detachSubIssues = (trx: Trx, workspaceId: Id, issueId: Id, author: Author) =>
  trx
    .updateTable('issue')
    .set({ parentId: null, ...revised(author) })
    .where(notDeletedIn(workspaceId))
    .where('parentId', '=', issueId)
    .returning(['id', 'rev', keyOf(workspaceId).as('key')])
    .execute()

export const markRemoved = (trx: Trx, workspaceId: Id, issueId: Id, author: Author) =>
  trx
    .updateTable('issue')
    .set({ deletedAt: author.at, ...revised(author) })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', issueId)
    .returning('rev')
    .executeTakeFirst()
