import { sql, type RawBuilder } from 'kysely'
import { hasRow } from '../../../../core/api/database/queries.ts'
import type { WorkspaceId } from '../../../../core/api/database/types.ts'

export const anyOf = (conditions: ReadonlyArray<RawBuilder<boolean>>) =>
  sql<boolean>`(${sql.join([sql`false`, ...conditions], sql` or `)})`

export const whereIssue = (workspaceId: WorkspaceId, conditions: ReadonlyArray<RawBuilder<boolean>>) =>
  sql.join([sql`issue.workspace_id = ${workspaceId}`, sql`issue.deleted_at is null`, ...conditions], sql` and `)

/** The key of a row of `issue`. */
export const keyOf = (workspaceId: WorkspaceId, row = 'issue') => sql<string>`
  (select identifier from team where team.workspace_id = ${workspaceId} and team.id = ${sql.ref(`${row}.team_id`)})
    || '-' || ${sql.ref(`${row}.number`)}`

export const not = (condition: RawBuilder<boolean>) => sql<boolean>`not ${condition}`

/** Urgent is the greatest, none the least. */
export const urgencyOf = (priority: RawBuilder<unknown>) => sql`((5 - ${priority}) % 5)`

export const isOpenState = (alias: 'state' | 'os' | 's') =>
  sql<boolean>`${sql.raw(alias)}.category not in ('COMPLETED', 'CANCELED')`

/** Blocking relations, with the open issue at one of their ends: `r`, `o`, and its state `os`. */
const blocksWithOpen = (workspaceId: WorkspaceId, end: 'issue_id' | 'related_issue_id', joins = sql``) => sql`
  issue_relation r
  join issue o on o.workspace_id = r.workspace_id and o.id = r.${sql.raw(end)} and o.deleted_at is null
  join workflow_state os on os.workspace_id = o.workspace_id and os.id = o.state_id
    and ${isOpenState('os')}
  ${joins}
  where r.workspace_id = ${workspaceId} and r.type = 'BLOCKS' and r.deleted_at is null`

/** The open issues that block the row `issue`, as `blocksWithOpen`. */
export const openBlockers = (workspaceId: WorkspaceId, joins = sql``) =>
  sql`${blocksWithOpen(workspaceId, 'issue_id', joins)} and r.related_issue_id = issue.id`

export const withTeam = sql`join team t on t.workspace_id = o.workspace_id and t.id = o.team_id`

/** True if an open issue blocks it: looked up for each row, for pages. */
export const isBlocked = (workspaceId: WorkspaceId) => hasRow(openBlockers(workspaceId))

/**
 * True if an issue is in a set: the set is read once and hashed, for whole boards. Without `is true` it would be a
 * join, and without statistics that compares each issue with the whole set.
 */
export const isIn = (ids: RawBuilder<unknown>) => sql<boolean>`((issue.id in (${ids})) is true)`
export const isAmongBlocked = (workspaceId: WorkspaceId) =>
  isIn(sql`select r.related_issue_id from ${blocksWithOpen(workspaceId, 'issue_id')}`)
export const isAmongBlocking = (workspaceId: WorkspaceId) =>
  isIn(sql`select r.issue_id from ${blocksWithOpen(workspaceId, 'related_issue_id')}`)
export const isParent = (workspaceId: WorkspaceId) =>
  isIn(sql`
  select c.parent_id from issue c
  where c.workspace_id = ${workspaceId} and c.parent_id is not null and c.deleted_at is null`)
export const isOpen = (workspaceId: WorkspaceId) => sql<boolean>`exists (
  select 1 from workflow_state s
  where s.workspace_id = ${workspaceId} and s.id = issue.state_id and ${isOpenState('s')})`
export const isAssigneeRemoved = (workspaceId: WorkspaceId) => sql<boolean>`exists (
  select 1 from account a
  where a.workspace_id = ${workspaceId} and a.id = issue.assignee_id and a.deleted_at is not null)`
