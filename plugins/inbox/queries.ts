import { sql, type Insertable, type Transaction } from 'kysely'
import {
  insertGroups,
  iso,
  jsonObject,
  jsonRow,
  mayBeNamed,
  newId,
  notDeletedIn,
  removeRows
} from '../../core/api/database/queries.ts'
import type { CoreTables, Id, Reader } from '../../core/api/database/types.ts'
import type { DocJson } from '../../lib/rich-text/index.ts'
import type { IssueFilter, IssuesTables } from '../issues/contract.ts'
import type { WorkspaceTables } from '../workspace/contract.ts'
import { AT_SIGNS } from '../../lib/words/mentions.ts'
import type { InboxTables, Reason } from './contract.ts'

type Tables = CoreTables & WorkspaceTables & IssuesTables & InboxTables
type Db = Reader<Tables>
type Trx = Transaction<Tables>

export const MAX_COUNTED = 1_000
/** Maximum administrators who are notified of a question without addressees, on an issue without watchers. */
const MAX_ADMINISTRATORS = 100

export type NewEntry = Omit<Insertable<InboxTables['inboxEntry']>, 'workspaceId' | 'id' | 'readAt'>

interface Watcher {
  id: Id
  kind: 'PERSON' | 'AGENT'
}

/** Recipients of an issue's notifications: creator, assignee and watchers, except accounts that have muted it. */
export async function listWatchers(db: Db, workspaceId: Id, issueId: Id): Promise<Watcher[]> {
  // Raw: an array of two columns as rows, in a union. With an array of ids, each account is looked up by key: without
  // statistics, the planner would scan all watches for each account.
  const { rows } = await sql<Watcher>`
    select a.id, a.kind from account a
    where a.workspace_id = ${workspaceId} and a.deleted_at is null and a.id = any(array(
      select unnest(array[i.created_by_id, i.assignee_id]) from issue i
      where i.workspace_id = ${workspaceId} and i.id = ${issueId}
      union
      select w.account_id from inbox_watch w
      where w.workspace_id = ${workspaceId} and w.issue_id = ${issueId} and w.is_watching
      except
      select w.account_id from inbox_watch w
      where w.workspace_id = ${workspaceId} and w.issue_id = ${issueId} and not w.is_watching))
    order by a.id`.execute(db)
  return rows
}

export const listAdministrators = (db: Db, workspaceId: Id): Promise<Watcher[]> =>
  db
    .selectFrom('account')
    .select(['id', 'kind'])
    .where(notDeletedIn(workspaceId))
    .where('kind', '=', 'PERSON')
    .where('role', '=', 'ADMIN')
    .orderBy('id')
    .limit(MAX_ADMINISTRATORS)
    .execute()

