import { setTimeout as sleep } from 'node:timers/promises'
import { job } from '../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../core/api/database/types.ts'
import type { Ctx } from './context.ts'
import { embeddings } from './contract.ts'
import type { Model } from './model/model.ts'
import { addPool, adoptModel, completeModel } from './queries/models.ts'
import type { Part, Pool } from './queries/texts.ts'
import { findWaiting, findWaitingPools, storeVectors } from './queries/waiting.ts'

export const embedWaiting = job<{ workspaceId: Id; pool: string }>()(embeddings, 'embedWaiting', { keyed: true })

export const forgetModels = job<{ workspaceId: Id; pool: string }>()(embeddings, 'forgetModels', { keyed: true })
/** Running searches still use them. */
const FORGET_AFTER_SECONDS = 60

/** Parts per transaction: few, because the embedded database has one connection. */
const PARTS_PER_STEP = 16
/** The pause after a part, in times of what it took, if the event loop was always busy meanwhile. */
const MAX_PAUSE = 8
/** A share of time for which the event loop is busy without requests, too. */
const QUIET = 0.1
/** Maximum milliseconds of a pause: a part takes hours if the machine was suspended meanwhile. */
const MAX_PAUSE_MS = 2_000
/** Maximum milliseconds of a job for one pool; the rest is done by another job, after those of other pools. */
const MAX_JOB_MS = 10_000

export const requestVectors = (ctx: Ctx, when: TransactionHandle | 'now', pool: Pool): Promise<void> =>
  ctx.enqueue(when, embedWaiting, [payloadOf(pool)], { key: keyOf(pool) })
const payloadOf = ({ workspaceId, name }: Pool) => ({ workspaceId, pool: name })
const keyOf = ({ workspaceId, name }: Pool) => `${workspaceId}/${name}`

export async function requestAllVectors(ctx: Ctx): Promise<void> {
  for (const pool of await findWaitingPools(ctx.db)) await requestVectors(ctx, 'now', pool)
}

/**
 * Makes vectors with this model from now on; searches use those of the previous model until all are complete. Of
 * several models the last adopted one wins.
 */
export const adopt = (ctx: Ctx, model: Model): Promise<void> => ctx.transaction(trx => adoptModel(trx, model))

/** Embeds the waiting texts of a pool. Without a model it does nothing: a process that gets one requests everything. */
export async function embedPool(ctx: Ctx, pool: Pool, model: Model | undefined, signal: AbortSignal): Promise<void> {
  if (!model) return
  await ctx.transaction(trx => addPool(trx, pool, model))
  const deadline = performance.now() + MAX_JOB_MS
  while (!signal.aborted && performance.now() < deadline) {
    const parts = await findWaiting(ctx.db, pool, model, PARTS_PER_STEP)
    if (parts.length === 0) return complete(ctx, pool, model)
    const vectors = await embedParts(parts, model, signal)
    await ctx.transaction(trx => storeVectors(trx, pool, model, parts.slice(0, vectors.length), vectors))
  }
  await requestVectors(ctx, 'now', pool)
}

/** The vectors of the first parts: of all, unless the signal comes. Pauses while the process answers requests. */
async function embedParts(parts: readonly Part[], model: Model, signal: AbortSignal): Promise<number[][]> {
  const vectors: number[][] = []
  for (const { content } of parts) {
    if (signal.aborted) break
    const started = performance.now()
    const before = performance.eventLoopUtilization()
    // One request each, so that searches run between them.
    vectors.push((await model.embed([content])).flat())
    const { utilization } = performance.eventLoopUtilization(before)
    const pause = pauseAfter(performance.now() - started, utilization)
    if (pause >= 1) await sleep(pause)
  }
  return vectors
}

/** @param took milliseconds @param utilization the share of them in which the event loop was busy */
export const pauseAfter = (took: number, utilization: number): number =>
  Math.min(MAX_PAUSE_MS, took * MAX_PAUSE * Math.max(0, utilization - QUIET))

async function complete(ctx: Ctx, pool: Pool, model: Model): Promise<void> {
  await ctx.transaction(async trx => {
    if (!(await completeModel(trx, pool, model))) return
    await ctx.enqueue(trx, forgetModels, [payloadOf(pool)], { key: keyOf(pool), delaySeconds: FORGET_AFTER_SECONDS })
    ctx.log.info({ ...pool, model: model.id }, 'the vectors of the new embedding model are complete')
  })
}
