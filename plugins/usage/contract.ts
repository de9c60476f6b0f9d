import { contract, point, type Caller, type Principal } from '../../core/api/contract.ts'
import type { DatabaseHandle, Id, Timestamp, TransactionHandle } from '../../core/api/database/types.ts'

export { dollars } from './dollars.ts'

export interface UsageTables {
  /** The usage of a model by a client's session so far: a token repeats a report under the same id. */
  usageReport: {
    workspaceId: Id
    tokenId: Id
    reportId: string
    accountId: Id
    issueId: Id | null
    runId: Id | null
    session: string | null
    model: string
    /** Without those that were read from a cache. */
    inputTokens: number
    outputTokens: number
    /** Input that was read from a cache. */
    cachedTokens: number
    /** Millionths of a dollar; null: unknown. */
    costMicros: number | null
    /** True if the cost was computed from the configured prices. */
    isEstimated: boolean
    createdAt: Timestamp
    updatedAt: Timestamp
  }
}

export interface Report {
  reportId: string
  issueId: Id | null
  runId: Id | null
  session: string | null
  model: string
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** Undefined: computed from the prices, if the model has one. */
  costUsd?: number | undefined
}

/** The sums of reports. Fields without a value are absent. */
export interface Sums {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** The sum of the reports whose cost is known. */
  costUsd?: number
  /** Some of the cost was computed from prices. */
  estimated?: true
  /** The cost of some reports is unknown: the true cost is higher than `costUsd`. */
  costUnknown?: true
}

/** Dollars for a million tokens of a model. */
export interface Prices {
  inputUsd: number
  outputUsd: number
  /** For input that is read from a cache; absent: as other input. */
  cachedUsd?: number | undefined
}

/** The reports that are summed: those on an issue, of a run, or of all runs since a time. */
export type Spending = { issueId: Id } | { runId: Id } | { runsSince: Date }

export interface UsageServices {
  /** In place of the former report of the caller's token with its `reportId`. @returns its cost */
  record(
    caller: Caller & { readonly accountId: Id; readonly tokenId: Id },
    trx: TransactionHandle,
    report: Report
  ): Promise<Pick<Sums, 'costUsd' | 'estimated' | 'costUnknown'>>
  spent(caller: Caller, db: DatabaseHandle, of: Spending): Promise<Sums>
}
export const usage = contract<UsageServices, UsageTables>()('usage')

/** The prices and the token of a run, from the single plugin that runs agents. */
export interface UsageOfRuns {
  readonly prices: Readonly<Record<string, Prices>>
  /** The run whose token the caller has. */
  runOf(caller: Principal): Id | undefined
  /** Called after a report is stored, in the same transaction. */
  reported(caller: Caller, trx: TransactionHandle, report: Report, isCostKnown: boolean): Promise<void>
}
export const usageOfRuns = point<UsageOfRuns>()(usage, 'ofRuns')
