import { hash } from 'node:crypto'
import type { Caller } from '../../core/api/contract.ts'
import { requestVectors } from './backlog.ts'
import type { VectorIndex } from './contract.ts'
import type { Ctx, Trx } from './context.ts'
import type { Model, ModelHolder } from './model/model.ts'
import type { Outcome } from './model/outcomes.ts'
import { partsOf } from './parts.ts'
import { findPoolModels } from './queries/models.ts'
import { findDistances, findNearest } from './queries/nearest.ts'
import { hasText, putParts, removeTexts, type Pool } from './queries/texts.ts'

/** Maximum milliseconds that a search waits for the vector of its query. */
const MAX_EMBEDDING_MS = 500

const poolOf = ({ workspaceId }: Caller, name: string): Pool => ({ workspaceId, name })

/** @param record counts the outcome of a search, and returns undefined */
export function makeVectorIndex(
  ctx: Ctx,
  models: ModelHolder,
  record: (outcome: Outcome, error?: unknown) => undefined
): VectorIndex {
  return {
    async put(caller, trx: Trx, name, texts) {
      const pool = poolOf(caller, name)
      const parts = texts.flatMap(({ id, text }) =>
        partsOf(text).map((content, part) => ({ id, part, content, hash: hash('sha256', content) }))
      )
      const ids = texts.map(text => text.id)
      if (await putParts(trx, pool, ids, parts)) await requestVectors(ctx, trx, pool)
    },

    async remove(caller, trx: Trx, name, ids) {
      if (ids.length > 0) await removeTexts(trx, poolOf(caller, name), ids)
    },

    async find(caller, name, { id, text }, { limit, maxDistance }) {
      const pool = poolOf(caller, name)
      const poolModels = await findPoolModels(ctx.db, pool, id)
      if (!poolModels) return record('no vectors')
      // Until the vectors of a new model are complete those of the old one answer; without the old model, the available
      // ones. Without both, what was stored earlier does not answer either: search goes by words.
      const model = models.named(poolModels.model) ?? models.named(poolModels.nextModel)
      if (!model) return record('no model')
      const query = poolModels.stored === null ? await embed(text, model) : { ...poolModels, vector: poolModels.stored }
      if (!query) return undefined
      const compared = { ...query, byFirstParts: id !== undefined }
      record('meaning')
      return {
        near: await ctx.transaction(trx => findNearest(trx, pool, { ...compared, exceptId: id, limit, maxDistance })),
        distancesOf: ids => findDistances(ctx.db, pool, compared, ids)
      }
    },

    holds: (caller, name, id) => hasText(poolOf(caller, name), id)
  }

  async function embed(text: string, model: Model) {
    const signal = AbortSignal.timeout(MAX_EMBEDDING_MS)
    try {
      const [vector] = await model.embed(partsOf(text).slice(0, 1), { urgent: true, signal })
      return vector && { model: model.id, dimensions: model.dimensions, vector: JSON.stringify(vector) }
    } catch (error) {
      return record(signal.aborted ? 'too late' : 'failed', error)
    }
  }
}
