import type { RawBuilder } from 'kysely'
import type { Caller } from '../../core/api/contract.ts'
import type { DatabaseHandle, Id } from '../../core/api/database/types.ts'
import type { Like } from '../embeddings/contract.ts'
import { DEFAULT_MEANING_SHARE, type Ctx } from './context.ts'
import type { TextIndex } from './contract.ts'
import { and, rankTexts, type Meaning } from './queries/fusion.ts'
import { wordIndex, type Pool, type WordIndex } from './word-index/index.ts'

/** Default of the maximum cosine distance of texts without common words. */
export const DEFAULT_THRESHOLD = 0.8
/** Maximum nearest texts: more cost time and change little. */
const MAX_NEAREST = 150

/** Undefined if there are none, and without embeddings. */
export async function meaningOf(
  { use, settings, asServer }: Ctx,
  pool: Pool,
  like: Like,
  threshold = DEFAULT_THRESHOLD
): Promise<Meaning | undefined> {
  const nearest = await use.embeddings?.vectorIndex.find(asServer(pool.workspaceId), pool.name, like, {
    limit: MAX_NEAREST,
    maxDistance: threshold
  })
  const last = nearest?.near.at(-1)
  if (!nearest || !last) return undefined
  return {
    ...nearest,
    beyond: nearest.near.length === MAX_NEAREST ? last.distance : threshold,
    share: settings.meaning ?? DEFAULT_MEANING_SHARE
  }
}

interface WholeIndex extends WordIndex {
  search(
    db: DatabaseHandle,
    pool: Pool,
    text: { title: string; description?: string },
    limit: number
  ): Promise<Array<{ id: Id; score: number; distance: number | null }>>
}

export const makeTextIndex = (ctx: Ctx): WholeIndex => ({
  ...wordIndex,

  async put(trx, pool, texts, options = {}) {
    await wordIndex.put(trx, pool, texts, options)
    const vectors = ctx.use.embeddings?.vectorIndex
    if (!vectors) return
    const server = ctx.asServer(pool.workspaceId)
    await vectors.put(
      server,
      trx,
      pool.name,
      texts.map(({ id, title, description, comments }) => ({
        id,
        text: [title, description, comments].filter(Boolean).join('\n\n')
      }))
    )
    await vectors.remove(server, trx, pool.name, options.removed ?? [])
  },

  async search(db, pool, text, limit) {
    const query = await wordIndex.query(db, pool, text)
    const meaning = await meaningOf(ctx, pool, { text: `${text.title}\n\n${text.description ?? ''}` })
    const distances = new Map(meaning?.near.map(({ id, distance }) => [id, distance]))
    const hits = await rankTexts(db, pool, query, limit, meaning)
    return hits.map(hit => ({ ...hit, distance: distances.get(hit.id) ?? null }))
  },

  holds: (pool, id: RawBuilder<Id>) =>
    and(wordIndex.holds(pool, id), ctx.use.embeddings?.vectorIndex.holds(ctx.asServer(pool.workspaceId), pool.name, id))
})

export function makeTextIndexService(ctx: Ctx): TextIndex {
  const index = makeTextIndex(ctx)
  const poolOf = ({ workspaceId }: Caller, name: string): Pool => ({ workspaceId, name })
  return {
    lock: (caller, trx, pool) => index.lock(trx, poolOf(caller, pool)),
    put: (caller, trx, pool, texts, options) => index.put(trx, poolOf(caller, pool), texts, options),
    search: (caller, db, pool, text, limit) => index.search(db, poolOf(caller, pool), text, limit),
    async searchWords(caller, db, name, text, limit) {
      const pool = poolOf(caller, name)
      return index.find(db, pool, await index.query(db, pool, { title: text }), limit)
    },
    isOutdated: (caller, db, pool) => index.isOutdated(db, poolOf(caller, pool)),
    setCurrent: (caller, db, pool) => index.setCurrent(db, poolOf(caller, pool)),
    holds: (caller, pool, id) => index.holds(poolOf(caller, pool), id)
  }
}
