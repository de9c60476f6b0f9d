import type { Id } from '../../../core/api/database/types.ts'
import {
  featuresOf,
  MATCH_OFFSET,
  type CandidateFate,
  type CandidateText,
  type Feature,
  type Question
} from './features.ts'
import type { Weights } from './weights.ts'

/** Maximum hits that each is compared with: the most probable. */
const MAX_COMPARED = 200
/** With this many issues created in between, closeness is halved. */
const HALF_CLOSE = 3_000

export interface Candidate {
  id: Id
  distance: number | null
  /** Undefined for an issue of which only a known duplicate matches. */
  text: CandidateText | undefined
  fate: CandidateFate
  knownDuplicates: number
  duplicateOf: readonly Id[]
}

export interface Ranked {
  id: Id
  /** The probability that it is the right issue, given that one of the candidates is: all scores add up to 1. */
  score: number
  /** The best match of it and its known duplicates. */
  match: number
  distance: number | null
}

/**
 * The candidates, best first, by a log-linear model, in which evidence for a known duplicate is also evidence for its
 * original.
 */
export function rankCandidates(question: Question, candidates: readonly Candidate[], weights: Weights): Ranked[] {
  const bestMatch = Math.max(0, ...candidates.map(({ text }) => text?.match ?? 0))
  const evidence = new Map<Id, number[]>(candidates.map(({ id }) => [id, []]))
  const matches = new Map<Id, number>()
  const { duplicates } = weights
  const weigh = weigher(weights.features)
  const fates = new Map(candidates.map(({ id, fate }) => [id, fate]))
  const closeness = question.issue === undefined ? closenessOf(candidates) : undefined
  for (const { id, text, duplicateOf } of candidates) {
    if (text === undefined) continue
    for (const of of duplicates ? [id, ...duplicateOf] : [id]) {
      const fate = fates.get(of)
      if (!fate) continue
      evidence.get(of)!.push(weigh(featuresOf(question, text, fate, bestMatch, closeness?.get(text) ?? 0)))
      matches.set(of, Math.max(matches.get(of) ?? 0, text.match))
    }
  }
  const logits = candidates.flatMap(({ id, distance, knownDuplicates, duplicateOf }) => {
    const own = evidence.get(id)!
    if (own.length === 0) return []
    const isDuplicate = duplicateOf.length > 0
    const prior = duplicates
      ? duplicates.count * Math.log(1 + knownDuplicates) + (isDuplicate ? duplicates.isOne : 0)
      : 0
    return { id, distance, logit: logSum(own) + prior }
  })
  const total = logSum(logits.map(({ logit }) => logit))
  return logits
    .map(({ id, distance, logit }) => ({ id, distance, score: Math.exp(logit - total), match: matches.get(id)! }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

function closenessOf(candidates: readonly Candidate[]): Map<CandidateText, number> {
  const texts = candidates.flatMap(({ text }) => text ?? [])
  const closeness = closeToOtherHits(texts)
  return new Map(texts.map((text, n) => [text, closeness[n]!]))
}

/**
 * The closeness of a free text's other hits to each hit in the order of creation, from 0 to 1: related issues are
 * created at about the same time. The other hits count by their words.
 */
export function closeToOtherHits(hits: readonly CandidateText[]): number[] {
  const weighted = hits.map(hit => ({ weight: weightOf(hit), position: hit.position }))
  const compared = new Set([...weighted].sort((a, b) => b.weight - a.weight).slice(0, MAX_COMPARED))
  return weighted.map(hit => {
    let [close, total] = [0, 0]
    for (const other of compared) {
      if (other === hit) continue
      total += other.weight
      close += other.weight / (1 + Math.abs(hit.position - other.position) / HALF_CLOSE)
    }
    return total > 0 ? close / total : 0
  })
}

/**
 * About the root of the odds by words alone, so that more than the first hit counts. An issue whose title is searched
 * for does not count: quality is measured with titles of existing issues, but must hold for texts without one.
 */
const weightOf = ({ match, titleSimilarity }: CandidateText) =>
  titleSimilarity === 1 ? 0 : ((match + MATCH_OFFSET) * (1 + titleSimilarity)) ** 2

function weigher(weights: Weights['features']): (features: Record<Feature, number>) => number {
  const names = Object.keys(weights) as Feature[]
  const factors = Object.values(weights)
  return features => names.reduce((total, name, n) => total + factors[n]! * features[name], 0)
}

/** ln(Σ e^x), without an overflow. */
function logSum(numbers: readonly number[]): number {
  const max = Math.max(...numbers)
  return numbers.length === 0 ? 0 : max + Math.log(numbers.reduce((sum, x) => sum + Math.exp(x - max), 0))
}
