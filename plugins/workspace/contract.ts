import { contract, point, type Caller, type Principal } from '../../core/contract.ts'
import type { Handle, Id, Moment, ReadHandle, Timestamp, TransactionHandle } from '../../core/db/tables.ts'
import type { StateCategory } from './state-categories.ts'

export interface WorkspaceTables {
  team: { workspaceId: Id; id: Id; identifier: string; name: string; createdAt: Timestamp; deletedAt: Moment }
  workflowState: {
    workspaceId: Id
    id: Id
    teamId: Id
    name: string
    category: StateCategory
    position: number
    color: string
    createdAt: Timestamp
    deletedAt: Moment
  }
  label: { workspaceId: Id; id: Id; name: string; color: string; createdAt: Timestamp; deletedAt: Moment }
}

export interface TeamRef {
  id: Id
  identifier: string
  name: string
}

export interface WorkspaceServices {
  /** By id or by identifier, in any case. @throws 404 */
  findTeam(caller: Caller, db: ReadHandle, ref: string): Promise<TeamRef>
  /** By id, identifier or name, in any case. @throws 400 that lists the teams */
  teamNamed(caller: Caller, db: ReadHandle, ref: string): Promise<TeamRef>
  /** The ids of labels by their names in lower case; those that are not there are made. */
  labelsNamed(caller: Caller, trx: TransactionHandle, names: readonly string[], at: Date): Promise<Map<string, Id>>
}
export const workspace = contract<WorkspaceServices, WorkspaceTables>()('workspace')

/** Counts what still needs a record; while there is any, the record cannot be removed. */
export type UseCount = (db: Handle, workspaceId: Id, what: 'team' | 'workflowState', id: Id) => Promise<number>
export const useCounts = point<UseCount>()(workspace, 'useCounts')

/** What follows from a state's new category, in the transaction that sets it; the state is locked. */
export type CategoryChange = (
  caller: Principal,
  trx: TransactionHandle,
  change: { stateId: Id; from: StateCategory; to: StateCategory }
) => Promise<void>
export const categoryChanges = point<CategoryChange>()(workspace, 'categoryChanges')

export * from './state-categories.ts'
