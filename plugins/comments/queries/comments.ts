import { sql, type RawBuilder, type Transaction } from 'kysely'
import { Type } from 'typebox'
import {
  asShortRead,
  boundedRows,
  columnsOf,
  firstRows,
  type FirstRows,
  iso,
  type ItemsText,
  jsonObject,
  jsonRows,
  notDeletedIn,
  readBounded,
  withFields
} from '../../../core/api/database/queries.ts'
import type { FileTexts } from '../../files/contract.ts'
import type { BoundedList, CoreTables, Id, Reader, WorkspaceId } from '../../../core/api/database/types.ts'
import type { DocJson } from '../../../lib/rich-text/index.ts'
import type { IssuesTables, RowSection } from '../../issues/contract.ts'
import type { CommentSection, CommentsTables } from '../contract.ts'
import { questionJson } from './questions.ts'

type Db = Reader<CoreTables & IssuesTables & CommentsTables>
type Trx = Transaction<CoreTables & IssuesTables & CommentsTables>

const addedBy = (workspaceId: WorkspaceId, sections: readonly CommentSection[]): Record<string, RawBuilder<unknown>> =>
  Object.fromEntries(
    sections.map(({ name, json }) => [
      name,
      sql`(select ${json(workspaceId)} from (select c.id, c.issue_id) as comment)`
    ])
  )

const author = sql<object>`row_to_json(writer)`
/** A comment with its question, if it is one; the stored body only if `raw`. */
const row = (workspaceId: WorkspaceId, raw: boolean, sections: readonly CommentSection[]) =>
  withFields(
    jsonObject({
      id: sql`c.id`,
      issueId: sql`c.issue_id`,
      parentId: sql`c.parent_id`,
      author,
      ...(raw && { body: sql`c.body` }),
      bodyMarkdown: sql`c.body_markdown`,
      createdAt: iso('c.created_at'),
      updatedAt: iso('c.updated_at'),
      ...addedBy(workspaceId, sections)
    }),
    {
      question: sql`(
        select ${questionJson(workspaceId)} from comment_question q
        where q.workspace_id = ${workspaceId} and q.comment_id = c.id)`
    }
  )
/** The author's account, and the row `writer` with its fields in answers. */
const joinAuthor = sql`
  join account author on author.workspace_id = c.workspace_id and author.id = c.author_id
  cross join lateral (select author.id, author.fullname) writer`
const withAuthor = sql`comment c ${joinAuthor}`
const issueIsNotDeleted = (workspaceId: Id) => sql<boolean>`exists (
  select 1 from issue i where i.workspace_id = ${workspaceId} and i.id = c.issue_id and i.deleted_at is null)`

/** Including replies; the bytes are those of their markdown, also as JSON, which shares them with the description. */
const MAX_CONTEXT_COMMENTS = 500
const MAX_CONTEXT_BYTES = 4 * 1024 * 1024
/** Bytes of markdown that always fit: as JSON, a byte has at most six. */
const MAX_SHORT_BYTES = Math.floor(MAX_CONTEXT_BYTES / 6)

const ofIssue = (workspaceId: WorkspaceId) => sql`${notDeletedIn(workspaceId, 'c')} and c.issue_id = issue.id`
const newestFirst = sql`order by created_at desc, id desc`
const newestComments = (workspaceId: WorkspaceId) => sql`
  select id, parent_id from (
    select id, parent_id, sum(octet_length(to_json(body_markdown)::text)) over (${newestFirst}) as json_bytes from (
      select *, sum(octet_length(body_markdown)) over (${newestFirst}) as bytes from (
        select c.id, c.parent_id, c.created_at, c.body_markdown from comment c where ${ofIssue(workspaceId)}
        ${newestFirst} limit ${sql.lit(MAX_CONTEXT_COMMENTS)}) newest
      ) sized where bytes <= ${sql.lit(MAX_CONTEXT_BYTES)}
    ) fitting where json_bytes <= ${sql.lit(MAX_CONTEXT_BYTES)}
      - (select octet_length(to_json(issue.description_markdown)::text))`

