import { sql, type RawBuilder, type Transaction } from 'kysely'
import { iso, jsonArray, jsonObject, jsonRow, jsonRows } from '../../core/db/sql.ts'
import type { ShortReads } from '../../core/db/short-reads.ts'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import type { LastWrite } from '../hooks/contract.ts'
import type { IssuesTables } from '../issues/contract.ts'
import type { CommentsTables } from './contract.ts'

type Reads = ShortReads<CoreTables & IssuesTables & CommentsTables>
type Trx = Transaction<CoreTables & IssuesTables & CommentsTables>

const author = jsonRow(sql`select author.id, author.fullname`)
const full = jsonObject({
  id: sql`c.id`,
  issueId: sql`c.issue_id`,
  parentId: sql`c.parent_id`,
  author,
  body: sql`c.body`,
  bodyMarkdown: sql`c.body_markdown`,
  createdAt: iso('c.created_at'),
  updatedAt: iso('c.updated_at')
})
const withAuthor = sql`comment c join account author on author.workspace_id = c.workspace_id and author.id = c.author_id`
const ofLivingIssue = sql<boolean>`exists (
  select 1 from issue i where i.workspace_id = c.workspace_id and i.id = c.issue_id and i.deleted_at is null)`

/** The comments of an issue with their replies, oldest first: a section of its context. */
export const contextComments: RawBuilder<unknown> = jsonRows(sql`
  select c.id, ${author} as author, ${iso('c.created_at')} as "createdAt", c.body_markdown as "bodyMarkdown", ${jsonRows(sql`
    select r.id, ${jsonRow(sql`select ra.id, ra.fullname`)} as author, ${iso('r.created_at')} as "createdAt", r.body_markdown as "bodyMarkdown"
    from comment r join account ra on ra.workspace_id = r.workspace_id and ra.id = r.author_id
    where r.workspace_id = c.workspace_id and r.issue_id = c.issue_id and r.parent_id = c.id and r.deleted_at is null order by r.created_at, r.id`)} as replies
  from ${withAuthor}
  where c.workspace_id = issue.workspace_id and c.issue_id = issue.id and c.parent_id is null and c.deleted_at is null order by c.created_at, c.id`)

/** When an account last wrote a comment on an issue. */
export const lastCommentBy: LastWrite = accountId => sql`(
  select max(c.updated_at) from comment c
  where c.workspace_id = issue.workspace_id and c.issue_id = issue.id and c.author_id = ${accountId})`

/** All comments of an issue, replies among them, oldest first; JSON text. */
export async function listComments(reads: Reads, workspaceId: Id, issueId: Id): Promise<string> {
  const { rows } = await sql<{ json: string }>`select (${jsonArray(sql`
    select ${full} from ${withAuthor} where c.workspace_id = ${workspaceId} and c.issue_id = ${issueId} and c.deleted_at is null order by c.created_at, c.id`)})::text as json`.execute(
    reads
  )
  return rows[0]!.json
}

/** One comment as JSON text, if it and its issue are there. */
export async function findComment(reads: Reads, workspaceId: Id, id: Id): Promise<string | undefined> {
  const { rows } = await sql<{
    json: string
  }>`select (${full})::text as json from ${withAuthor} where c.workspace_id = ${workspaceId} and c.id = ${id} and c.deleted_at is null and ${ofLivingIssue}`.execute(
    reads
  )
  return rows[0]?.json
}

/** What is needed to judge a change of a comment, if it and its issue are there. */
export const findThread = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('comment as c')
    .select(['c.issueId', 'c.parentId', 'c.authorId'])
    .where('c.workspaceId', '=', workspaceId)
    .where('c.id', '=', id)
    .where('c.deletedAt', 'is', null)
    .where(ofLivingIssue)
    .executeTakeFirst()

export interface NewComment {
  id: Id
  issueId: Id
  parentId: Id | null
  authorId: Id
  tokenId: Id
  body: string
  bodyMarkdown: string
  at: Date
}

export const insertComment = (trx: Trx, workspaceId: Id, { at, ...comment }: NewComment) =>
  trx
    .insertInto('comment')
    .values({ workspaceId, ...comment, createdAt: at, updatedAt: at })
    .execute()

export const updateComment = (
  trx: Trx,
  workspaceId: Id,
  id: Id,
  text: { body: string; bodyMarkdown: string },
  at: Date
) =>
  trx
    .updateTable('comment')
    .set({ ...text, updatedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()

/** With the replies to it: a thread without its beginning cannot be read. */
export const removeComment = (trx: Trx, workspaceId: Id, id: Id, at: Date) =>
  trx
    .updateTable('comment')
    .set({ deletedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where(eb => eb.or([eb('id', '=', id), eb('parentId', '=', id)]))
    .where('deletedAt', 'is', null)
    .returning('id')
    .execute()
