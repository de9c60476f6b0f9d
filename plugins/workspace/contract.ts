import type { ColumnType } from 'kysely'
import type { Id, Moment, Timestamp } from '../../core/db/tables.ts'
import { contract, point } from '../../core/plugin.ts'

/** In the order in which an issue passes through them, and in which they are listed. */
export const STATE_CATEGORIES = ['TRIAGE', 'BACKLOG', 'UNSTARTED', 'STARTED', 'COMPLETED', 'CANCELED'] as const
export type StateCategory = typeof STATE_CATEGORIES[number]

export interface WorkspaceTables {
  team: { workspaceId: Id, id: Id, identifier: string, name: string, createdAt: Timestamp, deletedAt: Moment }
  workflowState: { workspaceId: Id, id: Id, teamId: Id, name: string, category: StateCategory, position: number, color: string, createdAt: Timestamp, deletedAt: Moment }
  label: { workspaceId: Id, id: Id, name: string, color: string, createdAt: Timestamp, deletedAt: Moment }
  /** The settings of a workspace that its administrators change. */
  setting: { workspaceId: Id, key: string, value: ColumnType<unknown, string, string> }
}

/** Says how many things still use a record, so that it is not removed under them. */
export interface StateUse { countIssues (workspaceId: Id, stateId: Id): Promise<number> }
/** Asked before a workflow state is removed. */
export const stateUses = point<StateUse>('workspace.stateUses')

export const workspace = contract<object, WorkspaceTables>()('workspace')
