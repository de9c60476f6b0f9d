import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Id } from '../../core/api/database/types.ts'
import type { CriterionItem, TickedItems } from '../issues/contract.ts'
import type { ProofTables } from './contract.ts'

/*
 * The authors and evidence of ticked criteria. A criterion is identified by its text, ignoring case and white space,
 * and by its place among those with the same text. No SQL here.
 */

/** Maximum criteria of a description whose ticks are stored; ticks of further criteria prove nothing. */
export const MAX_KEPT_CRITERIA = 1_000
/** Characters of a criterion's text that are stored for readers. */
const MAX_TEXT_LENGTH = 500

export interface KeyedCriterion extends CriterionItem {
  /** Counts from 1. */
  n: number
  digest: string
  /** Counts from 1 among the criteria with the same text. */
  occurrence: number
}

export type Tick = Omit<Selectable<ProofTables['issueTick']>, 'workspaceId' | 'issueId'>

export const keyOf = ({ digest, occurrence }: { digest: string; occurrence: number }): string =>
  `${digest} ${occurrence}`

export function keyedCriteria(items: readonly CriterionItem[]): KeyedCriterion[] {
  const counts = new Map<string, number>()
  return items.slice(0, MAX_KEPT_CRITERIA).map(({ text, met }, index) => {
    const digest = hash('md5', text.trim().replace(/\s+/g, ' ').toLowerCase())
    const occurrence = (counts.get(digest) ?? 0) + 1
    counts.set(digest, occurrence)
    return { text, met, n: index + 1, digest, occurrence }
  })
}

export function missingCriteria(before: readonly CriterionItem[], after: readonly CriterionItem[]): string[] {
  const remaining = new Set(keyedCriteria(after).map(keyOf))
  return keyedCriteria(before)
    .filter(criterion => !remaining.has(keyOf(criterion)))
    .map(({ text }) => text)
}

interface Author {
  accountId: Id
  tokenId: Id | null
  at: Date
}

/**
 * @param before the stored ticks
 * @param isUnknown of a criterion without a stored tick, true if it may have been ticked before
 * @returns the ticks to store: an unchanged tick keeps its author, one with new evidence and a new one are the writer's
 */
export function nextTicks(
  before: readonly Tick[],
  { items, evidence, ticked }: TickedItems,
  { accountId, tokenId, at }: Author,
  isUnknown: (criterion: KeyedCriterion) => boolean
): Tick[] {
  const ticksByKey = new Map(before.map(tick => [keyOf(tick), tick]))
  return keyedCriteria(items).flatMap(criterion => {
    const { met, n, digest, occurrence } = criterion
    if (!met) return []
    const text = criterion.text.slice(0, MAX_TEXT_LENGTH).toWellFormed()
    const newEvidence = evidence.get(n)
    const former = ticksByKey.get(keyOf(criterion))
    if (former && newEvidence === undefined) return [{ ...former, n, text }]
    const isOwn = newEvidence !== undefined || ticked.has(n) || !isUnknown(criterion)
    const author = isOwn ? { byId: accountId, tokenId } : { byId: null, tokenId: null }
    return [{ digest, occurrence, n, text, ...author, at, evidence: newEvidence ?? null }]
  })
}
