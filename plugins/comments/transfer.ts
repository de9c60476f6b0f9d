import { sql, type Insertable, type Transaction } from 'kysely'
import { Type } from 'typebox'
import { existing } from '../../core/db/existing.ts'
import { iso } from '../../core/db/sql.ts'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import { RawRichText, unlikeMarkdown } from '../../core/rich-text-field.ts'
import { readStoredRichText } from '../../core/text/conversions.ts'
import type { IssuesTables } from '../issues/contract.ts'
import { ExternalId, Person, recordKind, When, type RecordChanges } from '../transfer/contract.ts'
import { commentCreated, commentUpdated, type CommentsTables } from './contract.ts'
import { handleChange } from './changes.ts'
import type { Ctx } from './context.ts'
import { importQuestions, questionColumns, questionFields } from './questions/transfer.ts'

type Trx = Transaction<CoreTables & IssuesTables & CommentsTables>

/** Comments, each before the replies to it. */
export const commentRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'comment',
    summary: 'A comment on an issue. It may stand right after its issue.',
    table: 'comment',
    fields: {
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
    },
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
    where ${existing(workspaceId, 'c')} and p.deleted_at is null
    order by t.identifier, i.number, c.created_at, c.parent_id is not null, 1`,
    changes: commentChanges(ctx),
    async add(batch) {
      const { trx, caller, workspaceId, actorId, now, items, find, people, skip } = batch
      const db: Trx = trx
      const issues = await find(
        'issue',
        items.map(({ record }) => record.issue)
      )
      const deleted = await deletedIssues(db, workspaceId, [...issues.values()])
      const threads = await find(
        'comment',
        items.map(({ record }) => record.replyTo)
      )
      const accounts = await people(items.map(({ record }) => record.author))
      const skipped = new Set<Id>()
      const rows: Array<Insertable<CommentsTables['comment']> & { createdAt: Date }> = []
      for (const item of items) {
        const {
          record: { issue, replyTo, author, body, bodyMarkdown = '', createdAt, updatedAt },
          id
        } = item
        const leave = (reason: string) => {
          skip(item, reason)
          skipped.add(id)
        }
        const issueId = issues.get(issue)
        const parentId = replyTo === undefined ? null : threads.get(replyTo)
        if (issueId === undefined) {
          leave(`there is no issue '${issue}'`)
          continue
        }
        if (deleted.has(issueId)) {
          leave(`the issue '${issue}' was deleted here`)
          continue
        }
        if (parentId === undefined || skipped.has(parentId ?? '')) {
          leave(`there is no comment '${replyTo}' to reply to`)
          continue
        }
        const text = await readStoredRichText(body, bodyMarkdown)
        if (typeof text === 'string' || text.json === null) {
          leave(typeof text === 'string' ? text : 'it says nothing')
          continue
        }
        const created = new Date(createdAt ?? now)
        rows.push({
          workspaceId,
          id,
          issueId,
          parentId,
          authorId: accounts.get(author ?? '') ?? actorId,
          tokenId: null,
          body: text.json,
          bodyMarkdown: text.markdown,
          createdAt: created,
          updatedAt: new Date(updatedAt ?? created)
        })
      }
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
  })

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

interface ImportedComment {
  bodyMarkdown?: string
  body?: unknown
  updatedAt?: string
}

/** A comment that was edited where it comes from. */
const commentChanges = (ctx: Ctx): RecordChanges<ImportedComment> => ({
  fields: ['bodyMarkdown'],
  current: (workspaceId, ids) => sql`
    select c.id, md5(c.body_markdown) as "bodyMarkdown" from comment c
    join issue i on i.workspace_id = c.workspace_id and i.id = c.issue_id and i.deleted_at is null
    where ${existing(workspaceId, 'c')} and c.id = any(${ids}::uuid[])`,
  async apply({ trx, caller, workspaceId, now, items, skip }) {
    const db: Trx = trx
    for (const item of items) {
      const { body, bodyMarkdown = '', updatedAt } = item.record
      const text = await readStoredRichText(body, bodyMarkdown)
      if (typeof text === 'string' || text.json === null) {
        skip(item, typeof text === 'string' ? text : 'it says nothing')
        continue
      }
      const { issueId } = await db
        .updateTable('comment')
        .set({ body: text.json, bodyMarkdown: text.markdown, updatedAt: new Date(updatedAt ?? now) })
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
