import type { Generated, RawBuilder } from 'kysely'
import { contract, type Caller } from '../../core/api/contract.ts'
import type { DatabaseHandle, Id, TransactionHandle } from '../../core/api/database/types.ts'

export interface SearchTables {
  /** A text of a pool, with the weights of its words. */
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
  /** `tokensVersion`: the oldest by which its texts may be indexed. */
  searchPool: { workspaceId: Id; pool: string; documents: number; tokensVersion: Generated<number> }
  /** The document frequency of each term and facet. */
  searchTerm: { workspaceId: Id; term: number; pool: string; word: string; df: number }
  issueResolution: { workspaceId: Id; issueId: Id; snippet: string }
  /** What was found close to a new issue after the answer to filing it. */
  issueSimilar: { workspaceId: Id; issueId: Id; similarIds: Id[]; scores: number[]; foundAt: Date }
  searchReindex: { workspaceId: Id; afterId: Id }
  /** When issues were filed: times at even distances in the order of their creation. */
  searchTimeline: { workspaceId: Id; issues: number; times: Date[] }
}

/** The words of a text, by field: the fields are weighted differently. */
export interface Texts {
  title: string
  description: string
  comments: string
}
export interface IndexedText extends Texts {
  id: Id
  /** What it shares with others beside its words, e.g. the ids of its labels. They are counted, not searched for. */
  facets?: readonly string[]
}

/**
 * An index of texts of any kind by their words and, where there are vectors, by their meaning. A pool holds the texts
 * of one kind in the caller's workspace.
 */
export interface TextIndex {
  /** Must be called before the texts are read, so that of two writers the later one has read the later text. */
  lock(caller: Caller, trx: TransactionHandle, pool: string): Promise<void>
  /** Indexes texts, replacing what their ids held, and forgets those of `removed`. */
  put(
    caller: Caller,
    trx: TransactionHandle,
    pool: string,
    texts: readonly IndexedText[],
    options?: { removed?: readonly Id[] }
  ): Promise<void>
  /**
   * The best texts of a pool for a text, by its words and by what it means, best first. `distance` is the cosine
   * distance of the meanings, null where only words matched. Not to be called inside a transaction.
   */
  search(
    caller: Caller,
    db: DatabaseHandle,
    pool: string,
    text: { title: string; description?: string },
    limit: number
  ): Promise<Array<{ id: Id; score: number; distance: number | null }>>
  /** The best texts of a pool for a text, by its words alone, best first. */
  searchWords(
    caller: Caller,
    db: DatabaseHandle,
    pool: string,
    text: string,
    limit: number
  ): Promise<Array<{ id: Id; score: number }>>
  /** Whether texts of a pool may be indexed by the tokens of an older version; then all must be put again. */
  isOutdated(caller: Caller, db: DatabaseHandle, pool: string): Promise<boolean>
  /** To be called when all texts of an outdated pool were put again. */
  setCurrent(caller: Caller, db: DatabaseHandle, pool: string): Promise<void>
  /** SQL: whether the index has the text of that id. */
  holds(caller: Caller, pool: string, id: RawBuilder<Id>): RawBuilder<boolean>
}

/** An issue, and how it was resolved. */
export interface SolvedIssue {
  key: string
  title: string
  /** The beginning of the comment that explains it. */
  resolution: string
}

export interface SearchServices {
  textIndex: TextIndex
  /**
   * Issues that were completed with an explanation: those most like an issue or a text, best first. Not to
   * be called inside a transaction. @throws 403, 404
   */
  solved(caller: Caller, like: { issueId: Id } | { text: string }, limit: number): Promise<SolvedIssue[]>
}
export const search = contract<SearchServices, SearchTables>()('search')
