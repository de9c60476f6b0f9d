import type { TermId } from './terms.ts'

/** Documents with a term of `anyOf` or one of each side of a pair. */
export interface Choice {
  anyOf: TermId[]
  pairs: Array<[TermId[], TermId[]]>
}

/**
 * The documents of a pool to score, `limit` at most: those with terms, and those about some, with them among their
 * heaviest; or those with `all` terms.
 */
export type CandidatePlan = { limit: number } & ({ holds: Choice; isAbout?: Choice } | { all: TermId[] })

type DocumentFrequency = (term: TermId) => number

/** The share of the postings for terms that suffice alone, and for terms that a document must have one of. */
const SINGLE_TERM_SHARE = 1 / 20
const HEAVY_TERM_SHARE = 1 / 5
/** Maximum scored documents, as of 22,000: each costs as much as a hundred postings. */
const MAX_SCORED = 4_000
const SUBJECT_TERMS = 4

/**
 * Postings that a query reads: a minimum, growing with the root of the number of documents. They cost little compared
 * with scoring, so documents are selected that have two of the terms, or a very rare one. Of 151 known duplicates,
 * twice as many postings found one more among the best ten, in a third more time; half as many found one less. The
 * maximum is that of 200,000 documents: of a million, words that most of them have would take twice the time.
 */
const THOROUGH = { min: 6_000, perRoot: 67, max: 30_000 }
/** For searches during another request: only documents with two of the terms, or a very rare one. */
const QUICK = { min: 1_500, perRoot: 34, max: 15_000 }

const maxPostings = (documents: number, { min, perRoot, max } = THOROUGH): number =>
  Math.min(max, Math.max(min, Math.round(perRoot * Math.sqrt(documents))))

/** The only candidates of a query with required terms. */
export const planRequired = (required: TermId[], documents: number): CandidatePlan[] => [
  { all: required, limit: maxPostings(documents) }
]

export const planQuickly = (
  heaviestFirst: TermId[],
  frequency: DocumentFrequency,
  documents: number
): CandidatePlan[] => planCandidates(heaviestFirst, frequency, documents, maxPostings(documents, QUICK)).slice(0, 1)

/**
 * First the documents with a heavy term and another, or with one of the heaviest; then all with a heavy one, or those
 * about it, if they are too many. If the heaviest term is too frequent for that, also those about two of the heaviest;
 * then those about one.
 */
export function planCandidates(
  heaviestFirst: TermId[],
  frequency: DocumentFrequency,
  documents: number,
  postings = maxPostings(documents)
): CandidatePlan[] {
  const limit = Math.min(MAX_SCORED, Math.round(2 * HEAVY_TERM_SHARE * postings))
  const heavy = takeTerms(heaviestFirst, frequency, HEAVY_TERM_SHARE * postings, 2)
  const single = takeTerms(heavy, frequency, SINGLE_TERM_SHARE * postings, 2)
  const others = heaviestFirst.filter(term => !heavy.includes(term))
  const light = takeTerms(others, frequency, postings - totalOf(heavy, frequency))
  const [even, odd] = alternately(heavy)
  const holds: Choice = {
    anyOf: single,
    pairs: [
      [heavy, light],
      [even, odd]
    ]
  }
  const subject = heaviestFirst.slice(0, SUBJECT_TERMS)
  if (subject.length > 0 && !heavy.includes(subject[0]!)) {
    const affordable = takeTerms(subject, frequency, 2 * postings)
    const about = affordable.length > 0 ? affordable : subject.slice(0, 1)
    const pairs = pairsAmong(subject)
    const wide: CandidatePlan = { holds, isAbout: { anyOf: about, pairs }, limit }
    return subject.length === 1 ? [wide] : [{ holds, isAbout: { anyOf: [], pairs }, limit }, wide]
  }
  const wide: CandidatePlan =
    totalOf(heavy, frequency) > limit ? { holds, isAbout: only(heavy), limit } : { holds: only(heavy), limit }
  return single.length === heavy.length ? [wide] : [{ holds, limit }, wide]
}

const only = (anyOf: TermId[]): Choice => ({ anyOf, pairs: [] })

const alternately = (terms: TermId[]): [TermId[], TermId[]] => [
  terms.filter((_, n) => n % 2 === 0),
  terms.filter((_, n) => n % 2 === 1)
]

/** Two pairs of sides that separate any two of at most four terms. */
const pairsAmong = (terms: TermId[]): Choice['pairs'] => [alternately(terms), [terms.slice(0, 2), terms.slice(2)]]

/** The first terms with at most `postings` in total; the first may have more, if little is found without it. */
function takeTerms(terms: TermId[], frequency: DocumentFrequency, postings: number, ofFirst = 1): TermId[] {
  const chosen: TermId[] = []
  let total = 0
  for (const term of terms) {
    if (total + frequency(term) > (chosen.length === 0 ? ofFirst : 1) * postings) continue
    chosen.push(term)
    total += frequency(term)
  }
  return chosen
}

const totalOf = (terms: TermId[], frequency: DocumentFrequency): number =>
  terms.reduce((total, term) => total + frequency(term), 0)

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
