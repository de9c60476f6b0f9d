import { sql, type RawBuilder } from 'kysely'
import type { Id } from '../../core/db/tables.ts'
import type { Like, Near } from '../embeddings/contract.ts'
import type { Pool, TextIndex } from './contract.ts'
import type { Ctx } from './index.ts'
import { best, readUntil, textIndex as words } from './text-index.ts'

/** The greatest cosine distance of what only its meaning brings, unless told otherwise. */
export const DEFAULT_THRESHOLD = 0.8
/** What closeness in meaning counts, where the best match by words counts 1. */
export const DEFAULT_SHARE = 0.2
/** The nearest texts that are looked at: more cost time and change little. */
const NEAREST = 50

export interface Meaning {
  near: readonly Near[]
  /** The distance that all others count as having: they are as far away at least. */
  beyond: number
  share: number
}

/** What is near to a text in meaning; undefined where nothing is, or nothing can tell: then words alone must do. */
export async function meaningOf(
  { use, config }: Ctx,
  pool: Pool,
  like: Like,
  threshold = DEFAULT_THRESHOLD
): Promise<Meaning | undefined> {
  const near = await use.embeddings?.vectorIndex.find(pool, like, { limit: NEAREST, within: threshold })
  const last = near?.at(-1)
  if (!near || !last) return undefined
  return { near, beyond: near.length === NEAREST ? last.distance : threshold, share: config.meaning ?? DEFAULT_SHARE }
}

/**
 * Rows of `id` and `score`: what was found by words (rows of the same kind) and what is near in meaning. By words, the
 * score is a share of the best one; a fusion by ranks alone was measured to be worse than words alone.
 */
export function fused(found: RawBuilder<unknown>, meaning: Meaning | undefined): RawBuilder<unknown> {
  if (!meaning) return found
  const { near, beyond, share } = meaning
  return sql`
    select coalesce(w.id, n.id) as id,
      coalesce(w.score / max(w.score) over (), 0)
        + ${share}::float8 * greatest(1 - coalesce(n.distance, ${beyond}::float8), 0) as score
    from (${found}) w
    full join unnest(${near.map(hit => hit.id)}::uuid[], ${near.map(hit => hit.distance)}::float8[])
      as n (id, distance) on n.id = w.id`
}

/** The index of texts by their words and, where there are vectors, by their meaning. */
export const makeTextIndex = (ctx: Ctx): TextIndex => ({
  ...words,

  async put(trx, pool, texts, options = {}) {
    await words.put(trx, pool, texts, options)
    const vectors = ctx.use.embeddings?.vectorIndex
    if (!vectors) return
    await vectors.put(
      trx,
      pool,
      texts.map(({ id, title, description, comments }) => ({
        id,
        text: [title, description, comments].filter(Boolean).join('\n\n')
      }))
    )
    await vectors.remove(trx, pool, options.removed ?? [])
  },

  async search(db, pool, text, limit) {
    const query = await words.query(db, pool, text)
    const meaning = await meaningOf(ctx, pool, { text: `${text.title}\n\n${text.description ?? ''}` })
    const distances = new Map(meaning?.near.map(({ id, distance }) => [id, distance]))
    const found = await readUntil(limit, query, async reading => {
      const { rows } = await sql<{ id: Id; score: number }>`
        select id, score from (${fused(best(pool, query, reading, limit), meaning)}) f
        order by score desc, id limit ${limit}`.execute(db)
      return rows
    })
    return found.map(hit => ({ ...hit, distance: distances.get(hit.id) ?? null }))
  },

  holds: (pool, id) => {
    const vectors = ctx.use.embeddings?.vectorIndex
    return sql`(${words.holds(pool, id)}${vectors ? sql` and ${vectors.holds(pool, id)}` : sql``})`
  }
})