export async function listMentioning(db: Db, workspaceId: Id, issueIds: readonly Id[]): Promise<ReadonlySet<Id>> {
  const rows = await db
    .selectFrom('issue')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', sql<Id>`any(${issueIds}::uuid[])`)
    .where(({ eb, or }) => or(AT_SIGNS.map(sign => eb('descriptionMarkdown', 'like', `%${sign}%`))))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function findDescription(db: Db, workspaceId: Id, issueId: Id): Promise<DocJson | undefined> {
  const row = await db
    .selectFrom('issue')
    .select(sql<DocJson | null>`description`.as('doc'))
    .where(notDeletedIn(workspaceId))
    .where('id', '=', issueId)
    .executeTakeFirst()
  return row?.doc ?? undefined
}

/** True if the change of state completes an issue with unmet criteria. */
export async function isClosedUnmet(
  db: Db,
  workspaceId: Id,
  issueId: Id,
  { from, to }: { from: Id; to: Id }
): Promise<boolean> {
  const row = await db
    .selectFrom('issue')
    .select('issue.id')
    .innerJoin('workflowState as state', join => join.on('state.workspaceId', '=', workspaceId).on('state.id', '=', to))
    .innerJoin('workflowState as former', join =>
      join.on('former.workspaceId', '=', workspaceId).on('former.id', '=', from)
    )
    .where(notDeletedIn(workspaceId, 'issue'))
    .where('issue.id', '=', issueId)
    .where('state.category', '=', 'COMPLETED')
    .where('former.category', '<>', 'COMPLETED')
    .whereRef('issue.criteriaMet', '<', 'issue.criteriaTotal')
    .executeTakeFirst()
  return row !== undefined
}

export const listNamed = (db: Db, workspaceId: Id, names: readonly string[]) =>
  db
    .selectFrom('account')
    .select(['id', 'fullname', 'email'])
    .where(notDeletedIn(workspaceId))
    .where(eb => eb.or([mayBeNamed(eb.ref('fullname'), names), mayBeNamed(eb.ref('email'), names)]))
    .orderBy('id')
    .execute()

/** Locks accounts before entries of their inboxes, in one order, to avoid deadlocks. */
export async function lockInboxes(trx: Trx, workspaceId: Id, accountIds: readonly Id[]): Promise<void> {
  await trx
    .selectFrom('account')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${accountIds}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * Adds entries to locked inboxes. An existing entry becomes unread when its reason occurs again; a mention is notified
 * once, however often its text is edited.
 * @returns the entries that are new or unread again
 */
export async function addEntries(
  trx: Trx,
  workspaceId: Id,
  entries: readonly NewEntry[]
): Promise<Array<{ id: Id; accountId: Id; reason: Reason; issueId: Id }>> {
  const added = []
  for (const group of insertGroups(entries)) {
    const rows = await trx
      .insertInto('inboxEntry')
      .values(group.map(entry => ({ workspaceId, id: newId(), ...entry })))
      .onConflict(conflict =>
        conflict
          .columns(['workspaceId', 'accountId', 'subjectId', 'reason'])
          .doUpdateSet(({ ref }) => ({ at: ref('excluded.at'), actorId: ref('excluded.actorId'), readAt: null }))
          .where(sql<boolean>`inbox_entry.at < excluded.at and inbox_entry.reason <> 'mentioned'`)
      )
      .returning(['id', 'accountId', 'reason', 'issueId'])
      .execute()
    added.push(...rows)
  }
  return added
}

/** Makes accounts watch issues, unless they have muted them. */
export async function addWatchers(
  trx: Trx,
  workspaceId: Id,
  watchers: ReadonlyArray<{ issueId: Id; accountId: Id }>
): Promise<void> {
  for (const group of insertGroups(watchers)) {
    await trx
      .insertInto('inboxWatch')
      .values(group.map(watcher => ({ workspaceId, ...watcher, isWatching: true })))
      .onConflict(conflict => conflict.columns(['workspaceId', 'issueId', 'accountId']).doNothing())
      .execute()
  }
}

/** True if an account gets an issue's notifications: as watcher, creator or assignee, unless it has muted the issue. */
export async function isWatching(db: Db, workspaceId: Id, issueId: Id, accountId: Id): Promise<boolean> {
  const row = await db
    .selectFrom('issue')
    .leftJoin('inboxWatch as watch', join =>
      join
        .on('watch.workspaceId', '=', workspaceId)
        .onRef('watch.issueId', '=', 'issue.id')
        .on('watch.accountId', '=', accountId)
    )
    .select(({ eb, or }) => [
      'watch.isWatching',
      or([eb('issue.createdById', '=', accountId), eb('issue.assigneeId', '=', accountId)]).as('isOwn')
    ])
    .where('issue.workspaceId', '=', workspaceId)
    .where('issue.id', '=', issueId)
    .executeTakeFirst()
  return row?.isWatching ?? row?.isOwn === true
}

export const watchingFilter: IssueFilter = {
  key: 'watching',
  condition: ({ workspaceId, accountId }) => {
    const watched = (isWatching: boolean) => sql`(
      select w.issue_id from inbox_watch w
      where w.workspace_id = ${workspaceId} and w.account_id = ${accountId} and w.is_watching = ${isWatching})`
    return sql`(issue.id in ${watched(true)} or issue.id not in ${watched(false)}
      and (issue.created_by_id = ${accountId} or issue.assignee_id is not distinct from ${accountId}::uuid))`
  }
}

/** @returns true if that is a change */
export async function setWatching(
  trx: Trx,
  watch: { workspaceId: Id; issueId: Id; accountId: Id; isWatching: boolean }
): Promise<boolean> {
  const changed = await trx
    .insertInto('inboxWatch')
    .values(watch)
    .onConflict(conflict =>
      conflict
        .columns(['workspaceId', 'issueId', 'accountId'])
        .doUpdateSet(({ ref }) => ({ isWatching: ref('excluded.isWatching') }))
        .where(sql<boolean>`inbox_watch.is_watching <> excluded.is_watching`)
    )
    .returning('accountId')
    .execute()
  return changed.length > 0
}

export const listOwners = (db: Db, workspaceId: Id, subjectIds: readonly Id[]) =>
  db
    .selectFrom('inboxEntry')
    .select('accountId')
    .distinct()
    .where('workspaceId', '=', workspaceId)
    .where('subjectId', '=', sql<Id>`any(${subjectIds}::uuid[])`)
    .execute()

export type Marked = { ids: readonly Id[] } | { before: Date } | { questionIds: readonly Id[] }

/** @returns the accounts whose entries were unread before */
export const markRead = (
  trx: Trx,
  workspaceId: Id,
  marked: Marked,
  { accountId, at }: { accountId?: Id; at: Date }
): Promise<Array<{ accountId: Id }>> => {
  let query = trx
    .updateTable('inboxEntry')
    .set({ readAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('readAt', 'is', null)
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  if ('ids' in marked) query = query.where('id', '=', sql<Id>`any(${marked.ids}::uuid[])`)
  else if ('before' in marked) query = query.where('at', '<=', marked.before)
  else {
    query = query.where('reason', '=', 'asked').where('subjectId', '=', sql<Id>`any(${marked.questionIds}::uuid[])`)
  }
  return query.returning('accountId').execute()
}

export const removeOfSubjects = (trx: Trx, workspaceId: Id, subjectIds: readonly Id[]) =>
  trx
    .deleteFrom('inboxEntry')
    .where('workspaceId', '=', workspaceId)
    .where('subjectId', '=', sql<Id>`any(${subjectIds}::uuid[])`)
    .execute()

export async function removeOfIssues(trx: Trx, workspaceId: Id, issueIds: readonly Id[]): Promise<void> {
  for (const table of ['inboxEntry', 'inboxWatch'] as const) {
    await trx
      .deleteFrom(table)
      .where('workspaceId', '=', workspaceId)
      .where('issueId', '=', sql<Id>`any(${issueIds}::uuid[])`)
      .execute()
  }
}

/** In all workspaces. */
export const removeReadBefore = (db: Db, at: Date) =>
  removeRows(db, 'inbox_entry', ['workspace_id', 'id'], sql`old.read_at < ${at}`)

export interface PagePosition {
  at: Date
  id: Id
}

const issueIsNotDeleted = (workspaceId: Id) => sql<boolean>`exists (
  select 1 from issue i where i.workspace_id = ${workspaceId} and i.id = e.issue_id and i.deleted_at is null)`
const entryJson = (workspaceId: Id) =>
  jsonObject({
    id: sql`e.id`,
    reason: sql`e.reason`,
    at: iso('e.at'),
    readAt: iso('e.read_at'),
    actor: jsonRow(sql`
      select a.id, a.fullname from account a where a.workspace_id = ${workspaceId} and a.id = e.actor_id`),
    subject: jsonRow(sql`select e.subject_type as type, e.subject_id as id`),
    issue: jsonRow(sql`
      select i.id, t.identifier || '-' || i.number as key, i.title from issue i
      join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
      where i.workspace_id = ${workspaceId} and i.id = e.issue_id`)
  })

export async function listEntries(
  db: Db,
  workspaceId: Id,
  accountId: Id,
  { unread, after, limit }: { unread: boolean; after: PagePosition | undefined; limit: number }
): Promise<Array<{ json: string; at: Date; id: Id }>> {
  // Raw: fragments that other statements share, and a comparison of rows.
  const { rows } = await sql<{ json: string; at: Date; id: Id }>`
    select (${entryJson(workspaceId)})::text as json, e.at, e.id from inbox_entry e
    where e.workspace_id = ${workspaceId} and e.account_id = ${accountId} and ${issueIsNotDeleted(workspaceId)}
      ${unread ? sql`and e.read_at is null` : sql``}
      ${after ? sql`and (e.at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
    order by e.at desc, e.id desc limit ${limit}`.execute(db)
  return rows
}

export async function countUnread(db: Db, workspaceId: Id, accountId: Id): Promise<number> {
  // Raw: it shares a condition with the list above.
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from inbox_entry e
      where e.workspace_id = ${workspaceId} and e.account_id = ${accountId} and e.read_at is null
        and ${issueIsNotDeleted(workspaceId)}
      limit ${MAX_COUNTED}) counted`.execute(db)
  return rows[0]!.n
}
