import type { RawBuilder } from 'kysely'
import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { contract, point, type Actor, type Caller, type Principal } from '../../core/api/contract.ts'
import type {
  BoundedList,
  CoreTables,
  DatabaseHandle,
  Id,
  TransactionHandle,
  WorkspaceId
} from '../../core/api/database/types.ts'
import { ChangesData, eventType } from '../../core/api/events.ts'
import { Closed, IdText, Nullable } from '../../core/api/schemas.ts'
import type { StateCategory, WorkspaceTables } from '../workspace/contract.ts'
import type { MetCriterion } from './criteria/criteria.ts'
import type { DraftSource } from './fields/draft-source.ts'
import type { Field, ReferenceField } from './fields/field.ts'
import type { IssueChanges, OtherHolder } from './issue-changes.ts'
import type { FindSavedFilters, IssueFilter } from './queries/filter/extensions.ts'
import type { IssuesTables, LinkKind, LinkState } from './tables.ts'

export type IssuesDatabase = CoreTables & WorkspaceTables & IssuesTables

export const MAX_URL_LENGTH = 2048

/** Something in a repository that names an issue. */
export interface GitLink {
  /** http or https, of `MAX_URL_LENGTH` at most. */
  url: string
  /** Its first line is kept. */
  title: string
  kind: LinkKind
  state: LinkState
  /** The time of this state: a link that is stored with a later one is not changed. */
  at: Date
}

export interface IssueRef {
  id: Id
  key: string
  teamId: Id
  title: string
}

export interface IssuesServices {
  /** By id or by key, in any case. @throws 404 */
  find(caller: Caller, db: DatabaseHandle, ref: string): Promise<IssueRef>
  /**
   * Accounts by id, name, e-mail address or `me`, each once.
   * @throws 400 that lists the names that there are, about `field`; 404 for an unknown id
   */
  accounts(
    caller: Caller,
    db: DatabaseHandle,
    refs: readonly string[],
    field: string
  ): Promise<Array<{ id: Id; name: string }>>
  /**
   * Locks issues until the transaction ends. Call it before locking or writing anything that belongs to one of them;
   * the order of locks is in CONTRIBUTING.md. If it is a single issue, `IssueChanges.writePart` is called.
   * @throws 404, and the errors of `writePart`
   */
  lock(caller: Caller, trx: TransactionHandle, issueIds: readonly Id[]): Promise<void>
  /** Why an issue cannot be begun now; empty when it is ready. @throws 404 */
  reasonsNotReady(caller: Caller, db: DatabaseHandle, issueId: Id, asker: ReadinessCaller): Promise<NotReady[]>
  /**
   * The issue that `POST /v1/issues/pick_up_next` would give to an account, locked until the transaction ends.
   * @param selected `filters` as of `POST /v1/issues/filter`; `unless` is a condition over the row `issue`
   * @throws 400 when the filters name unknown records
   */
  bestReady(
    caller: Caller,
    trx: TransactionHandle,
    selected: { filters: Record<string, unknown>; accountId: Id; unless: RawBuilder<boolean> }
  ): Promise<Id | undefined>
  /**
   * Moves an issue to another state and ticks criteria, in one transaction with what `work` writes first. `work` may
   * run several times, each time in a transaction of its own.
   * @param change with `duplicateOf`, the id or key of an issue, it is closed as a duplicate of that one
   * @throws 403, and the errors of the route; 409 when it is to be closed and is closed already
   */
  advance(
    caller: Principal,
    issueId: Id,
    change: StateChange & { met?: Ticks['met']; duplicateOf?: string | undefined },
    work: (trx: TransactionHandle) => Promise<void>
  ): Promise<Advanced>
  /** Links an issue, whose row the caller has locked; a link that was removed here stays so. @throws 403 */
  linkGit(caller: Actor, trx: TransactionHandle, issueId: Id, link: GitLink): Promise<void>
  /**
   * @param patch fields as in the body of the route, those of plugins, too
   * @throws 403, and the errors of the route
   */
  change(
    caller: Actor,
    trx: TransactionHandle,
    issueId: Id,
    patch: { stateId?: Id; assigneeId?: Id | null; readonly [field: string]: unknown }
  ): Promise<void>
  /**
   * Lets a confined token change the issues of its run's tree, and read those near to it; any other token passes.
   * @throws 403 that says why, 404
   */
  assertReach(caller: Principal, db: DatabaseHandle, ref: string, access: 'read' | 'write'): Promise<void>
  /** Everything about an issue, as JSON text: what the route answers. @throws 403, 404 */
  context(caller: Caller, db: DatabaseHandle, ref: string): Promise<string>
  /** Why the team of an issue, which the caller has locked, does not let it be completed; undefined when it does. */
  whyNotCompleted(caller: Caller, trx: TransactionHandle, issueId: Id): Promise<string | undefined>
  /** Assigns an issue to the caller and begins it. @throws 403; 409 when somebody else has it, or it is closed */
  pickUp(caller: Principal, issueId: Id, options?: { takeover?: boolean }): Promise<void>
  /** True if a plugin stores who works on an issue: changes take `takeover`, and answer `holder`. */
  readonly keepsHolders: boolean
  /** Checks filters that are to be saved, as an account would read them. @throws as `POST /v1/issues/filter` */
  checkFilters(caller: Caller, db: DatabaseHandle, readerId: Id, filters: Record<string, unknown>): Promise<void>
  /** The fields that plugins have added to issues. */
  references(caller: Caller): readonly ReferenceField[]
}

