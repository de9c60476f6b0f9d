import type { ColumnType, RawBuilder } from 'kysely'
import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { contract, point, type Caller, type Principal } from '../../core/contract.ts'
import type { ListWithLimit } from '../../core/db/bounded-list.ts'
import type { CoreTables, Handle, Id, Moment, ReadHandle, Timestamp, TransactionHandle } from '../../core/db/tables.ts'
import { eventType } from '../../core/events/contract.ts'
import { ChangesData } from '../../core/events/schemas.ts'
import type { DocJson } from '../../core/rich-text/index.ts'
import { Closed, IdText, Nullable } from '../../core/schemas.ts'
import type { WorkspaceTables } from '../workspace/contract.ts'

/** As a relation is seen from one of its ends. */
export type RelationType = 'BLOCKS' | 'BLOCKED' | 'RELATED' | 'DUPLICATE' | 'DUPLICATE_OF' | 'SIMILAR'
/** As it is stored, once: `issueId` blocks, duplicates, … `relatedIssueId`. */
export type StoredRelationType = 'BLOCKS' | 'RELATED' | 'DUPLICATE_OF' | 'SIMILAR'

/** JSON that is written as text and read as what it holds. */
type Json<T> = ColumnType<T, string, string>

export interface IssuesTables {
  issue: {
    workspaceId: Id
    id: Id
    teamId: Id
    number: number
    title: string
    /** ProseMirror JSON, canonical; null is an empty description. */
    description: Json<DocJson> | null
    /** Made from `description` when it was written. */
    descriptionMarkdown: string
    /** Of `description`, as JSON text; made by the database. */
    descriptionBytes: ColumnType<number, never, never>
    /** Whether it says something beside its title, headings and checklists. */
    described: boolean
    /** Checklist items of the description, counted when it was written. */
    criteriaMet: number
    criteriaTotal: number
    stateId: Id
    assigneeId: Id | null
    /** Since when the assignee has it. */
    assignedAt: Moment
    /** 0 none, 1 urgent, 2 high, 3 medium, 4 low. */
    priority: number
    estimate: number | null
    /** `YYYY-MM-DD`. */
    dueDate: string | null
    sortOrder: number
    parentId: Id | null
    createdById: Id
    updatedById: Id
    createdAt: Timestamp
    updatedAt: Timestamp
    completedAt: Moment
    /** 1, then one more with every change. */
    rev: ColumnType<number, number | undefined, number>
    deletedAt: Moment
  }
  issueLabel: { workspaceId: Id; issueId: Id; labelId: Id }
  issueRelation: {
    workspaceId: Id
    id: Id
    issueId: Id
    relatedIssueId: Id
    type: StoredRelationType
    createdById: Id
    createdAt: Timestamp
    deletedAt: Moment
  }
  issueLink: {
    workspaceId: Id
    id: Id
    issueId: Id
    url: string
    title: string
    createdAt: Timestamp
    deletedAt: Moment
  }
  /** History: appended to, never changed. One row per change of one field. */
  issueChange: {
    workspaceId: Id
    id: Id
    issueId: Id
    at: Timestamp
    actorId: Id
    /** The token it was done with; null when it came from another tracker. */
    tokenId: Id | null
    change: string
    /** Names as they were then, for readers; null is none. */
    fromName: string | null
    toName: string | null
  }
  /** Keys from before a move; they still find the issue. */
  issueFormerKey: { workspaceId: Id; teamId: Id; number: number; issueId: Id; movedAt: Moment }
  /** Names that issues had in another tracker, in capitals; two issues may have had the same. */
  issueOldKey: { workspaceId: Id; key: string; issueId: Id }
  /** Numbers that wait for issues of an import. */
  issueKeyReservation: { workspaceId: Id; id: Id; teamId: Id; number: number }
  /** The last number given in a team. */
  issueCounter: { workspaceId: Id; teamId: Id; last: number }
  /** How many issues each state has, in parts that add up: triggers keep it. */
  issueTally: { workspaceId: Id; teamId: Id; stateId: Id; shard: number; n: number }
}

/** What the issues plugin's queries may touch, and so whatever calls its services. */
export type IssuesDatabase = CoreTables & WorkspaceTables & IssuesTables

export interface IssueRef {
  id: Id
  key: string
  teamId: Id
  title: string
}

