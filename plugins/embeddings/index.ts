import { Gauge } from 'prom-client'
import { definePlugin } from '../../core/api/plugin.ts'
import { commands, examinations, healthChecks, metrics } from '../../core/api/points.ts'
import { embedPool, embedWaiting, forgetModels } from './backlog.ts'
import { installCommand } from './commands.ts'
import { dependencies } from './context.ts'
import { examineModel } from './examination.ts'
import { modelHolder } from './model-holder.ts'
import { searchOutcomes } from './model/outcomes.ts'
import { deleteUnusedVectors } from './queries/models.ts'
import { countWaiting } from './queries/waiting.ts'
import { makeVectorIndex } from './vector-index.ts'

export default definePlugin(dependencies, {
  summary: 'Computes vectors of texts, in the process, for search by meaning',
  env: { TRACKER_MODEL_DIR: 'modelDir' },
  tables: { embeddingText: 'workspace', embedding: 'workspace', embeddingPool: 'workspace' },
  migrations: {
    '001_embeddings': () => import('./migrations/001_embeddings.ts'),
    '002_key_by_id': () => import('./migrations/002_key_by_id.ts')
  },
  register(ctx) {
    ctx.contribute(commands, installCommand)
    ctx.onListen(ctx => ctx.get(modelHolder).start())
    ctx.work(embedWaiting, {}, async (payloads, ctx, signal) => {
      for (const { workspaceId, pool: name } of payloads) {
        await embedPool(ctx, { workspaceId, name }, ctx.get(modelHolder).current(), signal)
      }
    })
    ctx.work(forgetModels, {}, async (payloads, ctx) => {
      for (const { workspaceId, pool: name } of payloads) {
        while (await ctx.transaction(trx => deleteUnusedVectors(trx, { workspaceId, name })));
      }
    })
    ctx.contributeWith(healthChecks, ctx => [
      async () => ({ ...ctx.get(modelHolder).state(), backlog: await countWaiting(ctx.db) })
    ])
    ctx.contributeWith(examinations, ctx => [{ part: 'embeddings', examine: async () => examineModel(ctx) }])
    ctx.contributeWith(metrics, ctx => [
      registry => {
        registry.registerMetric(ctx.get(searchOutcomes).counter)
        registry.registerMetric(
          new Gauge({
            name: 'tracker_embeddings_waiting',
            help: 'Parts of texts that wait for their vectors',
            registers: [],
            async collect() {
              this.set(await countWaiting(ctx.db))
            }
          })
        )
      }
    ])
  },
  services: ctx => ({
    vectorIndex: makeVectorIndex(ctx, ctx.get(modelHolder), ctx.get(searchOutcomes).note)
  })
})
