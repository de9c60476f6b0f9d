import type { RawBuilder } from 'kysely'
import type { TSchema } from 'typebox'
import { contract, point } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'

/**
 * What insights read: the filing of an issue (`n` 0), and each change of its state, in order. An issue without changes
 * that is closed has a step 1 for that. Derived from issues and their history, by a consumer of their events.
 */
export interface InsightStep {
  workspaceId: Id
  issueId: Id
  n: number
  /** The issue's present team. */
  teamId: Id
  at: Date
  /** What the step counts as: `filed`, `completed`, `canceled` or `reopened`; null: nothing. */
  figure: string | null
  /** The assignee at the time; of the filing its author. */
  accountId: Id | null
  /** The time of the next step, if the issue was STARTED until then; infinity: it still is. */
  startedUntil: Date | null
  /** When the issue was first STARTED; null: never. */
  startedAt: Date | null
  /** Of completions: whether there is proof now; null: not known, because no plugin keeps evidence. */
  isProven: boolean | null
  /** When the issue was completed for the first time, if that was before. */
  completedBefore: Date | null
  /** The state that the issue left; the name only if the id is unknown. */
  fromStateId: Id | null
  fromStateName: string | null
  /** How long the issue had been in that state; null: the step is no change. */
  seconds: number | null
  /** True if the issue left that state for the first time. */
  isFirst: boolean
  /** The time of the first completion that is not before this change. */
  closesAt: Date | null
}

export const insights = contract<object, { insightStep: InsightStep }>()('insights')

/** A span of time, without its end. */
export interface Span {
  readonly from: Date
  readonly to: Date
}

/** Where a measure finds what happened: SQL over the rows of `from`, and over the row `issue`. */
export interface MeasureSource {
  /** The text after `from`, bounded by the workspace and the span. */
  from: RawBuilder<unknown>
  issueId: RawBuilder<Id | null>
  at: RawBuilder<Date>
  /** A condition over the row `issue`. */
  where?: RawBuilder<boolean>
  /** Whose it is; absent: that of the issue's assignee at the time. */
  accountId?: RawBuilder<Id | null>
  /** What `value` and `subsets` need. */
  columns?: Readonly<Record<string, RawBuilder<unknown>>>
}

/** A figure of insights that another plugin adds: what happened to issues in a span of time, and what it comes to. */
export interface InsightMeasure {
  /** The field of the answer. */
  readonly name: string
  readonly schema: TSchema
  source(workspaceId: Id, span: Span): MeasureSource
  /** A JSON object that aggregates rows `m` (`issue_id`, `at`, the columns of the source), without rows, too. */
  readonly value: RawBuilder<object>
  /** Parts of the rows whose issues can be listed, by name: conditions over `m`. */
  readonly subsets?: Readonly<Record<string, RawBuilder<boolean>>>
  /** True if rows may belong to no issue: they count where no team, project or label is selected. */
  readonly hasOthers?: boolean
}
export const insightMeasures = point<InsightMeasure>()(insights, 'measures')

/** Over the row `issue`: whether there is proof that its criteria are met. A single plugin contributes it. */
export type CompletionProof = (workspaceId: Id) => RawBuilder<boolean>
export const completionProofs = point<CompletionProof>()(insights, 'completionProofs')
