import { Counter, Gauge } from 'prom-client'
import type { Static } from 'typebox'
import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { healthChecks, metrics } from '../../core/points.ts'
import { agents } from '../agents/contract.ts'
import { contextSections, issueChanged, issues, readyConditions } from '../issues/contract.ts'
import { knowledge } from '../knowledge/contract.ts'
import { mcpInstructions, mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { delegation } from './contract.ts'
import { activeRunJson, countRuns, hasNoRun } from './queries.ts'
import { runRoutes } from './routes.ts'
import { announceRuns, makeRuns, takeRun } from './runs.ts'
import { config } from './schemas.ts'
import { tools } from './tools.ts'
import { makeWorker } from './worker.ts'

export type Ctx = ContextOf<
  typeof delegation,
  [typeof workspace, typeof agents, typeof issues],
  [typeof knowledge],
  Static<typeof config>
>

/** Most milliseconds between looks for runs whose server is gone. */
const SWEEP_EVERY = 2_000

export default definePlugin({
  contract: delegation,
  summary: 'Ready issues are handed to the service’s own agent, which runs the deployer’s command',
  requires: [workspace, agents, issues],
  optional: [knowledge],
  config,
  migrations: async () => ({ '001_agent_runs': await import('./migrations/001_agent_runs.ts') }),
  register(ctx) {
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contribute(mcpInstructions, {
      at: 'work',
      scope: 'write',
      sentence: 'A ready task that need not be yours can be handed to the service’s own agent (delegate_task).'
    })
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url) })
    ctx.contribute(contextSections, { name: 'activeRun', json: activeRunJson })
    ctx.contribute(readyConditions, hasNoRun)
    ctx.contribute(healthChecks, {
      name: 'delegation',
      check: async () => ({
        ready: true,
        state: ctx.config.runner ? 'up' : 'off',
        ...(ctx.config.runner ? await countRuns(ctx.db) : { message: 'plugins.delegation.runner is not set.' })
      })
    })
    return {}
  },
  routes(app, ctx) {
    const counter = new Counter({
      name: 'tracker_agent_runs_ended_total',
      help: 'Runs that this process ended',
      labelNames: ['status', 'reason'],
      registers: []
    })
    const runs = makeRuns(ctx, (run, end) => {
      counter.inc({ status: end.status, reason: end.reason ?? '' })
      worker.ended(run)
    })
    const worker = makeWorker(ctx, app, runs)
    runRoutes(app, ctx, runs)

    ctx.contribute(metrics, registry => {
      registry.registerMetric(counter)
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
    })

    const { runner, leaseSeconds } = ctx.config
    ctx.work(
      takeRun,
      { concurrency: runner?.concurrency ?? 1, expireSeconds: (runner?.timeoutSeconds ?? 0) + 600 },
      async ([run]) => {
        if (run) await worker.take(run)
      }
    )
    ctx.work(announceRuns, {}, () => runs.announce())
    ctx.schedule(announceRuns, '* * * * *')
    ctx.on(issueChanged, { batch: 100, gatherSeconds: 0.25 }, async changes => {
      const issues = new Map(
        changes.filter(({ kind }) => kind !== 'created').map(({ workspaceId, issueId }) => [issueId, workspaceId])
      )
      for (const [issueId, workspaceId] of issues) await runs.issueChanged(workspaceId, issueId)
    })

    let sweeping: Promise<void> | undefined
    let sweeper: NodeJS.Timeout | undefined
    ctx.onStart(async () => {
      sweeper = setInterval(
        () => {
          sweeping ??= runs
            .sweep()
            .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not look for lost runs'))
            .finally(() => {
              sweeping = undefined
            })
        },
        Math.min(SWEEP_EVERY, leaseSeconds * 250)
      )
    })
    // Before the jobs stop: they wait for the runs.
    app.addHook('preClose', async () => {
      clearInterval(sweeper)
      await worker.stop()
      await sweeping
    })
  }
})
