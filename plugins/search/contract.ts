import type { RawBuilder } from 'kysely'
import type { Handle, Id, TransactionHandle } from '../../core/db/tables.ts'
import { contract } from '../../core/plugin.ts'
import type { Query, Texts } from './weights.ts'

export interface SearchTables {
  /** A text of some pool as its words weigh. */
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
  searchPool: { workspaceId: Id; pool: string; documents: number }
  /** In how many documents each term and facet is. */
  searchTerm: { workspaceId: Id; term: number; pool: string; word: string; df: number }
  issueResolution: { workspaceId: Id; issueId: Id; snippet: string }
  searchReindex: { workspaceId: Id; afterId: Id }
}

/** Where texts are searched: the texts of one kind in one workspace. */
export interface Pool {
  workspaceId: Id
  name: string
}
export interface IndexedText extends Texts {
  id: Id
  /** What it shares with others beside its words, e.g. the ids of its labels. They are counted, not searched for. */
  facets?: readonly string[]
}

/** A word index over texts of any kind; the vectors are in `search_document`, bounded by workspace and pool. */
export interface WordIndex {
  /** Must be called before the texts are read, so that of two writers the later one has read the later text. */
  lock(trx: TransactionHandle, pool: Pool): Promise<void>
  /**
   * Indexes texts, replacing what their ids held, and forgets those of `removed`. Words that are indexed already stay
   * as they are, unless `anew`.
   */
  put(
    trx: TransactionHandle,
    pool: Pool,
    texts: readonly IndexedText[],
    options?: { removed?: readonly Id[]; anew?: boolean }
  ): Promise<void>
  /**
   * What a text asks for. `prefix`: its last word may be unfinished. `phrases`: what it quotes must occur, at least
   * word by word.
   * `other`: the text is itself in the pool, so a term must be in another one, too.
   * `within`: facets of which a hit has one.
   */
  query(
    db: Handle,
    pool: Pool,
    text: { title: string; description?: string; facets?: readonly string[] },
    options?: { prefix?: boolean; phrases?: boolean; other?: boolean; within?: readonly string[] | undefined }
  ): Promise<Query>
  /** The best texts of a pool and their scores, best first. */
  find(db: Handle, pool: Pool, query: Query, limit: number): Promise<Array<{ id: Id; score: number }>>
  /** SQL: whether the index has the text of that id. */
  holds(pool: Pool, id: RawBuilder<Id>): RawBuilder<boolean>
}

/** The word index, and with it, where there are vectors, an index of what texts mean. */
export interface TextIndex extends WordIndex {
  /**
   * The best texts of a pool for a text, by its words and by what it means, best first. `distance` is the cosine
   * distance of the meanings, null where only words matched. Not to be called inside a transaction.
   */
  search(
    db: Handle,
    pool: Pool,
    text: { title: string; description?: string },
    limit: number
  ): Promise<Array<{ id: Id; score: number; distance: number | null }>>
}

export interface SearchServices {
  textIndex: TextIndex
}
export const search = contract<SearchServices, SearchTables>()('search')

export { fold, stem, tokenize } from './tokens.ts'
