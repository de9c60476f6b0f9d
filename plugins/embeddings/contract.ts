import type { RawBuilder } from 'kysely'
import { contract, type Caller } from '../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../core/api/database/types.ts'

export interface EmbeddingsTables {
  /** A part of a text that has, or waits for, a vector. */
  embeddingText: {
    workspaceId: Id
    pool: string
    id: Id
    part: number
    content: string
    hash: string
    waiting: boolean
  }
  /** The vector of a part, in half precision. While one model replaces another, there are vectors of both. */
  embedding: { workspaceId: Id; pool: string; id: Id; part: number; model: string; vector: string }
  /** The model whose vectors searches use, and the one whose vectors are being made. */
  embeddingPool: { workspaceId: Id; pool: string; model: string; dimensions: number; nextModel: string }
}

/** The text of a search: itself, or its id, if the pool has its vector. */
export interface Like {
  id?: Id
  text: string
}
/** `distance`: cosine distance, 0 (equal) to 2. */
export interface Near {
  id: Id
  distance: number
}
export interface Neighbours {
  /** Nearest first. */
  near: Near[]
  /** For other texts of the pool that have vectors. Not inside a transaction. */
  distancesOf(ids: readonly Id[]): Promise<Near[]>
}
export interface NearOptions {
  limit: number
  maxDistance: number
}

/**
 * An index of texts by their meaning, in pools: the texts of one kind in the caller's workspace. Texts are written in
 * the caller's transaction and get their vectors soon after.
 */
export interface VectorIndex {
  /** Replaces former versions; only changed parts are embedded again. */
  put(
    caller: Caller,
    trx: TransactionHandle,
    pool: string,
    texts: ReadonlyArray<{ id: Id; text: string }>
  ): Promise<void>
  remove(caller: Caller, trx: TransactionHandle, pool: string, ids: readonly Id[]): Promise<void>
  /**
   * The nearest texts of a pool, without the searched one. A text of the pool is compared by its first part with those
   * of the others, another text with all parts. It waits for the model half a second at most; `undefined`: there are no
   * vectors, so search by words. Not inside a transaction.
   */
  find(caller: Caller, pool: string, like: Like, options: NearOptions): Promise<Neighbours | undefined>
  holds(caller: Caller, pool: string, id: RawBuilder<Id>): RawBuilder<boolean>
}

export interface EmbeddingsServices {
  vectorIndex: VectorIndex
}
export const embeddings = contract<EmbeddingsServices, EmbeddingsTables>()('embeddings', {
  healthWhenOff: { model: null, backlog: 0 }
})
