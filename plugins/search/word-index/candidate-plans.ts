import type { TermId } from './terms.ts'

/**
 * Which documents of a pool are scored, `limit` of them at most: those that hold a term of `anyOf` or one of each side
 * of a pair, those that have a term of `anyHeavy` among their heaviest, or those that hold `all` terms.
 */
export type CandidatePlan = { limit: number } & (
  { anyOf: TermId[]; pairs: Array<[TermId[], TermId[]]> } | { anyHeavy: TermId[] } | { all: TermId[] }
)

/** In how many documents of the pool a term occurs. */
type DocumentFrequency = (term: TermId) => number

/** The shares of the postings that terms may have of which a document holds only one, and must hold one. */
const SINGLE_TERM_SHARE = 1 / 20
const HEAVY_TERM_SHARE = 1 / 5

/**
 * How many postings a query reads: at least, and by the root of the number of documents. They cost little beside the
 * documents that are scored, so documents are wanted that hold two of the terms, or a very rare one. Of 151 known
 * duplicates twice as many found one more among the best ten, in a third more time; half as many found one less.
 * At most as many as of 200,000 documents: of a million, words that most of them have would take twice the time.
 */
const THOROUGH = { min: 6_000, perRoot: 67, max: 30_000 }
/** For who waits for something else: only documents with two of the terms, or a very rare one, are looked at. */
const QUICK = { min: 1_500, perRoot: 34, max: 15_000 }

const maxPostings = (documents: number, { min, perRoot, max } = THOROUGH): number =>
  Math.min(max, Math.max(min, Math.round(perRoot * Math.sqrt(documents))))

/** The only candidates of a query that requires terms. */
export const planRequired = (required: TermId[], documents: number): CandidatePlan[] => [
  { all: required, limit: maxPostings(documents) }
]

/** The first of the plans of `planCandidates`, over fewer postings. */
export const planQuickly = (
  heaviestFirst: TermId[],
  frequency: DocumentFrequency,
  documents: number
): CandidatePlan[] => planCandidates(heaviestFirst, frequency, documents, maxPostings(documents, QUICK)).slice(0, 1)

/**
 * First the documents with a heavy term and another, or with one of the heaviest; then all with a heavy one. When every
 * term is frequent, those that are about one.
 */
export function planCandidates(
  heaviestFirst: TermId[],
  frequency: DocumentFrequency,
  documents: number,
  postings = maxPostings(documents)
): CandidatePlan[] {
  const limit = Math.round(2 * HEAVY_TERM_SHARE * postings)
  const affordable = takeTerms(heaviestFirst, frequency, postings)
  const heavy = takeTerms(affordable, frequency, HEAVY_TERM_SHARE * postings)
  if (heavy.length === 0) return [{ anyHeavy: heaviestFirst, limit }]
  const single = takeTerms(heavy, frequency, SINGLE_TERM_SHARE * postings)
  const wide: CandidatePlan = { anyOf: heavy, pairs: [], limit }
  if (single.length === heavy.length) return [wide]
  const light = affordable.filter(term => !heavy.includes(term))
  const pairs: Array<[TermId[], TermId[]]> = [
    [heavy, light],
    [heavy.filter((_, n) => n % 2 === 0), heavy.filter((_, n) => n % 2 === 1)]
  ]
  return [{ anyOf: single, pairs, limit }, wide]
}

/** The first terms that together have at most `postings`. The first may have twice as many: little is found without. */
function takeTerms(terms: TermId[], frequency: DocumentFrequency, postings: number): TermId[] {
  const taken: TermId[] = []
  let total = 0
  for (const term of terms) {
    if (total + frequency(term) > (taken.length === 0 ? 2 : 1) * postings) continue
    taken.push(term)
    total += frequency(term)
  }
  return taken
}

/** The rows of the first plan that finds enough, or else of the last. */
export async function firstSufficient<T>(
  enough: number,
  plans: readonly CandidatePlan[],
  read: (plan: CandidatePlan) => Promise<T[]>
): Promise<T[]> {
  let rows: T[] = []
  for (const plan of plans) {
    rows = await read(plan)
    if (rows.length >= enough) break
  }
  return rows
}