const inContext = (workspaceId: WorkspaceId, sections: readonly CommentSection[]) => ({
  id: sql`c.id`,
  author,
  createdAt: iso('c.created_at'),
  bodyMarkdown: sql`c.body_markdown`,
  ...addedBy(workspaceId, sections)
})
const fromNewestComments = (workspaceId: WorkspaceId) => sql`
  kept join comment c on c.workspace_id = ${workspaceId} and c.id = kept.id ${joinAuthor}`
const oldestFirst = sql`order by c.created_at, c.id`

/** A comment is left out with its replies. */
export const contextComments = (workspaceId: WorkspaceId, sections: readonly CommentSection[]): BoundedList => ({
  short: shortComments(workspaceId, sections),
  exact: exactComments(workspaceId, sections)
})

const exactComments = (workspaceId: WorkspaceId, sections: readonly CommentSection[]): BoundedList['exact'] => sql`
  with kept as materialized (${newestComments(workspaceId)}),
  reply as materialized (
    select kept.parent_id,
      array_to_json(array_agg(${jsonObject(inContext(workspaceId, sections))} ${oldestFirst})) as items
    from ${fromNewestComments(workspaceId)} where kept.parent_id is not null group by kept.parent_id)
  select array_to_json(coalesce(array_agg(${jsonObject({
    ...inContext(workspaceId, sections),
    replies: sql`coalesce(reply.items, '[]')`
  })} ${oldestFirst}), '{}')) as items,
    (select count(*) from comment c where ${ofIssue(workspaceId)})
    - (select count(*) from kept where parent_id is null or parent_id in (select id from kept)) as omitted
  from ${fromNewestComments(workspaceId)} left join reply on reply.parent_id = kept.id where kept.parent_id is null`

/** The short form: the limits are checked before any JSON is made. */
function shortComments(workspaceId: WorkspaceId, sections: readonly CommentSection[]): BoundedList['short'] {
  const columns = inContext(workspaceId, sections)
  const fieldsOf = (row: string) =>
    columnsOf(Object.fromEntries(Object.keys(columns).map(name => [name, sql.raw(`${row}."${name}"`)])))
  // The rows of `shown` are read in its order.
  const array = sql<object[] | null>`(
  with shown as materialized (
    select c.parent_id, ${columnsOf(columns)} from ${withAuthor} where ${ofIssue(workspaceId)}
    ${oldestFirst} limit ${sql.lit(MAX_CONTEXT_COMMENTS + 1)})
  select case
    when (
      select count(*) <= ${sql.lit(MAX_CONTEXT_COMMENTS)} and coalesce(
        sum(octet_length(shown."bodyMarkdown")) + octet_length(issue.description_markdown)
          <= ${sql.lit(MAX_SHORT_BYTES)}, true)
      from shown)
    then array(
      select row_to_json(one) from (
        select ${fieldsOf('shown')},
          ${jsonRows(sql`select ${fieldsOf('reply')} from shown reply where reply.parent_id = shown.id`)} as replies
        from shown where shown.parent_id is null) one)
    end)`
  return { array, isWithinLimits: array => sql`${array} is not null` }
}

const MAX_COUNTED = 100
export const commentCount: RowSection = {
  name: 'commentCount',
  schema: Type.Integer({ description: `Counted to ${MAX_COUNTED}.` }),
  json: workspaceId => sql`(
    select nullif(count(*), 0) from (
      select 1 from comment c where ${ofIssue(workspaceId)} limit ${sql.lit(MAX_COUNTED)}) counted)`,
  views: ['board']
}

const BATCH = 500

