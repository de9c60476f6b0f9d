import { characterTokens, tokenize } from '../../../lib/words/tokens.ts'
import type { Texts } from '../contract.ts'
import { countTokens, termIdsOf, type Pool, type TermId } from './terms.ts'

/**
 * The weights of a document's fields, tuned on issues that people had marked as duplicates. A field's length is
 * compared with a typical one instead of the pool's mean (twice or half of it ranks as well), so that a document's
 * vector depends on the document alone.
 */
const FIELDS = {
  title: { weight: 6, lengthNormalization: 0.7, typicalTokens: 10 },
  description: { weight: 1, lengthNormalization: 0.85, typicalTokens: 100 },
  comments: { weight: 1.4, lengthNormalization: 0.3, typicalTokens: 50 }
} as const
type Field = keyof typeof FIELDS
const FIELD_NAMES = ['title', 'description', 'comments'] as const

/** BM25's k1. */
const SATURATION = 3
/**
 * The limit of a sparse vector in pgvector is 16,000 elements; a document's lightest terms beyond this are left out.
 */
const MAX_TERMS = 8_000
/** Maximum heaviest words, and heaviest single characters, which are so frequent that they would displace words. */
const MAX_HEAVY_TERMS = 12

interface DocumentVector {
  /** Heaviest first. */
  tokens: Map<TermId, string>
  weights: Map<TermId, number>
  /** The heaviest terms: the document's subject, as far as single words show it. */
  heavyTerms: TermId[]
  titleTerms: TermId[]
  descriptionTerms: TermId[]
}

/**
 * BM25F: the frequencies of a term in the fields are weighted and summed before they saturate.
 * @see Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond, 2009
 */
export function documentVector(pool: Pool, texts: Texts): DocumentVector {
  const termId = termIdsOf(pool)
  const frequencies = new Map<string, number>()
  const fieldTokens = {} as Record<Field, string[]>
  const characters = new Set<string>()
  for (const field of FIELD_NAMES) {
    const tokens = tokenize(texts[field])
    const counts = countTokens(tokens)
    const single = countTokens(characterTokens(texts[field]))
    // Titles are compared by words; a description counts only by its content.
    fieldTokens[field] = [...counts.keys(), ...(field === 'title' ? [] : single.keys())]
    const { weight, lengthNormalization, typicalTokens } = FIELDS[field]
    const norm = 1 - lengthNormalization + (lengthNormalization * tokens.length) / typicalTokens
    for (const token of single.keys()) characters.add(token)
    for (const [token, { count }] of [...counts, ...single]) {
      frequencies.set(token, (frequencies.get(token) ?? 0) + (weight * count) / norm)
    }
  }
  const tokens = new Map<TermId, string>()
  const weights = new Map<TermId, number>()
  for (const [token, frequency] of [...frequencies].sort(([, a], [, b]) => b - a).slice(0, MAX_TERMS)) {
    const term = termId(token)
    tokens.set(term, token)
    weights.set(term, frequency / (SATURATION + frequency))
  }
  const termsOf = (field: Field) => fieldTokens[field].map(termId).filter(term => weights.has(term))
  const heaviest = (isOne: (token: string) => boolean) =>
    [...tokens].flatMap(([term, token]) => (isOne(token) ? [term] : [])).slice(0, MAX_HEAVY_TERMS)
  return {
    tokens,
    weights,
    heavyTerms: [...heaviest(token => !characters.has(token)), ...heaviest(token => characters.has(token))],
    titleTerms: termsOf('title'),
    descriptionTerms: termsOf('description')
  }
}
