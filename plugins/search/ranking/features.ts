import { fold } from '../../../lib/words/fold.ts'
import type { StateCategory } from '../../workspace/contract.ts'

export interface Question {
  /** The inverse document frequency of its words that the pool has. */
  rarity: ReadonlyMap<number, number>
  titleTerms: readonly number[]
  rareTerms: readonly number[]
  /**
   * The rarity of its facets, from 0 to 1: shared properties beside words (labels, a project), or the labels that a
   * free text names.
   */
  facetRarity: ReadonlyMap<number, number>
  /** The compared issue; undefined for a free text. */
  issue?: {
    createdAt: Date
    /** The number of issues created before it. */
    position: number
    descriptionBytes: number
  }
}

export interface CandidateText {
  /** Its score by words (BM25F). */
  match: number
  /** Its closeness in meaning, in standard deviations above the mean of all candidates; 0 without vectors. */
  closeness: number
  titleSimilarity: number
  titleTerms: readonly number[]
  /** Terms of the question's title, and rare ones, that it contains anywhere. */
  heldTerms: readonly number[]
  descriptionBytes: number
  facets: readonly number[]
  createdAt: Date
  position: number
}

export interface CandidateFate {
  category: StateCategory
  comments: number
}

/** Further comments do not count: the weights were learnt with this limit. */
export const MAX_COUNTED_COMMENTS = 5
/** The average in English descriptions, including code and logs. */
const BYTES_PER_TOKEN = 7
/** Assumed for terms of a candidate's title that are not in the question, to avoid looking up their frequency. */
const TYPICAL_RARITY = 5
/** Added to a match before its logarithm is taken, because matches in meaning alone can be zero. */
export const MATCH_OFFSET = 0.05
const MILLISECONDS_PER_DAY = 86_400_000

export type Feature =
  | 'base'
  | 'logMatch'
  | 'shareOfBestMatch'
  | 'rarestSharedTerm'
  | 'titleShare'
  | 'sharedRareTerms'
  | 'candidateTitleShare'
  | 'titleLength'
  | 'namedLabels'
  | 'closeToOtherHits'
  | 'closeInMeaning'
  | 'descriptionLength'
  | 'descriptionLengthRatio'
  | 'sharedFacets'
  | 'closeInTime'
  | 'sameFacets'
  | 'isOlder'
  | 'closeInOrder300'
  | 'closeInOrder3000'
  | 'comments'
  | 'isCompleted'
  | 'isCanceled'

/**
 * The features of a candidate; the README in this folder has their formulas.
 * @param bestMatch of all candidates
 * @param closeToOtherHits of a free text
 */
export function featuresOf(
  question: Question,
  text: CandidateText,
  { category, comments }: CandidateFate,
  bestMatch: number,
  closeToOtherHits: number
): Record<Feature, number> {
  const logMatch = Math.log(text.match + MATCH_OFFSET)
  const isCanceled = category === 'CANCELED'
  return {
    base: logMatch + Math.log(1 + text.titleSimilarity) + (isCanceled ? Math.log(0.9) : 0),
    logMatch,
    shareOfBestMatch: bestMatch > 0 ? text.match / bestMatch : 0,
    descriptionLength: Math.log(1 + tokensIn(text.descriptionBytes)),
    comments: Math.log(1 + comments),
    isCompleted: Number(category === 'COMPLETED'),
    isCanceled: Number(isCanceled),
    namedLabels: question.issue === undefined ? shareOfNamed(question.facetRarity, text.facets) : 0,
    closeToOtherHits,
    closeInMeaning: text.closeness,
    ...titleFeatures(question, text),
    ...(question.issue === undefined ? NOTHING_IN_COMMON : inCommon(question.issue, question.facetRarity, text))
  }
}

function shareOfNamed(named: Question['facetRarity'], facets: readonly number[]): number {
  const total = named.values().reduce((sum, rarity) => sum + rarity, 0)
  return total > 0 ? facets.reduce((sum, facet) => sum + (named.get(facet) ?? 0), 0) / total : 0
}

const tokensIn = (bytes: number) => bytes / BYTES_PER_TOKEN

function titleFeatures({ rarity, titleTerms, rareTerms }: Question, candidate: CandidateText) {
  const rarityOf = (terms: readonly number[]) => terms.reduce((total, term) => total + (rarity.get(term) ?? 0), 0)
  const held = new Set(candidate.heldTerms)
  const shared = titleTerms.filter(term => held.has(term))
  const known = candidate.titleTerms.filter(term => rarity.has(term))
  const unknown = candidate.titleTerms.length - known.length
  return {
    rarestSharedTerm: shared.reduce((rarest, term) => Math.max(rarest, rarity.get(term)!), 0),
    titleShare: titleTerms.length > 0 ? rarityOf(shared) / rarityOf(titleTerms) : 0,
    sharedRareTerms: Math.log(1 + rareTerms.filter(term => held.has(term)).length),
    candidateTitleShare: rarityOf(known) / (rarityOf(known) + unknown * TYPICAL_RARITY + MATCH_OFFSET),
    titleLength: Math.log(1 + candidate.titleTerms.length)
  }
}

/** The features of a free text, which has no labels, date or people. */
const NOTHING_IN_COMMON = {
  descriptionLengthRatio: 0,
  sharedFacets: 0,
  closeInTime: 0,
  sameFacets: 0,
  isOlder: 0,
  closeInOrder300: 0,
  closeInOrder3000: 0
}

function inCommon(
  issue: NonNullable<Question['issue']>,
  facetRarity: Question['facetRarity'],
  text: CandidateText
): Record<keyof typeof NOTHING_IN_COMMON, number> {
  const shared = text.facets.filter(facet => facetRarity.has(facet))
  const sharing = shared.reduce((sum, facet) => sum + Math.log(1.2 + 0.8 * facetRarity.get(facet)!), 0)
  const days = Math.abs(text.createdAt.getTime() - issue.createdAt.getTime()) / MILLISECONDS_PER_DAY
  const filedBetween = Math.abs(text.position - issue.position)
  return {
    descriptionLengthRatio: Math.abs(
      Math.log((tokensIn(text.descriptionBytes) + 10) / (tokensIn(issue.descriptionBytes) + 10))
    ),
    sharedFacets: Math.min(Math.log(3), sharing),
    closeInTime: Math.log(1 + 1.3 / (1 + days / 150)),
    sameFacets: Number(shared.length === facetRarity.size && shared.length === text.facets.length),
    isOlder: Number(text.createdAt < issue.createdAt),
    closeInOrder300: 1 / (1 + filedBetween / 300),
    closeInOrder3000: 1 / (1 + filedBetween / 3000)
  }
}

const WORDS = /[\p{L}\p{N}]+/gu
/** Maximum characters of a text: a thousand long titles take about 25 ms of the event loop. */
const MAX_COMPARED_LENGTH = 300

/**
 * The trigrams of a text's folded words, each word after two spaces and before one, as in PostgreSQL's pg_trgm.
 * Comparing 200 titles there takes a quarter of the time of the statement that reads them.
 */
export function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>()
  for (const word of fold(text.slice(0, MAX_COMPARED_LENGTH)).match(WORDS) ?? []) {
    const padded = `  ${word} `
    for (let n = 0; n + 3 <= padded.length; n++) trigrams.add(padded.slice(n, n + 3))
  }
  return trigrams
}

/** The Jaccard index, from 0 to 1. */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const trigram of other) if (one.has(trigram)) shared++
  return shared / Math.max(1, one.size + other.size - shared)
}