export const issues = contract<IssuesServices, IssuesTables>()('issues')

export const ISSUES_IN_REACH = 'its issue, sub-issues, the issues above, and those related to them'

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
    'Fields, labels, relations or links of an issue changed; each change has the name that the history gives it. ' +
    '`restored`: it is there again after its deletion.',
  data: ChangesData
})
export const issueDeleted = eventType(issues, 'issue.deleted', {
  summary: 'An issue was deleted: it can be restored until it is removed for good.',
  data: Closed({ title: Type.String() })
})

/**
 * A section of an issue's context, over the row `issue` (its columns in snake_case). All sections together are one SQL
 * statement, each of whose subqueries is bounded by `workspaceId`.
 */
export type ContextSection = {
  name: string
  schema?: TSchema
} & (
  | {
      /** A JSON expression that is short, whatever is stored. */
      json(workspaceId: WorkspaceId): RawBuilder<unknown>
      /** It is left out where it is null, and is without its nulls. */
      isOptional?: true
      /** Fields of an optional section that change by themselves: the context's `version` does not cover them. */
      unversioned?: readonly string[] | 'all'
      /**
       * True if the context of an issue has the field, which then has no nulls. An index must answer the condition, and
       * few issues meet it: the context of each of those takes a second statement.
       */
      onlyIf?(workspaceId: WorkspaceId): RawBuilder<boolean>
    }
  | {
      /** An array with a limit: `boundedList`. */
      list(workspaceId: WorkspaceId): BoundedList
      /** The list is `items` in `definitionOfDone`; default: it is a field of the context. */
      isOfCriteria?: true
      /**
       * Its items have ids and times (`createdAt`). Changes of a context then have only its new and changed items, and
       * the oldest items are left out first. Default: changes have the whole list.
       */
      grows?: true
    }
)
export const contextSections = point<ContextSection>()(issues, 'contextSections')

/** Plugins that take part in changes of issues, in the order of their dependencies. */
export const issueChanges = point<IssueChanges>()(issues, 'changes')

/** A field that another plugin adds to each row of the board (`view: "list"`). */
export interface RowSection {
  name: string
  schema: TSchema
  /** A JSON expression over the row `issue`, as of a `ContextSection`, that an index answers: a page has 200 rows. */
  json(workspaceId: WorkspaceId): RawBuilder<unknown>
  /** The rows that have it; default: both. A null is left out. */
  views?: ReadonlyArray<'list' | 'board'>
}
export const rowSections = point<RowSection>()(issues, 'rowSections')

/**
 * Fields of issues that other plugins add, of any kind, made by `valueField`, `referenceField` and `linksField`. The
 * plugin's migration adds the column to `issue`, or makes the link table. From then on the field is in bodies, rows,
 * filters, history, context, export files and, if it has an `argument`, in the tools.
 */
export const issueFields = point<Field>()(issues, 'fields')

/** Keys of filters that other plugins add. */
export const issueFilters = point<IssueFilter>()(issues, 'filters')
/** Filters that are saved under a name; a single plugin contributes them. */
export const savedFilters = point<FindSavedFilters>()(issues, 'savedFilters')

/** The source of values for new issues; a single plugin contributes it. */
export const draftSources = point<DraftSource>()(issues, 'draftSources')

