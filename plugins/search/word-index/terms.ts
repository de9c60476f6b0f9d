import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { SparseVector } from 'pgvector'
import type { Id } from '../../../core/api/database/types.ts'
import { tokenize, type Token } from '../../../lib/words/tokens.ts'

/** The texts of one kind in one workspace: the scope of a query and its statistics. */
export interface Pool {
  workspaceId: Id
  name: string
}

/** The number of a token in the vectors and term arrays of a pool, from 1 to `DIMENSIONS`. */
export type TermId = number

/** Dimensions of the `sparsevec` column. Two tokens of a large pool share an id about once in a billion pairs. */
const DIMENSIONS = 1_000_000_000

const termIds = new LRUCache<string, TermId>({
  max: 50_000,
  memoMethod: salted => (parseInt(hash('sha1', salted).slice(0, 12), 16) % DIMENSIONS) + 1
})

/**
 * The term ids of a pool. They are salted with its name, so that one GIN index serves all pools of all workspaces, and
 * neither hits nor statistics of one depend on another.
 */
export function termIdsOf({ workspaceId, name }: Pool): (token: string) => TermId {
  const salt = `${workspaceId}/${name}`
  return token => termIds.memo(`${salt}\0${token}`)
}

export function facetIdsOf(pool: Pool): (facet: string) => TermId {
  const termId = termIdsOf(pool)
  return facet => termId(`\0${facet}`)
}

/** The weights of terms for a `sparsevec` column or operator; its 32-bit floats have at most six digits. */
export function sparseVector(weights: ReadonlyMap<TermId, number>): SparseVector {
  // The package counts dimensions from 0, PostgreSQL and the term ids from 1.
  const elements = [...weights].map(([term, weight]) => [term - 1, Number(weight.toPrecision(6))] as const)
  return new SparseVector(new Map(elements), DIMENSIONS)
}

export function countTokens(tokens: readonly Token[]): Map<string, { count: number; identifier: boolean }> {
  const counts = new Map<string, { count: number; identifier: boolean }>()
  for (const { text, identifier } of tokens) {
    const entry = counts.get(text)
    if (entry) entry.count++
    else counts.set(text, { count: 1, identifier })
  }
  return counts
}

/** The version of the index's tokens. A pool of an older version is indexed again in the background. */
export const TOKENS_VERSION = 2

/** Version 1 of folding: it kept `ł` and the like, removed the marks of kana and decomposed Hangul syllables. */
const formerFold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** Both versions fold it alike. */
const ASCII = /^[\0-\x7f]*$/

/** The tokens of version 1, for searches until a pool has been indexed again. */
export function formerTokens(text: string): Set<string> {
  if (ASCII.test(text)) return new Set()
  const textsOf = (folded?: typeof formerFold) => new Set(tokenize(text, folded).map(token => token.text))
  return textsOf(formerFold).difference(textsOf())
}