export interface IssuesServices {
  /** By id or by key, in any case. @throws 404 */
  find(caller: Caller, db: ReadHandle, ref: string): Promise<IssueRef>
  /**
   * Locks issues until the transaction ends: before it locks or writes anything that belongs to one of them.
   * The order of locks is in CONTRIBUTING.md. @throws 404
   */
  lock(caller: Caller, trx: TransactionHandle, issueIds: readonly Id[]): Promise<void>
  /** Why an issue cannot be begun now; empty when it is ready. @throws 404 */
  reasonsNotReady(caller: Caller, db: Handle, issueId: Id, asker: Asker): Promise<NotReady[]>
  /**
   * Moves an issue to a state of its team, with history and event.
   * @throws 403, and what the route would answer; 409 when it is to be closed and is closed already
   */
  setState(caller: Principal, trx: TransactionHandle, issueId: Id, stateId: Id): Promise<void>
  /** Changes state and assignee of an issue, with history and event. @throws 403, and what the route would answer */
  change(
    caller: Principal,
    trx: TransactionHandle,
    issueId: Id,
    patch: { stateId?: Id; assigneeId?: Id | null }
  ): Promise<void>
  /**
   * Lets a confined token change the issues of its run's tree, and read those near to it; any other token passes.
   * @throws 403 that says why, 404
   */
  assertReach(caller: Principal, reads: ReadHandle, ref: string, access: 'read' | 'write'): Promise<void>
  /** Everything about an issue, as JSON text: what the route answers. @throws 403, 404 */
  context(caller: Caller, db: ReadHandle, ref: string): Promise<string>
  /** Assigns an issue to the caller and begins it. @throws 403; 409 when somebody else has it, or it is closed */
  pickUp(caller: Principal, issueId: Id, options?: { takeover?: boolean }): Promise<void>
  /** The fields that plugins have added to issues. */
  references(caller: Caller): readonly IssueReference[]
}

export const issues = contract<IssuesServices, IssuesTables>()('issues')

export const issueCreated = eventType(issues, 'issue.created', {
  summary: 'An issue was filed or imported.',
  data: Closed({
    title: Type.String(),
    teamId: IdText,
    stateId: IdText,
    assigneeId: Nullable(IdText),
    parentId: Nullable(IdText)
  })
})
export const issueUpdated = eventType(issues, 'issue.updated', {
  summary:
    'Fields, labels, relations or links of an issue changed; each change has the name that the history gives it.',
  data: ChangesData
})
export const issueDeleted = eventType(issues, 'issue.deleted', {
  summary: 'An issue was removed.',
  data: Closed({ title: Type.String() })
})

/**
 * A section of an issue's context, over the row `issue` (its columns in snake_case), and bounded by `issue.workspace_id`.
 * All sections together are one SQL statement.
 */
export type ContextSection = {
  /** The field of the context. */
  name: string
} & (
  | {
      /** A JSON expression that is short, whatever is stored. */
      json: RawBuilder<unknown>
    }
  | {
      /** An array with a limit: `boundedList`. */
      list: ListWithLimit
    }
)
export const contextSections = point<ContextSection>()(issues, 'contextSections')

/** A field that another plugin adds to each row of the board (`view: "list"`). */
export interface RowSection {
  /** The field of the row. */
  name: string
  /** What it holds, for the OpenAPI document. */
  schema: TSchema
  /** A JSON expression over the row `issue`, as of a `ContextSection`, that an index answers: a page has 200 rows. */
  json: RawBuilder<unknown>
}
export const rowSections = point<RowSection>()(issues, 'rowSections')

/**
 * A field of issues that another plugin adds: a nullable reference to a record of its own.
 * Its migration adds the column to `issue`, with a foreign key to its table. From then on the field is in
 * bodies, rows, filters (`key`), history (`key`) and context (`key`: `{id, name}`).
 */
export interface IssueReference {
  /** e.g. `projectId` */
  field: string
  /** e.g. `project_id` */
  column: string
  /** e.g. `project`: has `workspace_id`, `id`, `name` and `deleted_at`. */
  table: string
  /** e.g. `project` */
  key: string
  /** Whether the record belongs to one team, so that an issue leaves it when it moves to another. */
  ofTeam: boolean
}
export const issueReferences = point<IssueReference>()(issues, 'references')

/** For whom an issue is ready or not. */
export interface Asker {
  /** Whose assignment does not hinder: those who would begin it, or hand it over. */
  accountIds: readonly Id[]
  /** Whose own work on it does not hinder, if anyone's: that of an agent which goes on. */
  holderId?: Id | null
}

/** Why an issue is not ready. */
export interface NotReady {
  code: string
  message: string
}

/** What can hinder an issue from being begun, e.g. that something works on it already. */
export interface ReadyRule {
  /** e.g. `RUNNING` */
  code: string
  /** Over the rows `issue` and `state`, its workflow state; never null. */
  hinders(asker: Asker): RawBuilder<boolean>
  /** Over the same rows: what the message names. */
  detail?: RawBuilder<string>
  /** One sentence: what is wrong, and what to do. */
  message(key: string, detail: string): string
}
export const readyRules = point<ReadyRule>()(issues, 'readyRules')

export { Task, taskPath } from './task.ts'
