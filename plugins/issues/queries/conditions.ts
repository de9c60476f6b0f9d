import { sql, type RawBuilder } from 'kysely'
import type { WorkspaceId } from '../../../core/db/workspace-rows.ts'

/*
 * Conditions over the row `issue` that follow from several fields.
 */

export const not = (condition: RawBuilder<boolean>) => sql<boolean>`not ${condition}`

/** Urgent is the greatest, none the least. */
export const urgencyOf = (priority: RawBuilder<unknown>) => sql`((5 - ${priority}) % 5)`

/** Whether the row of a workflow state, of this alias, is that of an open issue. */
export const isOpenState = (alias: 'state' | 'os' | 's') =>
  sql<boolean>`${sql.raw(alias)}.category not in ('COMPLETED', 'CANCELED')`

/** Whether an open issue is at the other end of a relation that blocks. */
export const openBlocker = (
  workspaceId: WorkspaceId,
  side: 'issue_id' | 'related_issue_id',
  other: 'issue_id' | 'related_issue_id'
) => sql<boolean>`exists (
  select 1 from issue_relation r
  join issue o on o.workspace_id = r.workspace_id and o.id = r.${sql.raw(other)} and o.deleted_at is null
  join workflow_state os on os.workspace_id = o.workspace_id and os.id = o.state_id
    and ${isOpenState('os')}
  where r.workspace_id = ${workspaceId} and r.${sql.raw(side)} = issue.id and r.type = 'BLOCKS'
    and r.deleted_at is null)`
export const isBlocked = (workspaceId: WorkspaceId) => openBlocker(workspaceId, 'related_issue_id', 'issue_id')
export const isParent = (workspaceId: WorkspaceId) => sql<boolean>`exists (
  select 1 from issue c
  where c.workspace_id = ${workspaceId} and c.parent_id = issue.id and c.deleted_at is null)`
export const isOpen = (workspaceId: WorkspaceId) => sql<boolean>`exists (
  select 1 from workflow_state s
  where s.workspace_id = ${workspaceId} and s.id = issue.state_id and ${isOpenState('s')})`
/** Whether the account that it is assigned to was removed. */
export const isAssigneeRemoved = (workspaceId: WorkspaceId) => sql<boolean>`exists (
  select 1 from account a
  where a.workspace_id = ${workspaceId} and a.id = issue.assignee_id and a.deleted_at is not null)`
