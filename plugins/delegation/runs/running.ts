import { Counter, Gauge } from 'prom-client'
import { singleton } from '../../../core/api/plugin.ts'
import type { Metrics } from '../../../core/api/points.ts'
import type { Ctx } from '../context.ts'
import { countRuns } from '../queries/runs.ts'
import { makeRuns, type Runs } from './runs.ts'
import { makeWorker, type Worker } from './worker.ts'

const MAX_SWEEP_INTERVAL_MS = 10_000

const endedRuns = singleton(
  'endedRuns',
  () =>
    new Counter({
      name: 'tracker_agent_runs_ended_total',
      help: 'Runs that this process ended',
      labelNames: ['status', 'reason'],
      registers: []
    })
)

export const runs = singleton('runs', (ctx: Ctx): Runs =>
  makeRuns(ctx, (run, end) => {
    ctx.get(endedRuns).inc({ status: end.status, reason: end.reason ?? '' })
    ctx.get(worker).ended(run)
  })
)

export const worker = singleton(
  'worker',
  (ctx: Ctx): Worker => makeWorker(ctx, ctx.get(runs)),
  worker => worker.stop()
)

export const sweeper = singleton(
  'sweeper',
  (ctx: Ctx) => {
    let sweeping: Promise<void> | undefined
    const timer = setInterval(
      () => {
        sweeping ??= ctx
          .get(runs)
          .sweep()
          .catch((error: unknown) => ctx.log.warn({ err: error }, 'the check for lost runs failed'))
          .finally(() => {
            sweeping = undefined
          })
      },
      Math.min(MAX_SWEEP_INTERVAL_MS, ctx.settings.leaseSeconds * 250)
    )
    return {
      async stop() {
        clearInterval(timer)
        await sweeping
      }
    }
  },
  sweeper => sweeper.stop()
)

export const runMetrics =
  (ctx: Ctx): Metrics =>
  registry => {
    registry.registerMetric(ctx.get(endedRuns))
    registry.registerMetric(
      new Gauge({
        name: 'tracker_agent_runs',
        help: 'Runs that wait or run, of all replicas',
        labelNames: ['status'],
        registers: [],
        async collect() {
          const { queued, running } = await countRuns(ctx.db)
          this.set({ status: 'QUEUED' }, queued)
          this.set({ status: 'RUNNING' }, running)
        }
      })
    )
  }
