import { sql, type RawBuilder } from 'kysely'
import type { Id, Reader } from '../../../core/api/database/types.ts'
import type { IssueRef, IssuesDatabase } from '../contract.ts'
import { parseIssueName } from '../keys.ts'
import type { State } from '../queries/read/lookup.ts'
import { keyOf } from '../queries/filter/conditions.ts'
import { revised, type Author, type Revision } from '../queries/write/write.ts'
import type { Trx } from '../context.ts'

/** Over the row `issue`: it was deleted, and can be restored. What uses it is raw SQL. */
const isInTrash = (workspaceId: Id) => sql<boolean>`
  issue.workspace_id = ${workspaceId} and issue.deleted_at is not null and issue.purged_at is null`

export const listTrash = (workspaceId: Id): RawBuilder<unknown> => sql`
  select issue.id, ${keyOf(workspaceId)} as key, issue.title, issue.deleted_at, issue.updated_by_id as deleted_by_id
  from issue where ${isInTrash(workspaceId)}`

export async function findInTrash(
  db: Reader<IssuesDatabase>,
  workspaceId: Id,
  ref: string
): Promise<IssueRef | undefined> {
  const name = parseIssueName(ref)
  if (name === undefined) return undefined
  const isNamed =
    'id' in name
      ? sql`issue.id = ${name.id}`
      : sql`issue.number = ${name.number} and issue.team_id = any(array(
          select t.id from team t where t.workspace_id = ${workspaceId} and upper(t.identifier) = ${name.identifier}))`
  const { rows } = await sql<IssueRef>`
    select issue.id, ${keyOf(workspaceId)} as key, issue.team_id, issue.title
    from issue where ${isInTrash(workspaceId)} and ${isNamed} order by issue.id limit 1`.execute(db)
  return rows[0]
}

export interface TrashedIssue {
  id: Id
  key: string
  team: { id: Id; identifier: string; isDeleted: boolean }
  state: State & { isDeleted: boolean }
  parent: { id: Id; key: string; isDeleted: boolean } | null
}

export async function lockTrashed(trx: Trx, workspaceId: Id, id: Id, detachedIds: readonly Id[]): Promise<void> {
  await trx
    .selectFrom('issue')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${[id, ...detachedIds]}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function readTrashed(trx: Trx, workspaceId: Id, id: Id): Promise<TrashedIssue | undefined> {
  const { rows } = await sql<TrashedIssue>`
    select issue.id, ${keyOf(workspaceId)} as key,
      json_build_object('id', team.id, 'identifier', team.identifier, 'isDeleted', team.deleted_at is not null) as team,
      json_build_object('id', state.id, 'name', state.name, 'category', state.category,
        'isDeleted', state.deleted_at is not null) as state,
      (select json_build_object('id', p.id, 'key', pt.identifier || '-' || p.number,
          'isDeleted', p.deleted_at is not null)
        from issue p join team pt on pt.workspace_id = ${workspaceId} and pt.id = p.team_id
        where p.workspace_id = ${workspaceId} and p.id = issue.parent_id) as parent
    from issue
    join team on team.workspace_id = ${workspaceId} and team.id = issue.team_id
    join workflow_state state on state.workspace_id = ${workspaceId} and state.id = issue.state_id
    where ${isInTrash(workspaceId)} and issue.id = ${id}`.execute(trx)
  return rows[0]
}

/**
 * The issues without a parent that were sub-issues of one in the trash: they were detached when it was deleted, or when
 * they were restored before it.
 */
export async function findDetached(trx: Trx, workspaceId: Id, id: Id): Promise<Id[]> {
  // Raw: the history names the parent by its key, which a deleted issue keeps.
  const { rows } = await sql<{ id: Id }>`
    select distinct child.id from issue parent
    join issue_change h on h.workspace_id = ${workspaceId} and h.change = 'parent' and h.to_name is null
      and h.from_name = (select t.identifier from team t where t.workspace_id = ${workspaceId}
        and t.id = parent.team_id) || '-' || parent.number
      and h.at >= parent.deleted_at
    join issue child on child.workspace_id = ${workspaceId} and child.id = h.issue_id
      and child.parent_id is null and child.purged_at is null
    where parent.workspace_id = ${workspaceId} and parent.id = ${id} and parent.deleted_at is not null`.execute(trx)
  return rows.map(row => row.id)
}

export async function attachSubIssues(
  trx: Trx,
  workspaceId: Id,
  parentId: Id,
  ids: readonly Id[],
  author: Author
): Promise<Revision[]> {
  const children = trx
    .updateTable('issue')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .where('parentId', 'is', null)
  await children.where('deletedAt', 'is not', null).set({ parentId }).execute()
  return children
    .where('deletedAt', 'is', null)
    .set({ parentId, ...revised(author) })
    .returning(['id', 'rev', keyOf(workspaceId).as('key')])
    .execute()
}

export async function blockedBy(trx: Trx, workspaceId: Id, issueId: Id): Promise<Id[]> {
  const rows = await trx
    .selectFrom('issueRelation as r')
    .innerJoin('issue as o', join => join.on('o.workspaceId', '=', workspaceId).onRef('o.id', '=', 'r.relatedIssueId'))
    .select('o.id')
    .where('r.workspaceId', '=', workspaceId)
    .where('r.issueId', '=', issueId)
    .where('r.type', '=', 'BLOCKS')
    .where('r.deletedAt', 'is', null)
    .where('o.deletedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export type PurgeSelection = { id: Id } | { before: Date; limit: number }

export async function lockForPurge(trx: Trx, workspaceId: Id, selection: PurgeSelection): Promise<Id[]> {
  const chosen =
    'id' in selection
      ? sql`select ${selection.id}::uuid as id`
      : sql`select issue.id from issue where ${isInTrash(workspaceId)} and issue.deleted_at < ${selection.before}
          order by issue.deleted_at, issue.id limit ${selection.limit}`
  const { rows } = await sql<{ id: Id }>`
    select issue.id from issue where ${isInTrash(workspaceId)} and issue.id in (${chosen})
    order by issue.id for no key update`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Empties locked issues in the trash. Their rows stay, so that their keys and names elsewhere are not given again. */
export async function purgeRows(trx: Trx, workspaceId: Id, ids: readonly Id[], at: Date): Promise<void> {
  await trx
    .updateTable('issue')
    .set({
      title: '',
      description: null,
      descriptionMarkdown: '',
      described: false,
      criteriaMet: 0,
      criteriaTotal: 0,
      purgedAt: at
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()
  const ofIssues = sql<boolean>`issue_id = any(${ids}::uuid[])`
  for (const table of ['issueLink', 'issueChange', 'issueFormerDescription', 'issueToldChange'] as const) {
    await trx.deleteFrom(table).where('workspaceId', '=', workspaceId).where(ofIssues).execute()
  }
  await trx
    .deleteFrom('issueRelation')
    .where('workspaceId', '=', workspaceId)
    .where(eb => eb.or([ofIssues, sql<boolean>`related_issue_id = any(${ids}::uuid[])`]))
    .execute()
}
