import { Counter, Gauge } from 'prom-client'
import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { healthChecks, metrics } from '../../core/points.ts'
import {
  adopt,
  answeringModels,
  countWaiting,
  embedPool,
  embedWaiting,
  forgetModels,
  forgetVectors,
  requestAllVectors
} from './backlog.ts'
import { embeddings } from './contract.ts'
import { makeModelHolder } from './model.ts'
import { settings, type Settings } from './settings.ts'
import { makeVectorIndex, OUTCOMES, type Outcome } from './vector-index.ts'

export type Ctx = ContextOf<typeof embeddings, [], [], Settings>

export default definePlugin({
  contract: embeddings,
  summary: 'Texts become vectors, in the process, so that search finds what means the same',
  config: settings,
  env: { TRACKER_MODEL_DIR: 'modelDir' },
  migrations: async () => ({
    '001_embeddings': await import('./migrations/001_embeddings.ts'),
    '002_key_by_id': await import('./migrations/002_key_by_id.ts')
  }),
  register(ctx) {
    const model = makeModelHolder(ctx.config, ctx.log, {
      adopt: adopted => adopt(ctx, adopted),
      request: () => requestAllVectors(ctx),
      answering: () => answeringModels(ctx)
    })
    ctx.onListen(() => model.start())
    ctx.onClose(() => model.stop())
    ctx.work(embedWaiting, {}, async (payloads, signal) => {
      for (const { workspaceId, pool: name } of payloads) {
        await embedPool(ctx, { workspaceId, name }, model.current(), signal)
      }
    })
    ctx.work(forgetModels, {}, async payloads => {
      for (const { workspaceId, pool: name } of payloads) await forgetVectors(ctx, { workspaceId, name })
    })

    const searches = new Counter({
      name: 'tracker_embeddings_searches_total',
      help: 'Searches, by whether they went by meaning, too, or why not',
      labelNames: ['outcome'],
      registers: []
    })
    for (const outcome of OUTCOMES) searches.inc({ outcome }, 0)
    let last: Outcome = 'meaning'
    function tell(outcome: Outcome, error?: unknown): undefined {
      searches.inc({ outcome })
      // What lasts is said once; that there is no model, whoever looks for it says.
      if (outcome !== last && (outcome === 'too late' || outcome === 'failed')) {
        ctx.log.warn({ err: error, outcome }, 'a search went by words alone')
      }
      last = outcome
    }

    ctx.contribute(healthChecks, {
      name: 'embeddings',
      check: async () => ({ ready: true, ...model.state(), backlog: await countWaiting(ctx) })
    })
    ctx.contribute(metrics, registry => {
      registry.registerMetric(searches)
      registry.registerMetric(
        new Gauge({
          name: 'tracker_embeddings_waiting',
          help: 'Parts of texts that wait for their vectors',
          registers: [],
          async collect() {
            this.set(await countWaiting(ctx))
          }
        })
      )
    })
    return { vectorIndex: makeVectorIndex(ctx, model, tell) }
  }
})
