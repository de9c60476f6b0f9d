import type { RawBuilder } from 'kysely'
import type { TSchema } from 'typebox'
import { contract, point } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'

/** Its filing (`n` 0), or a change of its state. A closed issue without changes has a step 1 for that. */
export interface InsightStep {
  workspaceId: Id
  issueId: Id
  n: number
  teamId: Id
  at: Date
  /** The figure that counts the step: `filed`, `completed`, `canceled` or `reopened`; null: none. */
  figure: string | null
  /** The assignee at the time; of the filing its author. */
  accountId: Id | null
  /** The time of the next step, if the issue was STARTED until then; infinity: it still is. */
  startedUntil: Date | null
  /** When the issue was first STARTED; null: never. */
  startedAt: Date | null
  /** True if a completion is proven now; null: unknown, because no plugin keeps evidence, or no completion. */
  isProven: boolean | null
  /** When the issue was completed for the first time, if that was before. */
  completedBefore: Date | null
  /** The state that the issue left; the name only if the id is unknown. */
  fromStateId: Id | null
  fromStateName: string | null
  /** The time that the issue had been in that state; null: the step is no change. */
  seconds: number | null
  isFirst: boolean
  /** The time of the first completion that is not before this change. */
  closesAt: Date | null
}

export const insights = contract<object, { insightStep: InsightStep }>()('insights')

export interface Span {
  readonly from: Date
  readonly to: Date
}

/** The rows that a measure counts: SQL over the rows of `from`, and over the row `issue`. */
export interface MeasureSource {
  /** The text after `from`, bounded by the workspace and the span. */
  from: RawBuilder<unknown>
  issueId: RawBuilder<Id | null>
  at: RawBuilder<Date>
  /** A condition over the row `issue`. */
  where?: RawBuilder<boolean>
  /** The account that a row counts for; absent: the issue's assignee at the time. */
  accountId?: RawBuilder<Id | null>
  /** Columns that `value` and `subsets` use. */
  columns?: Readonly<Record<string, RawBuilder<unknown>>>
}

/** A figure that another plugin adds to insights: it aggregates rows of a span of time. */
export interface InsightMeasure {
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

/** A condition over the row `issue`: its criteria are proven to be met. A single plugin contributes it. */
export type CompletionProof = (workspaceId: Id) => RawBuilder<boolean>
export const completionProofs = point<CompletionProof>()(insights, 'completionProofs')
