import { sql, type Insertable, type Transaction } from 'kysely'
import { Type } from 'typebox'
import { notDeletedIn } from '../../core/db/workspace-rows.ts'
import { iso } from '../../core/db/sql.ts'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import { RawRichText, unlikeMarkdown } from '../../core/rich-text-field.ts'
import { readStoredRichText } from '../../core/text/conversions.ts'
import type { IssuesTables } from '../issues/contract.ts'
import {
  ExternalId,
  Person,
  recordKind,
  When,
  type Batch,
  type Item,
  type RecordChanges,
  type RecordOf
} from '../transfer/contract.ts'
import { commentCreated, commentUpdated, type CommentsTables } from './contract.ts'
import { handleChange } from './changes.ts'
import type { Ctx } from './context.ts'
import { importQuestions, questionColumns, questionFields } from './questions/transfer.ts'

type Trx = Transaction<CoreTables & IssuesTables & CommentsTables>

const fields = {
  externalId: ExternalId,
  issue: ExternalId,
  replyTo: Type.Optional(
    Type.String({ ...ExternalId, description: 'The comment that it replies to, which stands before it.' })
  ),
  author: Type.Optional(Person),
  bodyMarkdown: Type.Optional(Type.String()),
  body: Type.Optional(RawRichText),
  createdAt: Type.Optional(When),
  updatedAt: Type.Optional(When),
  ...questionFields
}
type ImportedComment = RecordOf<typeof fields>

/** Comments, each before the replies to it. */
export const commentRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'comment',
    summary: 'A comment on an issue. It may directly follow its issue.',
    table: 'comment',
    fields,
    rows: (workspaceId, externalId) => sql`
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
    order by t.identifier, i.number, greatest(c.created_at, p.created_at), c.parent_id is not null, c.created_at, 1`,
    changes: commentChanges(ctx),
    add: batch => addComments(ctx, batch)
  })

async function addComments(ctx: Ctx, batch: Batch<ImportedComment>): Promise<void> {
  const { trx, caller, workspaceId } = batch
  const db: Trx = trx
  const rows = await readComments(db, batch)
  if (rows.length === 0) return
  // Their events are in order with those of the issues.
  await db
    .selectFrom('issue')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', [...new Set(rows.map(row => row.issueId))])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await db.insertInto('comment').values(rows).execute()
  await handleChange(ctx, caller, trx, { kind: 'created', comments: rows })
  await ctx.emit(
    trx,
    commentCreated,
    caller,
    rows.map(({ id, issueId, parentId = null }) => ({ subjectId: id, issueId, data: { parentId } }))
  )
  await importQuestions(ctx, db, batch, new Map(rows.map(row => [row.id, row])))
}

type NewComment = Insertable<CommentsTables['comment']> & { createdAt: Date }

/** Those of the comments that can be added; the others are skipped. */
async function readComments(db: Trx, batch: Batch<ImportedComment>): Promise<NewComment[]> {
  const referred = await findReferred(db, batch)
  const rows: NewComment[] = []
  for (const item of batch.items) {
    const row = await readComment(item, referred, batch)
    if (typeof row !== 'string') rows.push(row)
    else {
      batch.skip(item, row)
      referred.skipped.add(item.id)
    }
  }
  return rows
}

/** What the comments of a batch name. */
interface Referred {
  issues: ReadonlyMap<string, Id>
  deletedIssues: ReadonlySet<Id>
  threads: ReadonlyMap<string, Id>
  accounts: ReadonlyMap<string, Id>
  /** Comments of the batch that are not added. */
  skipped: Set<Id>
}

async function findReferred(db: Trx, batch: Batch<ImportedComment>): Promise<Referred> {
  const { workspaceId, items, find, people } = batch
  const issues = await find(
    'issue',
    items.map(({ record }) => record.issue)
  )
  const threads = await find(
    'comment',
    items.map(({ record }) => record.replyTo)
  )
  return {
    issues,
    deletedIssues: await deletedIssues(db, workspaceId, [...issues.values()]),
    threads,
    accounts: await people(items.map(({ record }) => record.author)),
    skipped: new Set()
  }
}

/** @returns why it cannot be added, if so */
async function readComment(
  { id, record }: Item<ImportedComment>,
  { issues, deletedIssues, threads, accounts, skipped }: Referred,
  { workspaceId, actorId, now }: Batch<ImportedComment>
): Promise<NewComment | string> {
  const { issue, replyTo, author, body, bodyMarkdown = '', createdAt, updatedAt } = record
  const issueId = issues.get(issue)
  if (issueId === undefined) return `there is no issue '${issue}'`
  if (deletedIssues.has(issueId)) return `the issue '${issue}' was deleted here`
  const parentId = replyTo === undefined ? null : threads.get(replyTo)
  if (parentId === undefined || skipped.has(parentId ?? '')) return `there is no comment '${replyTo}' to reply to`
  const text = await readText(body, bodyMarkdown)
  if (typeof text === 'string') return text
  const created = new Date(createdAt ?? now)
  return {
    workspaceId,
    id,
    issueId,
    parentId,
    authorId: accounts.get(author ?? '') ?? actorId,
    tokenId: null,
    ...text,
    createdAt: created,
    updatedAt: new Date(updatedAt ?? created)
  }
}

/** The text of a comment as it is stored. @returns what is wrong with it, if so */
async function readText(raw: unknown, markdown: string): Promise<{ body: string; bodyMarkdown: string } | string> {
  const text = await readStoredRichText(raw, markdown)
  if (typeof text === 'string') return text
  return text.json === null ? 'it says nothing' : { body: text.json, bodyMarkdown: text.markdown }
}

async function deletedIssues(db: Trx, workspaceId: Id, ids: readonly Id[]): Promise<Set<Id>> {
  const rows = await db
    .selectFrom('issue')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .where('deletedAt', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Applies changes of comments in their source. */
const commentChanges = (ctx: Ctx): RecordChanges<ImportedComment> => ({
  fields: ['bodyMarkdown'],
  current: (workspaceId, ids) => sql`
    select c.id, md5(c.body_markdown) as "bodyMarkdown" from comment c
    join issue i on i.workspace_id = c.workspace_id and i.id = c.issue_id and i.deleted_at is null
    where ${notDeletedIn(workspaceId, 'c')} and c.id = any(${ids}::uuid[])`,
  async apply({ trx, caller, workspaceId, now, items, skip }) {
    const db: Trx = trx
    for (const item of items) {
      const { body, bodyMarkdown = '', updatedAt } = item.record
      const text = await readText(body, bodyMarkdown)
      if (typeof text === 'string') {
        skip(item, text)
        continue
      }
      const { issueId } = await db
        .updateTable('comment')
        .set({ ...text, updatedAt: new Date(updatedAt ?? now) })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', item.id)
        .returning('issueId')
        .executeTakeFirstOrThrow()
      await handleChange(ctx, caller, trx, { kind: 'updated', comments: [{ id: item.id, issueId }] })
      await ctx.emit(trx, commentUpdated, caller, [
        { subjectId: item.id, issueId, data: { changes: [{ field: 'body' }] } }
      ])
    }
  }
})
