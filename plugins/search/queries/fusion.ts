import { sql, type Expression, type RawBuilder } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Neighbours } from '../../embeddings/contract.ts'
import type { Db } from '../context.ts'
import { bestCandidates, firstSufficient, type Pool, type Query } from '../word-index/index.ts'

/** A hit; scores are comparable within one answer. */
export interface Scored {
  id: Id
  score: number
}

export interface Meaning extends Neighbours {
  /** The distance that is assumed for all other texts: the minimum that they have. */
  beyond: number
  share: number
}

/**
 * Rows of `id` and `score` from matches by words (rows of the same kind) and by meaning. By words, the score is a share
 * of the best one; a fusion by ranks alone was measured to be worse than words alone.
 */
function fuse(matches: Expression<unknown>, meaning: Meaning | undefined): RawBuilder<Scored> {
  if (!meaning) return sql<Scored>`${matches}`
  const { near, beyond, share } = meaning
  // Raw, because Kysely has no columns for the rows of `unnest` in a full join.
  return sql<Scored>`(
    select coalesce(w.id, n.id) as id,
      coalesce(w.score / max(w.score) over (), 0)
        + ${share}::float8 * greatest(1 - coalesce(n.distance, ${beyond}::float8), 0) as score
    from ${matches} w
    full join unnest(${near.map(hit => hit.id)}::uuid[], ${near.map(hit => hit.distance)}::float8[])
      as n (id, distance) on n.id = w.id)`
}

export const rankTexts = (
  db: Db,
  pool: Pool,
  query: Query,
  limit: number,
  meaning: Meaning | undefined
): Promise<Scored[]> =>
  firstSufficient(limit, query.plans, plan =>
    db
      .selectFrom(fuse(bestCandidates(db, pool, query, plan, limit), meaning).as('f'))
      .select(['f.id', 'f.score'])
      .orderBy('f.score', 'desc')
      .orderBy('f.id')
      .limit(limit)
      .execute()
  )

export const and = (first: RawBuilder<boolean>, second?: RawBuilder<boolean>) =>
  second === undefined ? sql<boolean>`(${first})` : sql<boolean>`(${first} and ${second})`
