import { sql, type Insertable } from 'kysely'
import { iso, jsonObject, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { unlikeMarkdown } from '../../../core/api/text.ts'
import type { ExternalIdOf } from '../../transfer/contract.ts'
import type { Trx } from '../context.ts'
import type { CommentsTables } from '../contract.ts'

/* Queries of exports and imports. Raw: the rows of an export become parts of a statement of `transfer`. */

/** Comments as lines of an export, each before its replies. */
export const exportedComments = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  select ${externalId('comment', 'c.id')} as "externalId", ${externalId('issue', 'c.issue_id')} as issue,
    ${externalId('comment', 'c.parent_id')} as "replyTo", ${externalId('account', 'c.author_id')} as author,
    c.body_markdown as "bodyMarkdown", ${unlikeMarkdown('c.body', 'c.body_markdown')} as body,
    ${iso('c.created_at')} as "createdAt", ${iso('c.updated_at')} as "updatedAt",
    ${questionColumns(workspaceId, externalId)}
  from comment c
  join issue i on i.workspace_id = c.workspace_id and i.id = c.issue_id and i.deleted_at is null
  join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
  left join comment p on p.workspace_id = c.workspace_id and p.id = c.parent_id
  left join comment_question q on q.workspace_id = c.workspace_id and q.comment_id = c.id
  where ${notDeletedIn(workspaceId, 'c')} and p.deleted_at is null
  order by t.identifier, i.number, greatest(c.created_at, p.created_at), c.parent_id is not null, c.created_at, 1`

/** Columns of a comment `c` with its question `q`, if it is one. */
const questionColumns = (workspaceId: Id, externalId: ExternalIdOf) => sql`
  case when q.comment_id is not null then json_strip_nulls(${jsonObject({
    status: sql`q.status`,
    to: sql`nullif(array(
      select ${externalId('account', 'd.account_id')} from comment_question_addressee d
      where d.workspace_id = ${workspaceId} and d.comment_id = q.comment_id order by 1), '{}')`,
    options: sql`nullif(q.options::text, '[]')::json`,
    closedBy: externalId('account', 'q.closed_by_id'),
    closedAt: iso('q.closed_at')
  })}) end as question,
  (select ${externalId('comment', 'asked.comment_id')} from comment_question asked
    join comment ac on ac.workspace_id = asked.workspace_id and ac.id = asked.comment_id and ac.deleted_at is null
    where asked.workspace_id = ${workspaceId} and asked.issue_id = c.issue_id and asked.answer_id = c.id limit 1
  ) as answers`

export const comparedComments = (workspaceId: Id, ids: readonly Id[]) => sql<{ id: Id }>`
  select c.id, md5(c.body_markdown) as "bodyMarkdown" from comment c
  join issue i on i.workspace_id = c.workspace_id and i.id = c.issue_id and i.deleted_at is null
  where ${notDeletedIn(workspaceId, 'c')} and c.id = any(${ids}::uuid[])`

/** Locks issues, removed ones, too, so that the events of each are in order. */
export const lockIssues = (trx: Trx, workspaceId: Id, ids: readonly Id[]) =>
  trx
    .selectFrom('issue')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export const nameAccounts = (trx: Trx, workspaceId: Id, ids: readonly Id[]) =>
  trx
    .selectFrom('account')
    .select(['id', 'fullname'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()

export async function findDeletedIssues(trx: Trx, workspaceId: Id, ids: readonly Id[]): Promise<Set<Id>> {
  const rows = await trx
    .selectFrom('issue')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .where('deletedAt', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export type NewComment = Insertable<CommentsTables['comment']> & { createdAt: Date }
export const addComments = (trx: Trx, rows: readonly NewComment[]) =>
  trx
    .insertInto('comment')
    .values([...rows])
    .execute()

/** Changes the text of a comment. @returns false when the issue has no such comment */
export async function updateImported(
  trx: Trx,
  workspaceId: Id,
  { id, issueId }: { id: Id; issueId: Id },
  text: { body: string; bodyMarkdown: string },
  updatedAt: Date
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('comment')
    .set({ ...text, updatedAt })
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
