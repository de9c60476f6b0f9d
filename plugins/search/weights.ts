import { hash } from 'node:crypto'
import { remembering, tokenize, type Token } from '../../core/words.ts'
import type { Texts } from './contract.ts'

/*
 * BM25F: the frequencies of a term in the fields of a document are weighted and summed before they saturate.
 * The parameters were tuned on issues that people had marked as duplicates of each other. A field's length is compared
 * with a usual one, not with the mean of its pool: twice or half of that finds as well, and so the vector of a document
 * depends on it alone.
 * @see Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond, 2009
 */
const FIELDS = {
  title: { weight: 6, length: 0.7, usual: 10 },
  description: { weight: 1, length: 0.85, usual: 100 },
  comments: { weight: 1.4, length: 0.3, usual: 50 }
} as const
export type Field = keyof typeof FIELDS
export const FIELD_NAMES = ['title', 'description', 'comments'] as const
const SATURATION = 3
const IDF_POWER = 0.85
const DESCRIPTION_SHARE = 0.5
const MOST_DESCRIPTION_TERMS = 30
const MOST_QUERY_TERMS = 100
const IDENTIFIER_SHARE = 0.5
const COMPLETION_SHARE = 0.5
/** pgvector holds 16,000 elements in a sparse vector; a document's lightest terms beyond are left out. */
const MOST_TERMS = 8_000
const HEAVY_TERMS = 12
const DIMENSIONS = 1_000_000_000
/**
 * Postings that a query reads. They cost little beside the documents that are scored: so documents are wanted that hold two
 * of the terms, or a very heavy one. On issues with known duplicates that finds what scoring twice as many documents finds.
 */
const postingsIn = (documents: number): number => Math.max(6_000, Math.round(67 * Math.sqrt(documents)))
/** The shares of these postings that terms may have of which a document holds but one, and of which it must hold one. */
const ALONE_SHARE = 1 / 20
const HEAVY_SHARE = 1 / 5

const saltedTerm = remembering(salted => (parseInt(hash('sha1', salted).slice(0, 12), 16) % DIMENSIONS) + 1)
/** A term is a token's hash, salted with its pool, so that one index serves all pools of all workspaces. */
export const termOf = (salt: string, token: string): number => saltedTerm(`${salt}\0${token}`)

/** pgvector's text form. */
export const sparse = (weights: ReadonlyMap<number, number>): string =>
  `{${[...weights].map(([term, weight]) => `${term}:${weight.toPrecision(6)}`).join(',')}}/${DIMENSIONS}`

function count(tokens: readonly Token[]): Map<string, { n: number; identifier: boolean }> {
  const counts = new Map<string, { n: number; identifier: boolean }>()
  for (const { text, identifier } of tokens) {
    const entry = counts.get(text)
    if (entry) entry.n++
    else counts.set(text, { n: 1, identifier })
  }
  return counts
}

export interface DocumentVector {
  /** The words of its terms, heaviest first. */
  words: Map<number, string>
  weights: Map<number, number>
  /** The heaviest terms: what it is about, as far as a single word can say. */
  heavyTerms: number[]
  titleTerms: number[]
  descriptionTerms: number[]
}

/** The vector of a document. */
export function documentVector(salt: string, texts: Texts): DocumentVector {
  const sums = new Map<string, number>()
  const counts = {} as Record<Field, ReturnType<typeof count>>
  for (const field of FIELD_NAMES) {
    const tokens = tokenize(texts[field])
    counts[field] = count(tokens)
    const { weight, length, usual } = FIELDS[field]
    const norm = 1 - length + (length * tokens.length) / usual
    for (const [text, { n }] of counts[field]) sums.set(text, (sums.get(text) ?? 0) + (weight * n) / norm)
  }
  const heaviest = [...sums].sort(([, a], [, b]) => b - a).slice(0, MOST_TERMS)
  const words = new Map<number, string>()
  const weights = new Map<number, number>()
  for (const [text, x] of heaviest) {
    const term = termOf(salt, text)
    words.set(term, text)
    weights.set(term, x / (SATURATION + x))
  }
  const termsOf = (field: Field) =>
    [...counts[field].keys()].map(text => termOf(salt, text)).filter(term => weights.has(term))
  return {
    words,
    weights,
    heavyTerms: [...words.keys()].slice(0, HEAVY_TERMS),
    titleTerms: termsOf('title'),
    descriptionTerms: termsOf('description')
  }
}

/** How many documents a pool has, and how many of them hold each term. */
export interface Frequencies {
  documents: number
  of: ReadonlyMap<number, number>
}

interface QueryTerm {
  title: number
  description: number
  identifier: boolean
}

