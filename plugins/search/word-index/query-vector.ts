import { tokenize } from '../../../lib/words/tokens.ts'
import { planCandidates, planQuickly, planRequired, type CandidatePlan } from './candidate-plans.ts'
import { countTokens, formerTokens, termIdsOf, type Pool, type TermId } from './terms.ts'

const IDF_POWER = 0.85
const DESCRIPTION_SHARE = 0.5
const IDENTIFIER_SHARE = 0.5
const ALTERNATIVE_SHARE = 0.5
const MAX_TITLE_TERMS = 100
const MAX_DESCRIPTION_TERMS = 30
const MAX_RARE_DOCUMENTS = 5

interface QueryTerm {
  title: number
  description: number
  identifier: boolean
}

const IN_TITLE: QueryTerm = { title: 1, description: 0, identifier: false }
const IN_DESCRIPTION: QueryTerm = { title: 0, description: 1, identifier: false }

/** A query before the frequencies of its terms are known. */
interface Question {
  terms: Map<TermId, QueryTerm>
  /** The completions of the unfinished last word, and the corrections of each misspelt word. */
  alternatives: TermId[][]
  /** Terms that every hit contains. */
  required: TermId[]
  /** The corresponding terms of an older version of the index. */
  former: ReadonlyMap<TermId, QueryTerm>
  facets: TermId[]
  /** Facets of which a hit has one; undefined: any. */
  anyFacet: TermId[] | undefined
}

export interface Frequencies {
  documents: number
  byTerm: ReadonlyMap<TermId, number>
}

export interface Query {
  documents: number
  /** An upper bound of scores: that of a text about all terms, including those that no document has. */
  maxScore: number
  /** The inverse document frequency of the text's terms that the pool has. */
  rarity: ReadonlyMap<TermId, number>
  /** The terms of `rarity` in the title. */
  titleTerms: TermId[]
  /** The terms of `rarity` in few documents. */
  rareTerms: TermId[]
  weights: Map<TermId, number>
  /** The documents to score: those of the first plan with enough hits. */
  plans: CandidatePlan[]
  anyFacet: TermId[] | undefined
  /** The rarity of each facet: 1 the rarest, 0 when every document has it. */
  facetRarity: Map<TermId, number>
}

/** The required terms of a hit; of identifiers the parts, so that their spelling may differ. */
export function requiredTerms(pool: Pool, text: string): TermId[] {
  const words = tokenize(text).filter(token => !token.identifier)
  return [...new Set(words.map(token => token.text))].map(termIdsOf(pool))
}

export function questionTerms(pool: Pool, title: string, description: string): Question['terms'] {
  const termId = termIdsOf(pool)
  const terms = new Map<TermId, QueryTerm>()
  for (const [field, text] of [
    ['title', title],
    ['description', description]
  ] as const) {
    for (const [token, { count, identifier }] of countTokens(tokenize(text))) {
      const term = termId(token)
      const entry = terms.get(term) ?? { title: 0, description: 0, identifier }
      entry[field] = count
      terms.set(term, entry)
    }
  }
  return terms
}

export function formerTerms(pool: Pool, title: string, description: string): Question['former'] {
  const termId = termIdsOf(pool)
  const inTitle = [...formerTokens(title)].map(token => [termId(token), IN_TITLE] as const)
  const inDescription = [...formerTokens(description)].map(token => [termId(token), IN_DESCRIPTION] as const)
  return new Map([...inDescription, ...inTitle])
}

/**
 * Makes a question find texts of an older version of the index, too. Its phrases are then searched in the texts with
 * any of its terms.
 */
export function askFormerly(question: Question): void {
  for (const [term, weight] of question.former) question.terms.set(term, weight)
  if (question.former.size > 0) question.required = []
}

/**
 * The vector of a query. Only it contains the rarity (inverse document frequency) of the terms, so that new documents
 * do not change old vectors.
 * @param minDocuments terms of fewer documents are dropped (2 when the question is itself a document of the pool)
 */
export function queryVector(
  question: Question,
  { documents, byTerm }: Frequencies,
  { minDocuments, isQuick }: { minDocuments: 1 | 2; isQuick: boolean }
): Query {
  const frequency = (term: TermId) => byTerm.get(term) ?? 0
  const inverse = (n: number) => Math.log(1 + (Math.max(documents - n, 0) + 0.5) / (n + 0.5))
  const rarity = (n: number) => inverse(n) ** IDF_POWER
  const weights = new Map(weighTerms(question.terms, frequency, rarity, minDocuments))
  // All alternatives together are one word with a common rarity: the rarest of them is not the likeliest.
  for (const group of question.alternatives) {
    const terms = group.filter(term => frequency(term) > 0 && !weights.has(term))
    const weight = ALTERNATIVE_SHARE * rarity(terms.reduce((total, term) => total + frequency(term), 0))
    for (const term of terms) weights.set(term, weight)
  }
  const heaviestFirst = [...weights].sort(byWeight).map(([term]) => term)
  const facetRarity = (facet: TermId) => 1 - Math.log(Math.max(frequency(facet), 1)) / Math.log(Math.max(documents, 2))
  const known = [...question.terms].filter(([term]) => frequency(term) >= minDocuments)
  return {
    documents,
    maxScore: weighTerms(question.terms, frequency, rarity, 0).reduce((total, [, weight]) => total + weight, 0),
    rarity: new Map(known.map(([term]) => [term, inverse(frequency(term))])),
    titleTerms: known.flatMap(([term, { title }]) => (title > 0 ? [term] : [])),
    rareTerms: known.flatMap(([term]) => (frequency(term) <= MAX_RARE_DOCUMENTS ? [term] : [])),
    weights,
    plans:
      question.required.length > 0
        ? planRequired(question.required, documents)
        : (isQuick ? planQuickly : planCandidates)(heaviestFirst, frequency, documents),
    anyFacet: question.anyFacet,
    facetRarity: new Map(question.facets.map(facet => [facet, facetRarity(facet)]))
  }
}

type Weighted = [term: TermId, weight: number]
const byWeight = (a: Weighted, b: Weighted) => b[1] - a[1]

function weighTerms(
  terms: Question['terms'],
  frequency: (term: TermId) => number,
  rarity: (documents: number) => number,
  minDocuments: number
): Weighted[] {
  const titles: Weighted[] = []
  const descriptions: Weighted[] = []
  for (const [term, { title, description, identifier }] of terms) {
    if (frequency(term) < minDocuments) continue
    const inDescription = (2 * description) / (1 + description)
    const fields = title > 0 ? 1 + 0.5 * inDescription : DESCRIPTION_SHARE * inDescription
    const weight = fields * rarity(frequency(term)) * (identifier ? IDENTIFIER_SHARE : 1)
    ;(title > 0 ? titles : descriptions).push([term, weight])
  }
  return [
    ...titles.sort(byWeight).slice(0, MAX_TITLE_TERMS),
    ...descriptions.sort(byWeight).slice(0, MAX_DESCRIPTION_TERMS)
  ]
}
