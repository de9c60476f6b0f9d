import { sql } from 'kysely'
import type { Id } from '../../core/api/database/types.ts'
import type { Db, Trx } from './context.ts'
import type { Emoji } from './emoji.ts'

/** Maximum accounts that are named, and reactions in an answer; those to the newest comments come first. */
export const MAX_NAMED = 20
export const MAX_LISTED = 2000

interface Reaction {
  commentId: Id
  emoji: Emoji
  count: number
  isOwn: boolean
  by: Array<{ id: Id; fullname: string }>
}

export async function listReactions(
  db: Db,
  workspaceId: Id,
  accountId: Id,
  of: { commentId: Id } | { issueId: Id }
): Promise<Reaction[]> {
  // Raw: a part of an ordered aggregate.
  const { rows } = await sql<Reaction>`
    select r.comment_id, r.emoji, count(*)::int as count, bool_or(r.account_id = ${accountId}) as is_own,
      to_json((array_agg(json_build_object('id', a.id, 'fullname', a.fullname) order by r.created_at, a.id))
        [1:${sql.lit(MAX_NAMED)}]) as by
    from comment c
    join reaction r on r.workspace_id = ${workspaceId} and r.comment_id = c.id
    join account a on a.workspace_id = ${workspaceId} and a.id = r.account_id
    where c.workspace_id = ${workspaceId} and c.deleted_at is null
      and ${'issueId' in of ? sql`c.issue_id = ${of.issueId}` : sql`c.id = ${of.commentId}`}
    group by r.comment_id, r.emoji
    order by max(c.created_at) desc, r.comment_id, min(r.created_at), r.emoji
    limit ${sql.lit(MAX_LISTED)}`.execute(db)
  return rows
}

/** @returns false if it was there before */
export async function addReaction(
  trx: Trx,
  workspaceId: Id,
  reaction: { commentId: Id; emoji: Emoji; accountId: Id; createdAt: Date }
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('reaction')
    .values({ workspaceId, ...reaction })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** @returns false if there was none */
export async function removeReaction(
  trx: Trx,
  workspaceId: Id,
  { commentId, emoji, accountId }: { commentId: Id; emoji: Emoji; accountId: Id }
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('reaction')
    .where('workspaceId', '=', workspaceId)
    .where('commentId', '=', commentId)
    .where('emoji', '=', emoji)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const removeOfComments = (trx: Trx, workspaceId: Id, ids: readonly Id[]) =>
  trx
    .deleteFrom('reaction')
    .where('workspaceId', '=', workspaceId)
    .where('commentId', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()
