import { job } from '../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../core/api/database/types.ts'
import type { Ctx } from './context.ts'
import { embeddings } from './contract.ts'
import type { Model } from './model/model.ts'
import { addPool, adoptModel, completeModel } from './queries/models.ts'
import type { Pool } from './queries/texts.ts'
import { findWaiting, findWaitingPools, storeVectors } from './queries/waiting.ts'

/** Texts of one pool wait for their vectors. */
export const embedWaiting = job<{ workspaceId: Id; pool: string }>()(embeddings, 'embedWaiting', { keyed: true })

/** Vectors of models that no longer answer in a pool are to be deleted. */
export const forgetModels = job<{ workspaceId: Id; pool: string }>()(embeddings, 'forgetModels', { keyed: true })
/** Searches that have begun still use them. */
const FORGET_AFTER_SECONDS = 60

/** Parts that are written together: the embedded database, which has one connection, is soon free again. */
const PARTS_PER_STEP = 16
/** How long one job works on a pool; what is left is done by another job, after those of other pools. */
const MAX_JOB_MS = 10_000

/** Has the texts of a pool embedded that wait for it. */
export const requestVectors = (ctx: Ctx, when: TransactionHandle | 'now', pool: Pool): Promise<void> =>
  ctx.enqueue(when, embedWaiting, [payloadOf(pool)], { key: keyOf(pool) })
const payloadOf = ({ workspaceId, name }: Pool) => ({ workspaceId, pool: name })
const keyOf = ({ workspaceId, name }: Pool) => `${workspaceId}/${name}`

export async function requestAllVectors(ctx: Ctx): Promise<void> {
  for (const pool of await findWaitingPools(ctx.db)) await requestVectors(ctx, 'now', pool)
}

/**
 * From now on the vectors of this model are made; searches use those of the previous model until all are there. Of
 * several models the one that was adopted last prevails.
 */
export const adopt = (ctx: Ctx, model: Model): Promise<void> => ctx.transaction(trx => adoptModel(trx, model))

/** Embeds what waits in a pool. Without a model it does nothing: whichever process gets one requests all that waits. */
export async function embedPool(ctx: Ctx, pool: Pool, model: Model | undefined, signal: AbortSignal): Promise<void> {
  if (!model) return
  await ctx.transaction(trx => addPool(trx, pool, model))
  const deadline = performance.now() + MAX_JOB_MS
  while (!signal.aborted && performance.now() < deadline) {
    const parts = await findWaiting(ctx.db, pool, model, PARTS_PER_STEP)
    if (parts.length === 0) return complete(ctx, pool, model)
    // One question each, between which searches have their turn.
    const vectors = await Promise.all(parts.map(async ({ content }) => (await model.embed([content])).flat()))
    await ctx.transaction(trx => storeVectors(trx, pool, model, parts, vectors))
  }
  await requestVectors(ctx, 'now', pool)
}

/** Nothing waits any more: from now on searches use this model. */
async function complete(ctx: Ctx, pool: Pool, model: Model): Promise<void> {
  await ctx.transaction(async trx => {
    if (!(await completeModel(trx, pool, model))) return
    await ctx.enqueue(trx, forgetModels, [payloadOf(pool)], { key: keyOf(pool), delaySeconds: FORGET_AFTER_SECONDS })
    ctx.log.info({ ...pool, model: model.id }, 'the vectors of the new embedding model are complete')
  })
}