/** Checklist items to tick and untick, by number or text. */
export interface Ticks {
  met?: readonly MetCriterion[] | undefined
  unmet?: ReadonlyArray<number | string> | undefined
}
/** By id, else by name or category, else the first of `stateCategory`. */
export interface StateChange {
  stateId?: Id | undefined
  state?: string | undefined
  /** The category that the state must have; of several the first that the team has states of. */
  stateCategory?: StateCategory | readonly StateCategory[] | undefined
  /** A person completes it although its team asks more of its criteria. */
  override?: boolean | undefined
  takeover?: boolean | undefined
}
export interface Advanced {
  key: string
  state: { id: Id; name: string; category: StateCategory }
  unmet: string[]
  holder?: OtherHolder | undefined
}

export interface ReadinessCaller {
  /** May be its assignee: those who would begin it, or hand it over. */
  accountIds: readonly Id[]
  /** May already work on it, such as an agent that continues. */
  holderId?: Id | null
}

export interface NotReady {
  code: string
  message: string
}

/**
 * A reason why an issue cannot be begun, e.g. that something works on it already. The filter `isReady` and refusals
 * use the same reasons.
 */
export interface ReadyReason {
  readonly code: string
  /** True if the reason holds at a time, over the rows `issue` and `state`, its workflow state; never null. */
  condition(workspaceId: WorkspaceId, asker: ReadinessCaller, at: RawBuilder<Date>): RawBuilder<boolean>
  /** The detail of the message, such as the keys of blockers; over the same rows. */
  detail?(workspaceId: WorkspaceId): RawBuilder<string>
  /** One sentence: what is wrong, and what to do. */
  message(key: string, detail: string): string
}
export const readyReasons = point<ReadyReason>()(issues, 'readyReasons')

/** Issues in progress that anybody may take, beside those of accounts that were removed. */
export interface AbandonedWork {
  /** Over the row `issue`. */
  condition(workspaceId: WorkspaceId, at: RawBuilder<Date>): RawBuilder<boolean>
  /** A query of their ids (`id`), which an index answers. */
  ids(workspaceId: WorkspaceId, at: RawBuilder<Date>): RawBuilder<unknown>
}
export const abandonedWork = point<AbandonedWork>()(issues, 'abandonedWork')

/**
 * A text of an issue for `texts.written`: its description, or what only the readers of the issue see. The transaction
 * must hold the lock on the issue's row.
 */
export const textOfIssue = (issueId: Id, markdown: string) => ({ subjectType: 'issue', subjectId: issueId, markdown })

/** Writes a note on an issue that the transaction has locked, for the caller who gives it back. */
export type NoteWriter = (caller: Principal, trx: TransactionHandle, issueId: Id, markdown: string) => Promise<void>
export const noteWriters = point<NoteWriter>()(issues, 'noteWriters')

export interface FiledText {
  title: string
  descriptionMarkdown: string
  createdAt: Date
  labelIds: readonly Id[]
  /** Its columns by their SQL names, e.g. `project_id`. */
  values: Readonly<Record<string, unknown>>
}
export interface SimilarIssue {
  key: string
  title: string
  state: string
  stateCategory: StateCategory
  /** The probability that it is the same issue, given that one of the existing issues is. */
  score: number
}
export interface FoundSimilar {
  /** A few, best first. */
  issues: readonly SimilarIssue[]
  /** Stores them for the context of the issue; called after its commit if the search was too slow for the answer. */
  keep(issueId: Id): Promise<void>
}
/** Finds issues similar to one that is created, before it is stored; begins no statement once the signal is aborted. */
export type SimilarFinder = (caller: Caller, filed: FiledText, signal: AbortSignal) => Promise<FoundSimilar>
export const similarFinders = point<SimilarFinder>()(issues, 'similarFinders')

export {
  LINK_KINDS,
  LINK_STATES,
  type IssuesTables,
  type LinkKind,
  type LinkState,
  type RelationType,
  type StoredRelationType,
  type RowOfIssue
} from './tables.ts'
export { linksField, referenceField, valueField, type Field, type ReferenceField } from './fields/field.ts'
export type { DraftRef, DraftSource } from './fields/draft-source.ts'
export { metCriteria, type CriterionItem, type TickedItems } from './criteria/criteria.ts'
export type { ActiveHolder, DescriptionChange, IssueChanges, OtherHolder, PendingChange } from './issue-changes.ts'
export { heldByOther } from './issue-changes.ts'
export { Holder, Takeover } from './extra-parts.ts'
export { ORDERS, type FilterAsker, type IssueFilter, type Order } from './queries/filter/extensions.ts'
export { Met, Prose, Session, Task } from './tools/task-arguments.ts'

declare module '../../core/api/database/types.ts' {
  interface Confinement {
    /** The issue whose tree a confined token may change; undefined: it has no access to issues. */
    readonly issueId?: Id
  }
}
