import type { Generated, RawBuilder } from 'kysely'
import { contract, type Caller } from '../../core/api/contract.ts'
import type { DatabaseHandle, Id, TransactionHandle } from '../../core/api/database/types.ts'

export interface SearchTables {
  searchDocument: {
    workspaceId: Id
    pool: string
    id: Id
    terms: number[]
    heavyTerms: number[]
    titleTerms: number[]
    descriptionTerms: number[]
    facets: number[]
    weights: string
    wordsHash: string | null
  }
  /** `tokensVersion`: the oldest version of tokens among its texts. */
  searchPool: { workspaceId: Id; pool: string; documents: number; tokensVersion: Generated<number> }
  searchTerm: { workspaceId: Id; term: number; pool: string; word: string; df: number }
  issueResolution: { workspaceId: Id; issueId: Id; snippet: string }
  /** Issues similar to a new one, found after it was created. */
  issueSimilar: { workspaceId: Id; issueId: Id; similarIds: Id[]; scores: number[]; foundAt: Date }
  searchReindex: { workspaceId: Id; afterId: Id }
  /** The times of creation of evenly spaced issues, in order. */
  searchTimeline: { workspaceId: Id; issues: number; times: Date[] }
}

export interface Texts {
  title: string
  description: string
  comments: string
}
export interface IndexedText extends Texts {
  id: Id
  /** Properties shared with other texts, e.g. ids of labels. They are counted, not searched. */
  facets?: readonly string[]
}

/**
 * An index of texts by their words and, with vectors, by their meaning. A pool holds the texts of one kind in the
 * caller's workspace.
 */
export interface TextIndex {
  /** Call it before reading the texts, so that of two writers the later one has read the later text. */
  lock(caller: Caller, trx: TransactionHandle, pool: string): Promise<void>
  /** Replaces former versions, and removes the texts of `removed`. */
  put(
    caller: Caller,
    trx: TransactionHandle,
    pool: string,
    texts: readonly IndexedText[],
    options?: { removed?: readonly Id[] }
  ): Promise<void>
  /**
   * The best texts of a pool for a text, by words and by meaning, best first. `distance` is the cosine distance of the
   * meanings, null if only words matched. Not inside a transaction.
   */
  search(
    caller: Caller,
    db: DatabaseHandle,
    pool: string,
    text: { title: string; description?: string },
    limit: number
  ): Promise<Array<{ id: Id; score: number; distance: number | null }>>
  /** By words alone. */
  searchWords(
    caller: Caller,
    db: DatabaseHandle,
    pool: string,
    text: string,
    limit: number
  ): Promise<Array<{ id: Id; score: number }>>
  /** True if texts of a pool may be indexed by tokens of an older version; then all must be put again. */
  isOutdated(caller: Caller, db: DatabaseHandle, pool: string): Promise<boolean>
  /** Call it after all texts of an outdated pool were put again. */
  setCurrent(caller: Caller, db: DatabaseHandle, pool: string): Promise<void>
  /** SQL: true if the index has the text of that id. */
  holds(caller: Caller, pool: string, id: RawBuilder<Id>): RawBuilder<boolean>
}

export interface SolvedIssue {
  key: string
  title: string
  /** The beginning of the comment that explains it. */
  resolution: string
}

export interface SearchServices {
  textIndex: TextIndex
  /**
   * Completed issues with an explanation that are most similar to an issue or a text, best first. Not inside a
   * transaction.
   * @throws 403, 404
   */
  solved(caller: Caller, like: { issueId: Id } | { text: string }, limit: number): Promise<SolvedIssue[]>
}
export const search = contract<SearchServices, SearchTables>()('search')
