import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Principal } from '../../../core/api/contract.ts'
import type { CoreTables, Id } from '../../../core/api/database/types.ts'
import type { IssuesTables } from '../../issues/contract.ts'
import type { CommentsTables } from '../contract.ts'

type Trx = Transaction<CoreTables & IssuesTables & CommentsTables>

const TITLE_LENGTH = 200

/** The columns of a `TrashKind`; of a thread only its first comment. People see their own, administrators all. */
export function listTrash({ workspaceId, accountId, kind, role }: Principal): RawBuilder<unknown> {
  const isOwn = kind === 'AGENT' || role === 'ADMIN' ? sql`` : sql`and c.author_id = ${accountId}`
  return sql`
    select c.id, t.identifier || '-' || i.number as key, left(c.body_markdown, ${TITLE_LENGTH}::integer) as title,
      c.deleted_at, c.deleted_by_id
    from comment c
    join issue i on i.workspace_id = ${workspaceId} and i.id = c.issue_id and i.deleted_at is null
    join team t on t.workspace_id = ${workspaceId} and t.id = i.team_id
    where c.workspace_id = ${workspaceId} and c.deleted_at is not null and c.purged_at is null ${isOwn}
      and (c.parent_id is null or exists (
        select 1 from comment p where p.workspace_id = ${workspaceId} and p.id = c.parent_id and p.deleted_at is null))`
}

export const findTrashed = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('comment as c')
    .innerJoin('issue as i', join => join.on('i.workspaceId', '=', workspaceId).onRef('i.id', '=', 'c.issueId'))
    .leftJoin('comment as p', join => join.on('p.workspaceId', '=', workspaceId).onRef('p.id', '=', 'c.parentId'))
    .select(['c.id', 'c.issueId', 'c.authorId', 'c.deletedAt', 'p.deletedAt as parentDeletedAt'])
    .where('c.workspaceId', '=', workspaceId)
    .where('c.id', '=', id)
    .where('c.deletedAt', 'is not', null)
    .where('c.purgedAt', 'is', null)
    .where('i.deletedAt', 'is', null)
    .executeTakeFirst()

export type PurgeSelection = { id: Id } | { issueIds: readonly Id[] } | { before: Date; limit: number }

/** Restores a comment with the replies that were deleted with it. @returns them */
export const restoreThread = (trx: Trx, workspaceId: Id, id: Id, deletedAt: Date) =>
  trx
    .updateTable('comment')
    .set({ deletedAt: null, deletedById: null })
    .where('workspaceId', '=', workspaceId)
    .where(eb => eb.or([eb('id', '=', id), eb('parentId', '=', id)]))
    .where('deletedAt', '=', deletedAt)
    .where('purgedAt', 'is', null)
    .returning('id')
    .execute()

/** Locks comments that are to be purged, in the order of their ids. */
export async function lockForPurge(
  trx: Trx,
  workspaceId: Id,
  selection: PurgeSelection
): Promise<Array<{ id: Id; issueId: Id }>> {
  const deleted = trx
    .selectFrom('comment')
    .select(['id', 'issueId'])
    .where('workspaceId', '=', workspaceId)
    .where('purgedAt', 'is', null)
  const chosen =
    'id' in selection
      ? deleted
          .where('deletedAt', 'is not', null)
          .where(eb => eb.or([eb('id', '=', selection.id), eb('parentId', '=', selection.id)]))
      : 'issueIds' in selection
        ? deleted.where('issueId', '=', sql<Id>`any(${selection.issueIds}::uuid[])`)
        : deleted
            .where('id', 'in', ofBatch =>
              ofBatch
                .selectFrom('comment as old')
                .select('old.id')
                .where('old.workspaceId', '=', workspaceId)
                .where('old.deletedAt', '<', selection.before)
                .where('old.purgedAt', 'is', null)
                .orderBy('old.deletedAt')
                .orderBy('old.id')
                .limit(selection.limit)
            )
            .where('deletedAt', '<', selection.before)
  return chosen.orderBy('id').forNoKeyUpdate().execute()
}

const EMPTY = JSON.stringify({ type: 'doc', content: [] })

/** Empties locked comments. Their rows stay, so that imports find them by their names elsewhere. */
export async function purgeRows(trx: Trx, workspaceId: Id, ids: readonly Id[], at: Date): Promise<void> {
  const anyId = sql<Id>`any(${ids}::uuid[])`
  await trx
    .updateTable('comment')
    .set(eb => ({
      body: EMPTY,
      bodyMarkdown: '',
      deletedAt: eb.fn.coalesce('deletedAt', sql<Date>`${at}::timestamptz`),
      purgedAt: at
    }))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', anyId)
    .execute()
  // Raw: the type of the column lets only new questions have options.
  await sql`update comment_question set options = '[]'
    where workspace_id = ${workspaceId} and comment_id = ${anyId}`.execute(trx)
}