/** What is asked for, before the frequencies are known. */
export interface Question {
  terms: Map<number, QueryTerm>
  /** What the last word, unfinished, may become. */
  completions: number[]
  /** Terms without which a document is no hit. */
  required: number[]
  facets: number[]
  /** Facets of which a hit has one; undefined: any. */
  within: number[] | undefined
}

/** Terms of a text that must occur; identifiers are left to their parts. */
export const termsIn = (salt: string, text: string): number[] => [
  ...new Set(
    tokenize(text)
      .filter(token => !token.identifier)
      .map(token => termOf(salt, token.text))
  )
]

export function questionTerms(salt: string, title: string, description: string): Question['terms'] {
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
  return terms
}

/**
 * The documents that hold a term of `alone` or one of each side of a pair; those `about` a term, which is among their
 * heaviest; those that hold `all` terms. However large the pool, `most` of them at most are scored.
 */
export type Reading = { most: number } & (
  { alone: number[]; pairs: Array<[number[], number[]]> } | { about: number[] } | { all: number[] }
)

/** A query as the database takes it. */
export interface Query {
  weights: Map<number, number>
  /** Which documents are scored: those of the first reading that finds enough. */
  readings: Reading[]
  within: number[] | undefined
  /** How rare each facet is: 1 the rarest, 0 when every document has it. */
  facets: Map<number, number>
}

/**
 * The vector of a query. The rarity of its terms is in it alone, so that no document is rewritten when it drifts.
 * @param rarest a term that fewer documents hold finds nothing (the asking issue itself holds all of its terms)
 */
export function queryVector(
  { terms, completions, required, facets, within }: Question,
  { documents, of }: Frequencies,
  rarest: 1 | 2
): Query {
  const df = (term: number) => of.get(term) ?? 0
  const idf = (n: number) => Math.log(1 + (Math.max(documents - n, 0) + 0.5) / (n + 0.5)) ** IDF_POWER
  const titles: Array<[number, number]> = []
  const descriptions: Array<[number, number]> = []
  for (const [term, { title, description, identifier }] of terms) {
    if (df(term) < rarest) continue
    const ws = (2 * description) / (1 + description)
    const weight =
      (title > 0 ? 1 + 0.5 * ws : DESCRIPTION_SHARE * ws) * idf(df(term)) * (identifier ? IDENTIFIER_SHARE : 1)
    ;(title > 0 ? titles : descriptions).push([term, weight])
  }
  const byWeight = ([, a]: [number, number], [, b]: [number, number]) => b - a
  const chosen = [
    ...titles.sort(byWeight).slice(0, MOST_QUERY_TERMS),
    ...descriptions.sort(byWeight).slice(0, MOST_DESCRIPTION_TERMS)
  ]
  const weights = new Map(chosen)
  // Together they are one word, and as rare as that: the rarest completion is not the likeliest.
  const completed = completions.filter(term => df(term) > 0 && !weights.has(term))
  const share = COMPLETION_SHARE * idf(completed.reduce((sum, term) => sum + df(term), 0))
  for (const term of completed) weights.set(term, share)
  return {
    weights,
    readings:
      required.length > 0
        ? [{ all: required, most: postingsIn(documents) }]
        : readingsOf(
            [...weights].sort(byWeight).map(([term]) => term),
            df,
            postingsIn(documents)
          ),
    within,
    facets: new Map(
      facets.map(facet => [facet, 1 - Math.log(Math.max(df(facet), 1)) / Math.log(Math.max(documents, 2))])
    )
  }
}

/** Documents with a heavy term and another, or with one of the heaviest; then all with a heavy one. When every term is frequent, those about one. */
function readingsOf(heaviestFirst: number[], df: (term: number) => number, postings: number): Reading[] {
  const read = within(heaviestFirst, df, postings)
  const heavy = within(read, df, HEAVY_SHARE * postings)
  const most = Math.round(2 * HEAVY_SHARE * postings)
  if (heavy.length === 0) return [{ about: heaviestFirst, most }]
  const alone = within(heavy, df, ALONE_SHARE * postings)
  const light = read.filter(term => !heavy.includes(term))
  const [even, odd] = [heavy.filter((_, n) => n % 2 === 0), heavy.filter((_, n) => n % 2 === 1)]
  const wide: Reading = { alone: heavy, pairs: [], most }
  return alone.length === heavy.length
    ? [wide]
    : [
        {
          alone,
          pairs: [
            [heavy, light],
            [even, odd]
          ],
          most
        },
        wide
      ]
}

/** The first terms that have not more postings together, but for the first, which may have twice as many: without it little is found. */
function within(terms: number[], df: (term: number) => number, postings: number): number[] {
  const taken: number[] = []
  let read = 0
  for (const term of terms) {
    if (read + df(term) > (taken.length === 0 ? 2 : 1) * postings) continue
    taken.push(term)
    read += df(term)
  }
  return taken
}
