import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Expression, RawBuilder, Transaction } from 'kysely'
import type { DatabaseHandle, Id, Reader, TransactionHandle } from '../../../core/api/database/types.ts'
import { stem, tokenize } from '../../../lib/words/tokens.ts'
import type { IndexedText, SearchTables, Texts } from '../contract.ts'
import { firstSufficient } from './candidate-plans.ts'
import { documentVector } from './document-vector.ts'
import * as queries from './queries.ts'
import { askFormerly, formerTerms, queryVector, questionTerms, requiredTerms, type Query } from './query-vector.ts'
import { beginningsOf, corrections, isCorrectable, MAX_CORRECTED_WORDS } from './misspellings.ts'
import { phrasesOf, unfinishedWord } from './query-text.ts'
import { facetIdsOf, sparseVector, termIdsOf, TOKENS_VERSION, type Pool, type TermId } from './terms.ts'

export { firstSufficient, type CandidatePlan } from './candidate-plans.ts'
export { bestCandidates, scoreCandidates, scoreNamed } from './queries.ts'
export { phrasesOf } from './query-text.ts'
export type { Query } from './query-vector.ts'
export { facetIdsOf, termIdsOf, type Pool } from './terms.ts'

type Db = Reader<SearchTables>
type Trx = Transaction<SearchTables>

/** An index of texts by their words, in the tables `search_document`, `search_pool` and `search_term`. */
export interface WordIndex {
  lock(trx: TransactionHandle, pool: Pool): Promise<void>
  /** Texts with unchanged words are skipped, unless `reindex`. See `TextIndex`, as for the others. */
  put(
    trx: TransactionHandle,
    pool: Pool,
    texts: readonly IndexedText[],
    options?: { removed?: readonly Id[]; reindex?: boolean }
  ): Promise<void>
  query(db: DatabaseHandle, pool: Pool, text: QueryText, options?: QueryOptions): Promise<Query>
  find(db: DatabaseHandle, pool: Pool, query: Query, limit: number): Promise<Array<{ id: Id; score: number }>>
  isOutdated(db: DatabaseHandle, pool: Pool): Promise<boolean>
  setCurrent(db: DatabaseHandle, pool: Pool): Promise<void>
  holds(pool: Pool, id: Expression<Id>): RawBuilder<boolean>
}

interface QueryText {
  title: string
  description?: string
  facets?: readonly string[]
}

export interface QueryOptions {
  /** True if the last word may be unfinished. */
  completeLastWord?: boolean
  /** Replaces words of the title that the pool lacks by similarly spelt ones. */
  correctWords?: boolean
  requirePhrases?: boolean
  /** The text is itself in the pool, so a term must occur in another text, too. */
  isInPool?: boolean
  /** The search belongs to another request, and reads less. */
  isQuick?: boolean
  anyFacet?: readonly string[] | undefined
}

const MAX_COMPLETIONS = 10
export const MAX_QUERY_LENGTH = 20_000
/** Characters after which other work on the event loop has its turn before the next text is indexed. */
const MAX_LENGTH_PER_TURN = 10_000
/** Terms per counting statement: on the embedded database all others wait for it. */
const MAX_TERMS_PER_STATEMENT = 2_000

export const wordIndex: WordIndex = {
  lock: (trx: Trx, pool) => queries.lockPool(trx, pool),

  async put(trx: Trx, pool, texts, { removed = [], reindex = false } = {}) {
    const documents = texts.map(text => toDocument(pool, text))
    const stored = new Map(
      (
        await queries.findDocuments(
          trx,
          pool,
          documents.map(({ id }) => id)
        )
      ).map(row => [row.id, row])
    )
    const isUnchanged = ({ id, wordsHash }: Document) => !reindex && stored.get(id)?.wordsHash === wordsHash
    const changed = documents.filter(document => !isUnchanged(document))
    const moved = documents.filter(
      document => isUnchanged(document) && !isDeepStrictEqual(stored.get(document.id)?.facets, document.facets)
    )
    const frequencies = new FrequencyChanges()
    for (const { id, facets } of moved) {
      frequencies.subtract(stored.get(id)?.facets ?? [])
      frequencies.add(facets)
    }
    if (moved.length > 0) {
      await queries.updateFacets(
        trx,
        pool,
        moved.map(({ id, facets }) => ({ id, facets }))
      )
    }
    const leaving = [...changed.map(({ id }) => id).filter(id => stored.has(id)), ...removed]
    const deleted = leaving.length > 0 ? await queries.deleteDocuments(trx, pool, leaving) : []
    for (const { terms, facets } of deleted) frequencies.subtract([...terms, ...facets])
    await insert(trx, pool, changed, frequencies)
    const added = changed.length - deleted.length
    if (added !== 0) await queries.addToDocumentCount(trx, pool, added)
    await frequencies.write(trx, pool)
  },

  async query(db: Db, pool, { title, description = '', facets = [] }, options = {}) {
    const {
      completeLastWord = false,
      correctWords = false,
      requirePhrases = false,
      isInPool = false,
      isQuick = false,
      anyFacet
    } = options
    const facetId = facetIdsOf(pool)
    const [titlePart, described] = [title.slice(0, MAX_QUERY_LENGTH), description.slice(0, MAX_QUERY_LENGTH)]
    const question = {
      terms: questionTerms(pool, titlePart, described),
      alternatives: completeLastWord ? [await completionsOf(db, pool, title)] : [],
      required: requirePhrases ? phrasesOf(title).flatMap(phrase => requiredTerms(pool, phrase)) : [],
      former: formerTerms(pool, titlePart, described),
      facets: facets.map(facetId),
      anyFacet: anyFacet?.map(facetId)
    }
    const terms = [
      ...question.terms.keys(),
      ...question.former.keys(),
      ...question.alternatives.flat(),
      ...question.facets
    ]
    const { documents, byTerm, isCurrent } = await queries.findFrequencies(db, pool, terms)
    if (!isCurrent) askFormerly(question)
    const corrected = correctWords ? await correctionsOf(db, pool, title, byTerm, question.alternatives) : []
    question.alternatives.push(...corrected.map(group => group.map(({ term }) => term)))
    const frequencies = new Map([...byTerm, ...corrected.flat().map(({ term, df }) => [term, df] as const)])
    return queryVector(question, { documents, byTerm: frequencies }, { minDocuments: isInPool ? 2 : 1, isQuick })
  },

  find: (db: Db, pool, query, limit) =>
    firstSufficient(limit, query.plans, plan => queries.bestCandidates(db, pool, query, plan, limit).execute()),

  isOutdated: queries.isOutdated,
  setCurrent: queries.setCurrent,
  holds: queries.hasDocument
}

