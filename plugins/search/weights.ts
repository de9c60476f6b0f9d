import { hash } from 'node:crypto'
import { tokenize, type Token } from './tokens.ts'

/*
 * BM25F: the frequencies of a term in the fields of a document are weighted and summed before they saturate.
 * The parameters were tuned on issues that people had marked as duplicates of each other.
 * @see Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond, 2009
 */
const FIELDS = {
  title: { weight: 6, length: 0.7 },
  description: { weight: 1, length: 0.85 },
  comments: { weight: 1.4, length: 0.3 }
} as const
export type Field = keyof typeof FIELDS
export const FIELD_NAMES = ['title', 'description', 'comments'] as const
const SATURATION = 3
const IDF_POWER = 0.85
const DESCRIPTION_SHARE = 0.5
const MOST_DESCRIPTION_TERMS = 30
const MOST_QUERY_TERMS = 100
const IDENTIFIER_SHARE = 0.5
const EXPANSION_SHARE = 0.5
/** pgvector holds 16,000 elements in a sparse vector; a document's lightest terms beyond are left out. */
const MOST_TERMS = 8_000
const DIMENSIONS = 1_000_000_000
/** Postings that a query reads: enough for the best hits, and bounded however large the pool. */
const POSTINGS = 6_000

export type Texts = Record<Field, string>
export type Lengths = Record<Field, number>

/** A term is a token's hash, salted with its pool, so that one index serves all pools of all workspaces. */
export function termOf (salt: string, token: string): number {
  return parseInt(hash('sha1', `${salt}\0${token}`).slice(0, 12), 16) % DIMENSIONS + 1
}

/** pgvector's text form. */
export const sparse = (weights: ReadonlyMap<number, number>): string =>
  `{${[...weights].map(([term, weight]) => `${term}:${weight.toPrecision(6)}`).join(',')}}/${DIMENSIONS}`

function count (tokens: readonly Token[]): Map<string, { n: number, identifier: boolean }> {
  const counts = new Map<string, { n: number, identifier: boolean }>()
  for (const { text, identifier } of tokens) {
    const entry = counts.get(text)
    if (entry) entry.n++
    else counts.set(text, { n: 1, identifier })
  }
  return counts
}

/** A text taken apart; what it weighs depends on how long the others are. */
export interface Analysed { counts: Record<Field, ReturnType<typeof count>>, lengths: Lengths }

export function analyse (texts: Texts): Analysed {
  const counts = {} as Analysed['counts']
  const lengths = {} as Lengths
  for (const field of FIELD_NAMES) {
    const tokens = tokenize(texts[field])
    counts[field] = count(tokens)
    lengths[field] = tokens.length
  }
  return { counts, lengths }
}

export interface DocumentVector { words: Map<number, string>, weights: Map<number, number>, titleTerms: number[], descriptionTerms: number[] }

/** The vector of a document in its pool; `averages` are the pool's mean lengths. */
export function documentVector (salt: string, { counts, lengths }: Analysed, averages: Lengths): DocumentVector {
  const sums = new Map<string, number>()
  for (const field of FIELD_NAMES) {
    const { weight, length } = FIELDS[field]
    const norm = 1 - length + length * lengths[field] / Math.max(averages[field], 1)
    for (const [text, { n }] of counts[field]) sums.set(text, (sums.get(text) ?? 0) + weight * n / norm)
  }
  const heaviest = [...sums].sort(([, a], [, b]) => b - a).slice(0, MOST_TERMS)
  const words = new Map<number, string>()
  const weights = new Map<number, number>()
  for (const [text, x] of heaviest) {
    const term = termOf(salt, text)
    words.set(term, text)
    weights.set(term, x / (SATURATION + x))
  }
  const termsOf = (field: Field) => [...counts[field].keys()].map(text => termOf(salt, text)).filter(term => weights.has(term))
  return { words, weights, titleTerms: termsOf('title'), descriptionTerms: termsOf('description') }
}

/** How many documents a pool has, and how many of them hold each term. */
export interface Frequencies { documents: number, of: ReadonlyMap<number, number> }

interface QueryTerm { title: number, description: number, identifier: boolean }

/** What is asked for, before the frequencies are known. */
export interface Question { terms: Map<number, QueryTerm>, expansions: number[] }

export function question (salt: string, title: string, description: string): Question {
  const terms = new Map<number, QueryTerm>()
  const fields = { title: count(tokenize(title)), description: count(tokenize(description)) }
  for (const field of ['title', 'description'] as const) {
    for (const [text, { n, identifier }] of fields[field]) {
      const term = termOf(salt, text)
      const entry = terms.get(term) ?? { title: 0, description: 0, identifier }
      entry[field] = n
      terms.set(term, entry)
    }
  }
  return { terms, expansions: [] }
}

/** A query as the database takes it. */
export interface Query {
  weights: Map<number, number>
  /** The terms whose postings are read. */
  candidates: number[]
}

/**
 * The vector of a query. The rarity of its terms is in it alone, so that no document is rewritten when it drifts.
 * @param rarest a term that fewer documents hold finds nothing (the asking issue itself holds all of its terms)
 */
export function queryVector ({ terms, expansions }: Question, { documents, of }: Frequencies, rarest: 1 | 2): Query {
  const titles: Array<[number, number]> = []
  const descriptions: Array<[number, number]> = []
  for (const [term, { title, description, identifier }] of terms) {
    const df = of.get(term) ?? 0
    if (df < rarest) continue
    const idf = Math.log(1 + (documents - df + 0.5) / (df + 0.5))
    const ws = 2 * description / (1 + description)
    const weight = (title > 0 ? 1 + 0.5 * ws : DESCRIPTION_SHARE * ws) * idf ** IDF_POWER * (identifier ? IDENTIFIER_SHARE : 1)
    ;(title > 0 ? titles : descriptions).push([term, weight])
  }
  const byWeight = ([, a]: [number, number], [, b]: [number, number]) => b - a
  const chosen = [...titles.sort(byWeight).slice(0, MOST_QUERY_TERMS), ...descriptions.sort(byWeight).slice(0, MOST_DESCRIPTION_TERMS)].sort(byWeight)
  const weights = new Map(chosen)
  for (const term of expansions) {
    const df = of.get(term) ?? 0
    if (df > 0 && !weights.has(term)) weights.set(term, EXPANSION_SHARE * Math.log(1 + (documents - df + 0.5) / (df + 0.5)) ** IDF_POWER)
  }
  return { weights, candidates: candidateTerms([...weights].sort(byWeight), of) }
}

/** The heaviest terms, while their postings stay few; two at least, unless one alone has far too many. */
function candidateTerms (heaviestFirst: Array<[number, number]>, of: ReadonlyMap<number, number>): number[] {
  const candidates: number[] = []
  let postings = 0
  for (const [term] of heaviestFirst) {
    const df = of.get(term) ?? 0
    const most = candidates.length === 0 ? Infinity : candidates.length < 2 ? 4 * POSTINGS : POSTINGS
    if (postings + df > most) continue
    candidates.push(term)
    postings += df
  }
  return candidates
}
