import { Type } from 'typebox'
import type { Id } from '../../core/api/database/types.ts'
import { RawRichText, readStoredRichText } from '../../core/api/text.ts'
import {
  ExternalId,
  Person,
  recordKind,
  UNKNOWN_PERSON,
  When,
  type Batch,
  type Item,
  type RecordChanges,
  type RecordOf
} from '../transfer/contract.ts'
import { commentCreated, commentUpdated } from './contract.ts'
import { handleChange } from './write/changes.ts'
import type { Ctx, Trx } from './context.ts'
import {
  addComments,
  comparedComments,
  exportedComments,
  findDeletedIssues,
  lockIssues,
  updateImported,
  type NewComment
} from './queries/transfer.ts'
import { importQuestions, questionFields } from './questions/transfer.ts'

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

export const commentRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'comment',
    summary: 'A comment on an issue. It may directly follow its issue.',
    table: 'comment',
    fields,
    rows: exportedComments,
    changes: commentChanges(ctx),
    add: batch => importComments(ctx, batch)
  })

async function importComments(ctx: Ctx, batch: Batch<ImportedComment>): Promise<void> {
  const { trx, caller, workspaceId } = batch
  const db: Trx = trx
  const rows = await readComments(db, batch)
  if (rows.length === 0) return
  await lockIssues(
    db,
    workspaceId,
    rows.map(row => row.issueId)
  )
  await addComments(db, rows)
  await handleChange(ctx, caller, trx, { kind: 'created', comments: rows })
  await ctx.emit(
    trx,
    commentCreated,
    caller,
    rows.map(({ id, issueId, parentId = null }) => ({ subjectId: id, parentId: issueId, data: { parentId } }))
  )
  await importQuestions(ctx, db, batch, new Map(rows.map(row => [row.id, row])))
}

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

interface Referred {
  issues: ReadonlyMap<string, Id>
  deletedIssues: ReadonlySet<Id>
  threads: ReadonlyMap<string, Id>
  accounts: ReadonlyMap<string, Id>
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
    deletedIssues: await findDeletedIssues(db, workspaceId, [...issues.values()]),
    threads,
    accounts: await people(items.map(({ record }) => record.author ?? UNKNOWN_PERSON)),
    skipped: new Set()
  }
}

/** @returns the comment, or the reason for skipping it */
async function readComment(
  item: Item<ImportedComment>,
  { issues, deletedIssues, threads, accounts, skipped }: Referred,
  { workspaceId, now, noteCut }: Batch<ImportedComment>
): Promise<NewComment | string> {
  const { id, record } = item
  const { issue, replyTo, author = UNKNOWN_PERSON, body, bodyMarkdown = '', createdAt, updatedAt } = record
  const issueId = issues.get(issue)
  if (issueId === undefined) return `there is no issue '${issue}'`
  if (deletedIssues.has(issueId)) return `the issue '${issue}' was deleted here`
  const parentId = replyTo === undefined ? null : threads.get(replyTo)
  if (parentId === undefined || skipped.has(parentId ?? '')) return `there is no comment '${replyTo}' to reply to`
  const text = await readText(body, bodyMarkdown)
  if (typeof text === 'string') return text
  noteCut(item, text.cutCharacters)
  const created = new Date(createdAt ?? now)
  return {
    workspaceId,
    id,
    issueId,
    parentId,
    authorId: accounts.get(author)!,
    tokenId: null,
    body: text.body,
    bodyMarkdown: text.bodyMarkdown,
    createdAt: created,
    updatedAt: new Date(updatedAt ?? created)
  }
}

/** @returns the stored form of a comment's text, or its problem */
async function readText(
  raw: unknown,
  markdown: string
): Promise<{ body: string; bodyMarkdown: string; cutCharacters: number } | string> {
  const text = await readStoredRichText(raw, markdown)
  if (typeof text === 'string') return text
  const { json, markdown: bodyMarkdown, cutCharacters } = text
  return json === null ? 'it says nothing' : { body: json, bodyMarkdown, cutCharacters }
}

const commentChanges = (ctx: Ctx): RecordChanges<ImportedComment> => ({
  fields: ['bodyMarkdown'],
  current: comparedComments,
  async apply({ trx, caller, workspaceId, now, items, find, skip, noteCut }) {
    const db: Trx = trx
    const issues = await find(
      'issue',
      items.map(({ record }) => record.issue)
    )
    await lockIssues(db, workspaceId, [...issues.values()])
    for (const item of items) {
      const { body, bodyMarkdown = '', updatedAt } = item.record
      const text = await readText(body, bodyMarkdown)
      if (typeof text === 'string') {
        skip(item, text)
        continue
      }
      const stored = { body: text.body, bodyMarkdown: text.bodyMarkdown }
      const issueId = issues.get(item.record.issue)
      const at = new Date(updatedAt ?? now)
      if (issueId === undefined || !(await updateImported(db, workspaceId, { id: item.id, issueId }, stored, at))) {
        skip(item, `the comment is of another issue here than '${item.record.issue}'`)
        continue
      }
      noteCut(item, text.cutCharacters)
      await handleChange(ctx, caller, trx, { kind: 'updated', comments: [{ id: item.id, issueId }] })
      await ctx.emit(trx, commentUpdated, caller, [
        { subjectId: item.id, parentId: issueId, data: { changes: [{ field: 'body' }] } }
      ])
    }
  }
})