/** Oldest first: all, or at most `limit` (≤ 500) after the first `from`. */
export async function* listComments(
  db: Db,
  workspaceId: Id,
  issueId: Id,
  sections: readonly CommentSection[],
  { from = 0, limit }: { from?: number; limit?: number }
): AsyncGenerator<ItemsText> {
  const rowsOf = sql`
    select (${row(workspaceId, true, sections)})::text as json
    from wanted join comment c on ${notDeletedIn(workspaceId, 'c')} and c.id = wanted.id ${joinAuthor}
    order by wanted.n`
  type Batch = FirstRows & { at: string | null; id: Id | null }
  for (let after: { at: string; id: Id } | undefined; ;) {
    // Raw: common table expressions such as `batch` have no types.
    const { rows }: { rows: Batch[] } = await sql<Batch>`
      with batch as materialized (
        select c.id, c.created_at, c.body_bytes + octet_length(c.body_markdown) as bytes from comment c
        where ${notDeletedIn(workspaceId, 'c')} and c.issue_id = ${issueId}
        ${after ? sql`and (c.created_at, c.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
        order by c.created_at, c.id limit ${limit ?? BATCH} offset ${after ? 0 : from}),
      ${boundedRows(sql`select id, row_number() over (order by created_at, id) as n, bytes from batch`)},
      last as (select created_at::text as at, id from batch order by created_at desc, id desc limit 1)
      select ${firstRows(rowsOf)}, last.at, last.id
      from (select 1) as one left join last on (select count(*) from batch) = ${BATCH}`.execute(db)
    const first = rows[0]!
    yield* readBounded(db, first, rowsOf)
    if (limit !== undefined || first.at === null || first.id === null) return
    after = { at: first.at, id: first.id }
  }
}

/** A comment as JSON text, unless it or its issue was removed; its stored body only if `raw`. */
export async function findComment(
  db: Db,
  workspaceId: Id,
  id: Id,
  sections: readonly CommentSection[],
  raw: boolean
): Promise<string | undefined> {
  // Raw: other plugins contribute the sections of a row.
  const { rows } = await sql<{ json: string }>`
    select (${row(workspaceId, raw, sections)})::text as json from ${withAuthor}
    where ${notDeletedIn(workspaceId, 'c')} and c.id = ${id} and ${issueIsNotDeleted(workspaceId)}`.execute(
    asShortRead(db)
  )
  return rows[0]?.json
}

export async function issueOfComment(db: Db, workspaceId: Id, id: Id): Promise<Id | undefined> {
  const row = await asShortRead(db)
    .selectFrom('comment')
    .select('issueId')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.issueId
}

export async function findBody(
  db: Db,
  workspaceId: Id,
  id: Id,
  containing: readonly string[]
): Promise<DocJson | undefined> {
  const row = await db
    .selectFrom('comment')
    .select('body')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .where(({ or }) => or(containing.map(text => sql<boolean>`position(${text}::text in body_markdown) > 0`)))
    .executeTakeFirst()
  return row?.body
}

export const findThread = (db: Db, workspaceId: Id, id: Id) =>
  asShortRead(db)
    .selectFrom('comment as c')
    .select(['c.id', 'c.issueId', 'c.parentId', 'c.authorId'])
    .where(notDeletedIn(workspaceId, 'c'))
    .where('c.id', '=', id)
    .where(issueIsNotDeleted(workspaceId))
    .executeTakeFirst()

export const textOfComment = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('comment')
    .select('bodyMarkdown')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

export interface NewComment {
  id: Id
  issueId: Id
  parentId: Id | null
  authorId: Id
  tokenId: Id | null
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

/** With its replies: a thread without its beginning cannot be understood. */
export const removeComment = (trx: Trx, workspaceId: Id, id: Id, at: Date, accountId: Id) =>
  trx
    .updateTable('comment')
    .set({ deletedAt: at, deletedById: accountId })
    .where(notDeletedIn(workspaceId))
    .where(eb => eb.or([eb('id', '=', id), eb('parentId', '=', id)]))
    .returning('id')
    .execute()

/** The texts of comments, as those of their issues. Raw: a part of another statement. */
export const textsOfComments: FileTexts = workspaceId => sql`
  select 'issue' as type, c.issue_id as id, c.body_markdown as markdown,
    (c.deleted_at is not null or i.deleted_at is not null) as is_deleted
  from comment c join issue i on i.workspace_id = ${workspaceId} and i.id = c.issue_id
  where c.workspace_id = ${workspaceId}`
