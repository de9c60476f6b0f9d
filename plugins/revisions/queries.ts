import { sql, type RawBuilder } from 'kysely'
import type { Id } from '../../core/api/database/types.ts'
import { ONE_EDIT_MS, type SubjectType } from './contract.ts'
import type { Db, Trx } from './context.ts'

const MAX_KEPT = 50
const MAX_KEPT_BYTES = 4 * 1024 * 1024

export interface Subject {
  type: SubjectType
  id: Id
}
interface Author {
  accountId: Id
  at: Date
}

/** Columns: `id`, `issue_id`, `markdown`. */
const presentText = (workspaceId: Id, { type, id }: Subject): RawBuilder<unknown> =>
  type === 'issue'
    ? sql`
      select i.id, i.id as issue_id, i.description_markdown as markdown from issue i
      where i.workspace_id = ${workspaceId} and i.id = ${id}`
    : sql`
      select c.id, c.issue_id, c.body_markdown as markdown from comment c
      where c.workspace_id = ${workspaceId} and c.id = ${id}`

/**
 * Called before an edit of a locked subject; stores nothing that is of the same edit.
 * @param next the new text, if the edit may be none
 */
export async function keepText(
  trx: Trx,
  workspaceId: Id,
  subject: Subject,
  { accountId, at }: Author,
  next?: string
): Promise<void> {
  const oneEditSince = new Date(at.getTime() - ONE_EDIT_MS)
  // Raw: the text never leaves the database, and the newest revision is read once.
  const { rows } = await sql<Kept>`
    insert into text_revision
      (workspace_id, subject_type, subject_id, n, issue_id, markdown, total_bytes, edited_at, edited_by_id)
    select ${workspaceId}::uuid, ${subject.type}::text, present.id, coalesce(newest.n, 0) + 1, present.issue_id,
      present.markdown, coalesce(newest.total_bytes, 0) + octet_length(present.markdown), ${at}::timestamptz,
      ${accountId}::uuid
    from (${presentText(workspaceId, subject)}) present
    left join (
      select r.n, r.total_bytes, r.edited_at, r.edited_by_id from text_revision r
      where r.workspace_id = ${workspaceId} and r.subject_type = ${subject.type} and r.subject_id = ${subject.id}
      order by r.n desc limit 1) newest on true
    where (newest.n is null or newest.edited_by_id <> ${accountId} or newest.edited_at <= ${oneEditSince})
      ${next === undefined ? sql`` : sql`and present.markdown <> ${next}`}
    returning n, total_bytes`.execute(trx)
  const [kept] = rows
  if (kept && (kept.n > MAX_KEPT || kept.totalBytes > MAX_KEPT_BYTES)) {
    await removeOldest(trx, workspaceId, subject, kept)
  }
}

interface Kept {
  n: number
  totalBytes: number
}

/** But not the newest one. */
const removeOldest = (trx: Trx, workspaceId: Id, { type, id }: Subject, { n, totalBytes }: Kept) =>
  trx
    .deleteFrom('textRevision')
    .where('workspaceId', '=', workspaceId)
    .where('subjectType', '=', type)
    .where('subjectId', '=', id)
    .where('n', '<', n)
    .where(eb =>
      eb.or([eb('n', '<=', n - MAX_KEPT), eb(eb('totalBytes', '-', eb.ref('bytes')), '<', totalBytes - MAX_KEPT_BYTES)])
    )
    .execute()

const ofSubject = (db: Db, workspaceId: Id, { type, id }: Subject) =>
  db
    .selectFrom('textRevision as r')
    .innerJoin('account as by', join => join.on('by.workspaceId', '=', workspaceId).onRef('by.id', '=', 'r.editedById'))
    .select(['r.n', 'r.editedAt', 'by.id as byId', 'by.fullname as by'])
    .where('r.workspaceId', '=', workspaceId)
    .where('r.subjectType', '=', type)
    .where('r.subjectId', '=', id)

export const listRevisions = (db: Db, workspaceId: Id, subject: Subject) =>
  ofSubject(db, workspaceId, subject).orderBy('r.n', 'desc').execute()

/** Undefined when it is not stored. */
export const findRevision = (db: Db, workspaceId: Id, subject: Subject, n: number) =>
  ofSubject(db, workspaceId, subject)
    .select([
      'r.markdown as before',
      sql<string>`coalesce(
        (select later.markdown from text_revision later
          where later.workspace_id = ${workspaceId} and later.subject_type = r.subject_type
            and later.subject_id = r.subject_id and later.n = r.n + 1),
        (select present.markdown from (${presentText(workspaceId, subject)}) present))`.as('after')
    ])
    .where('r.n', '=', n)
    .executeTakeFirst()

export const removeOfIssues = (trx: Trx, workspaceId: Id, issueIds: readonly Id[]) =>
  trx
    .deleteFrom('textRevision')
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', sql<Id>`any(${issueIds}::uuid[])`)
    .execute()

export const removeOfComments = (trx: Trx, workspaceId: Id, ids: readonly Id[]) =>
  trx
    .deleteFrom('textRevision')
    .where('workspaceId', '=', workspaceId)
    .where('subjectType', '=', 'comment')
    .where('subjectId', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()