interface Document {
  id: Id
  texts: Texts
  wordsHash: string
  facets: TermId[]
}

function toDocument(pool: Pool, { id, facets = [], ...texts }: IndexedText): Document {
  return {
    id,
    texts,
    wordsHash: hash('sha1', JSON.stringify([TOKENS_VERSION, texts])),
    facets: [...new Set(facets)].map(facetIdsOf(pool))
  }
}

async function insert(
  trx: Trx,
  pool: Pool,
  documents: readonly Document[],
  frequencies: FrequencyChanges
): Promise<void> {
  const rows = []
  for (const { id, texts, wordsHash, facets } of documents) {
    const { tokens, weights, ...terms } = documentVector(pool, texts)
    for (const [term, token] of tokens) frequencies.add([term], token)
    frequencies.add(facets)
    rows.push({
      workspaceId: pool.workspaceId,
      pool: pool.name,
      id,
      terms: [...tokens.keys()],
      ...terms,
      facets,
      weights: sparseVector(weights).toPostgres(),
      wordsHash
    })
    const { title, description, comments } = texts
    if (title.length + description.length + comments.length > MAX_LENGTH_PER_TURN) await setImmediate()
  }
  if (rows.length > 0) await queries.insertDocuments(trx, rows)
}

async function completionsOf(db: Db, pool: Pool, title: string): Promise<TermId[]> {
  const word = unfinishedWord(title)
  if (word === undefined) return []
  const asWritten = termIdsOf(pool)(stem(word))
  return (await queries.findCompletions(db, pool, word, MAX_COMPLETIONS)).filter(term => term !== asWritten)
}

async function correctionsOf(
  db: Db,
  pool: Pool,
  title: string,
  frequencies: ReadonlyMap<TermId, number>,
  [completions = []]: readonly TermId[][]
): Promise<queries.KnownWord[][]> {
  const termId = termIdsOf(pool)
  const unfinished = completions.length > 0 ? unfinishedWord(title) : undefined
  const words = tokenize(title.slice(0, MAX_QUERY_LENGTH)).filter(
    ({ text, identifier }) => !identifier && isCorrectable(text) && !(frequencies.get(termId(text)) ?? 0)
  )
  const unknown = [...new Set(words.map(({ text }) => text))].filter(
    text => unfinished === undefined || text !== stem(unfinished)
  )
  const known: queries.KnownWord[][] = []
  for (const word of unknown.slice(0, MAX_CORRECTED_WORDS)) {
    known.push(corrections(word, await queries.findWordsLike(db, pool, word, beginningsOf(word))))
  }
  return known
}

class FrequencyChanges {
  readonly #changes = new Map<TermId, { change: number; word: string }>()

  add(terms: readonly TermId[], word = ''): void {
    for (const term of terms) this.#count(term, 1, word)
  }

  subtract(terms: readonly TermId[]): void {
    for (const term of terms) this.#count(term, -1, '')
  }

  #count(term: TermId, by: 1 | -1, word: string): void {
    this.#changes.set(term, { change: (this.#changes.get(term)?.change ?? 0) + by, word })
  }

  /** In the order of the terms, to avoid deadlocks. */
  async write(trx: Trx, pool: Pool): Promise<void> {
    const changes = [...this.#changes]
      .flatMap(([term, { change, word }]) => (change === 0 ? [] : { term, word, change }))
      .sort((a, b) => a.term - b.term)
    for (let n = 0; n < changes.length; n += MAX_TERMS_PER_STATEMENT) {
      if (n > 0) await setImmediate()
      await queries.addToFrequencies(trx, pool, changes.slice(n, n + MAX_TERMS_PER_STATEMENT))
    }
  }
}
