import { sql } from 'kysely'
import { daysBefore } from '../../../lib/util/days.ts'
import { notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id, Reader } from '../../../core/api/database/types.ts'
import { notFound } from '../../../core/api/errors.ts'
import type { IssuesDatabase } from '../contract.ts'
import type { Trx } from '../context.ts'

type Db = Reader<IssuesDatabase>

const MAX_KEPT = 50
const MAX_KEPT_BYTES = 4 * 1024 * 1024
const KEEP_DAYS = 3

export async function keepDescription(
  trx: Trx,
  workspaceId: Id,
  issueId: Id,
  { accountId, at }: { accountId: Id; at: Date },
  isTicks: boolean
): Promise<void> {
  // Raw: sums over the newest rows. Citus runs no statement that both removes and inserts a query's rows.
  await sql`
    delete from issue_former_description
    where workspace_id = ${workspaceId} and issue_id = ${issueId} and rev <= (
      select max(rev) from (
        select rev, row_number() over newest as n, sum(bytes) over newest as total from issue_former_description
        where workspace_id = ${workspaceId} and issue_id = ${issueId}
        window newest as (order by rev desc)) former
      where n >= ${MAX_KEPT} or (n > 1 and total > ${MAX_KEPT_BYTES}))`.execute(trx)
  await trx
    .insertInto('issueFormerDescription')
    .columns(['workspaceId', 'issueId', 'rev', 'markdown', 'replacedAt', 'replacedById', 'isTicks'])
    .expression(db =>
      db
        .selectFrom('issue')
        .select(({ val, cast }) => [
          'workspaceId',
          'id',
          'rev',
          'descriptionMarkdown',
          cast<Date>(val(at), 'timestamptz').as('replacedAt'),
          cast<Id>(val(accountId), 'uuid').as('replacedById'),
          cast<boolean>(val(isTicks), 'boolean').as('isTicks')
        ])
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', issueId)
    )
    .execute()
}

export async function removeFormerValues(trx: Trx, now: Date): Promise<void> {
  const before = daysBefore(now, KEEP_DAYS)
  await trx.deleteFrom('issueFormerDescription').where('replacedAt', '<', before).execute()
  await trx.deleteFrom('issueToldChange').where('toldAt', '<', before).execute()
}

export async function descriptionsSince(
  db: Db,
  workspaceId: Id,
  issueId: Id,
  rev: number
): Promise<{ rev: number; markdown: string; base: string | null }> {
  const issue = await db
    .selectFrom('issue')
    .select(['rev', 'descriptionMarkdown as markdown'])
    .where(notDeletedIn(workspaceId))
    .where('id', '=', issueId)
    .executeTakeFirst()
  if (issue === undefined) throw notFound('issue', issueId)
  // It was the same until the change that made the next stored revision.
  const first = await db
    .selectFrom('issueChange')
    .select(({ fn }) => fn.min('rev').as('rev'))
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where('change', '=', 'description')
    .where('rev', '>', rev)
    .executeTakeFirstOrThrow()
  if (first.rev === null) return { ...issue, base: issue.markdown }
  const former = await db
    .selectFrom('issueFormerDescription')
    .select('markdown')
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where('rev', '=', first.rev - 1)
    .executeTakeFirst()
  return { ...issue, base: former?.markdown ?? null }
}

export interface LaterChange {
  change: string
  by: string
  at: Date
  from: string | null
  to: string | null
}

/**
 * The last change of each field after a revision of a locked issue: by another account, or by the same with another
 * token, such as in another browser.
 */
export function changesAfter(
  trx: Trx,
  workspaceId: Id,
  issueId: Id,
  { fields, accountId, tokenId, rev }: { fields: readonly string[]; accountId: Id; tokenId: Id | null; rev: number }
): Promise<LaterChange[]> {
  return otherChanges(trx, workspaceId, issueId, fields)
    .where('h.rev', '>', rev)
    .where(({ eb }) => eb('h.actorId', '<>', accountId).or('h.tokenId', 'is distinct from', tokenId))
    .execute()
}

/**
 * The last change of each field by another account since a time, if it was not reported to the account; a description
 * counts if more than ticks of it changed.
 */
export function unreportedChanges(
  trx: Trx,
  workspaceId: Id,
  issueId: Id,
  { fields, accountId, since }: { fields: readonly string[]; accountId: Id; since: Date }
): Promise<LaterChange[]> {
  return otherChanges(trx, workspaceId, issueId, fields)
    .where('h.actorId', '<>', accountId)
    .where('h.at', '>', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('issueToldChange as told')
            .select('told.rev')
            .where('told.workspaceId', '=', workspaceId)
            .where('told.issueId', '=', issueId)
            .where('told.accountId', '=', accountId)
            .whereRef('told.rev', '>=', 'h.rev')
        )
      )
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('issueFormerDescription as former')
            .select('former.rev')
            .where('former.workspaceId', '=', workspaceId)
            .where('former.issueId', '=', issueId)
            .where('former.isTicks', '=', true)
            .where('h.change', '=', 'description')
            .whereRef('former.rev', '=', ({ eb }) => eb('h.rev', '-', 1))
        )
      )
    )
    .execute()
}

const otherChanges = (trx: Trx, workspaceId: Id, issueId: Id, fields: readonly string[]) =>
  trx
    .selectFrom('issueChange as h')
    .innerJoin('account as a', join =>
      join.onRef('a.workspaceId', '=', 'h.workspaceId').onRef('a.id', '=', 'h.actorId')
    )
    .distinctOn('h.change')
    .select(['h.change', 'a.fullname as by', 'h.at', 'h.fromName as from', 'h.toName as to'])
    .where('h.workspaceId', '=', workspaceId)
    .where('h.issueId', '=', issueId)
    .where('h.change', '=', sql<string>`any(${fields}::text[])`)
    .orderBy('h.change')
    .orderBy('h.at', 'desc')
    .orderBy('h.rev', 'desc')

export const storeReported = (
  trx: Trx,
  workspaceId: Id,
  report: { issueId: Id; accountId: Id; rev: number; toldAt: Date }
): Promise<unknown> =>
  trx
    .insertInto('issueToldChange')
    .values({ workspaceId, ...report })
    .onConflict(conflict =>
      conflict.columns(['workspaceId', 'issueId', 'accountId']).doUpdateSet({ rev: report.rev, toldAt: report.toldAt })
    )
    .execute()
