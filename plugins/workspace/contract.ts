import type { ColumnType, RawBuilder } from 'kysely'
import { Type, type TSchema } from 'typebox'
import { contract, point, type Caller, type Principal } from '../../core/api/contract.ts'
import type {
  DatabaseHandle,
  Id,
  Moment,
  Timestamp,
  TransactionHandle,
  WorkspaceId
} from '../../core/api/database/types.ts'
import { ChangesData, eventType } from '../../core/api/events.ts'
import { Closed, IdText } from '../../core/api/schemas.ts'
import type { ClosingCriteria } from './closing-criteria.ts'
import { STATE_CATEGORIES, type StateCategory } from './state-categories.ts'

export interface WorkspaceTables {
  team: {
    workspaceId: Id
    id: Id
    identifier: string
    name: string
    closingCriteria: ColumnType<ClosingCriteria, ClosingCriteria | undefined, ClosingCriteria>
    createdAt: Timestamp
    deletedAt: Moment
  }
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
  label: {
    workspaceId: Id
    id: Id
    name: string
    color: string
    createdAt: Timestamp
    deletedAt: Moment
    /** Null: unknown. */
    deletedById: ColumnType<Id | null, null | undefined, Id | null>
    /** For good: its name is gone. */
    purgedAt: ColumnType<Date | null, null | undefined, Date>
  }
}

export interface TeamRef {
  id: Id
  identifier: string
  name: string
}

export interface TeamState {
  id: Id
  teamId: Id
  name: string
  category: StateCategory
}

export interface WorkspaceServices {
  /** @returns the administrator's first token, to be shown once @throws 409 when the name is taken */
  add(
    caller: Caller,
    trx: TransactionHandle,
    named: { name: string; adminEmail: string }
  ): Promise<{ adminId: Id; token: string }>
  /** With all data, in every plugin's tables. Its tokens are revoked first. */
  remove(caller: Caller): Promise<void>
  /**
   * As a member. If the name looks like an existing one, it gets a number.
   * @throws 409 when the e-mail address is taken
   */
  addPerson(caller: Caller, trx: TransactionHandle, person: { email: string; fullname: string }): Promise<Id>
  /** By id or by identifier, in any case. @throws 404 */
  findTeam(caller: Caller, db: DatabaseHandle, ref: string): Promise<TeamRef>
  /** Against changes, until the transaction ends. @throws 404 */
  lockTeam(caller: Caller, trx: TransactionHandle, id: Id): Promise<void>
  /** By id, identifier or name, in any case. @throws 400 that lists the teams */
  teamNamed(caller: Caller, db: DatabaseHandle, ref: string): Promise<TeamRef>
  /** By uppercase identifier. */
  teamIds(caller: Caller, db: DatabaseHandle): Promise<Map<string, Id>>
  /** The removed ones last: histories name these, too. */
  allStates(caller: Caller, db: DatabaseHandle): Promise<TeamState[]>
  /** By name, in any case; missing labels are created. */
  labelsNamed(caller: Caller, trx: TransactionHandle, names: readonly string[], at: Date): Promise<Map<string, Id>>
}
export const workspace = contract<WorkspaceServices, WorkspaceTables>()('workspace')

export const workspaceCreated = eventType(workspace, 'workspace.created', {
  summary: 'A workspace was made, with its administrator, who has a first token.',
  audience: 'admin',
  logged: [],
  data: Closed({ name: Type.String() })
})

const TeamData = Closed({ identifier: Type.String(), name: Type.String() })
export const teamCreated = eventType(workspace, 'team.created', {
  summary: 'A team was made or imported, with its states.',
  data: TeamData
})
export const teamUpdated = eventType(workspace, 'team.updated', {
  summary: 'The name of a team, its rule for closing, or a field that a plugin adds to teams changed.',
  data: ChangesData
})
export const teamDeleted = eventType(workspace, 'team.deleted', {
  summary: 'A team was removed, with its states.',
  data: TeamData
})

const StateData = Closed({ teamId: IdText, name: Type.String(), category: Type.Enum([...STATE_CATEGORIES]) })
export const stateCreated = eventType(workspace, 'state.created', {
  summary: 'A team got a workflow state.',
  data: StateData
})
export const stateUpdated = eventType(workspace, 'state.updated', {
  summary: 'A workflow state changed; with its category, each issue that is in it has an event of its own.',
  data: ChangesData
})
export const stateDeleted = eventType(workspace, 'state.deleted', {
  summary: 'A workflow state was removed.',
  data: StateData
})

const LabelData = Closed({ name: Type.String(), color: Type.String() })
export const labelCreated = eventType(workspace, 'label.created', {
  summary: 'A label was made or imported.',
  data: LabelData
})
export const labelUpdated = eventType(workspace, 'label.updated', {
  summary: 'A label changed, or it was restored after its deletion (`restored`).',
  data: ChangesData
})
export const labelDeleted = eventType(workspace, 'label.deleted', {
  summary: 'A label was removed: it can be restored until it is removed for good.',
  data: LabelData
})

/** A field that another plugin adds to teams. */
export interface TeamField {
  readonly name: string
  /** Null: it has no value, and teams are shown without the field. */
  readonly schema: TSchema
  /** A JSON expression over the row `team`, in which `workspaceId` bounds each subquery. */
  json(workspaceId: WorkspaceId): RawBuilder<unknown>
  /** In the transaction that has locked the team. */
  set(caller: Principal, trx: TransactionHandle, teamId: Id, value: unknown): Promise<void>
}
export const teamFields = point<TeamField>()(workspace, 'teamFields')

/** Counts uses of a record; a used record cannot be removed. */
export type UseCount = (db: DatabaseHandle, workspaceId: Id, what: 'team' | 'workflowState', id: Id) => Promise<number>
export const useCounts = point<UseCount>()(workspace, 'useCounts')

/** Applies the consequences of a state's new category, in the transaction that sets it. */
export interface CategoryChange {
  /** Locks the issues in the state, before the state itself is locked: writers lock in that order. */
  lock(caller: Principal, trx: TransactionHandle, stateId: Id): Promise<void>
  /**
   * The state is locked and has its new category. Issues that were put into it since `lock` are locked without waiting;
   * if that fails (55P03), the transaction is retried.
   */
  follow(
    caller: Principal,
    trx: TransactionHandle,
    change: { stateId: Id; from: StateCategory; to: StateCategory }
  ): Promise<void>
}
export const categoryChanges = point<CategoryChange>()(workspace, 'categoryChanges')

export * from './closing-criteria.ts'
export * from './state-categories.ts'
