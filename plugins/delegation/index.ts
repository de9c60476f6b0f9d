import { definePlugin, type RegisterOf } from '../../core/api/plugin.ts'
import { confinedTokens, eventTypes, healthChecks, metrics, problems } from '../../core/api/points.ts'
import { writeScope } from '../../core/api/scopes.ts'
import { questionAnswered, questionWithdrawn } from '../comments/contract.ts'
import { demoParts } from '../demo/contract.ts'
import { notificationSources } from '../inbox/contract.ts'
import { insightMeasures } from '../insights/contract.ts'
import {
  contextSections,
  issueChanges,
  issueDeleted,
  issueFields,
  issueFilters,
  issueUpdated,
  readyReasons,
  rowSections
} from '../issues/contract.ts'
import { mcpInstructions, mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { usageOfRuns } from '../usage/contract.ts'
import { registerAutomatic } from './automatic.ts'
import { runTokens } from './confinement.ts'
import { dependencies, type Dependencies } from './context.ts'
import { runEvents } from './contract.ts'
import { endedRuns } from './notifications.ts'
import { activeRunJson, hasRun, lastRunStatus, runFilter } from './queries/issues.ts'
import { runsMeasure } from './queries/insights.ts'
import { countRuns, purgeRuns } from './queries/runs.ts'
import { assertRunners, DEFAULT_RUNNER, runnersOf } from './runners/runners.ts'
import { isRunning, isUnreviewed, notConfigured, notReadyProblem } from './readiness.ts'
import { runRoutes } from './routes.ts'
import { announceRuns } from './runs/runs.ts'
import { runMetrics, runs, sweeper, worker } from './runs/running.ts'
import { addSampleRuns } from './runs/sample-runs.ts'
import { tools } from './tools.ts'
import { takeRunOf } from './runs/transitions.ts'
import { budgetField, endOverBudget } from './usage/budgets.ts'
import { usageOfRunsHere } from './runs/usage.ts'

export default definePlugin(dependencies, {
  summary: 'Ready issues are handed to the service’s own agent, which runs the deployer’s command',
  childEnv: ['TRACKER_ISSUE', 'TRACKER_RUN'],
  tables: { agentRun: 'workspace', agentRunEvent: 'workspace', serviceAgent: 'workspace' },
  migrations: {
    '001_agent_runs': () => import('./migrations/001_agent_runs.ts'),
    '002_depth': () => import('./migrations/002_depth.ts'),
    '003_waiting': () => import('./migrations/003_waiting.ts'),
    '004_output_age': () => import('./migrations/004_output_age.ts'),
    '005_budget': () => import('./migrations/005_budget.ts'),
    '006_steps': () => import('./migrations/006_steps.ts'),
    '007_results': () => import('./migrations/007_results.ts'),
    '008_runner': () => import('./migrations/008_runner.ts')
  },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of runEvents) ctx.contribute(eventTypes, type)
    ctx.contribute(confinedTokens, runTokens)
    for (const problem of [notReadyProblem, notConfigured]) ctx.contribute(problems, problem)
    ctx.contribute(contextSections, { name: 'activeRun', json: activeRunJson, onlyIf: hasRun })
    ctx.contribute(rowSections, lastRunStatus)
    ctx.contribute(issueFilters, runFilter)
    ctx.contribute(insightMeasures, runsMeasure)
    ctx.contribute(demoParts, addSampleRuns)
    for (const reason of [isRunning, isUnreviewed]) ctx.contribute(readyReasons, reason)
    ctx.contribute(issueFields, budgetField)
    ctx.contribute(issueChanges, { purged: ({ workspaceId }, trx, issueIds) => purgeRuns(trx, workspaceId, issueIds) })
    ctx.contribute(notificationSources, endedRuns)
    ctx.contributeWith(usageOfRuns, ctx => [usageOfRunsHere(ctx)])
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    const hasRunner = runnersOf(ctx.settings).size > 0
    ctx.contribute(guideFiles, { folder: new URL('./guides/', import.meta.url) })
    // Without a runner, nothing offers delegation; its tools name the missing setting.
    if (hasRunner) {
      ctx.contribute(mcpInstructions, {
        at: 'work',
        scope: writeScope,
        sentence: 'A ready task that need not be yours can be handed to the service’s own agent (delegate_task).'
      })
      ctx.contribute(guideFiles, { folder: new URL('./guides/with-runner/', import.meta.url) })
    }
    ctx.contributeWith(healthChecks, ({ db }) => [
      async () => ({
        state: hasRunner ? 'up' : 'off',
        ...(hasRunner && (await countRuns(db)))
      })
    ])
    ctx.contributeWith(metrics, ctx => [runMetrics(ctx)])

    registerWork(ctx)
    registerAutomatic(ctx)
    ctx.onStart(async ctx => {
      ctx.get(sweeper)
    })
  },
  routes(app, ctx) {
    runRoutes(app, ctx, ctx.get(runs))
    // Before the server waits for its last requests: the running commands send some.
    app.addHook('preClose', () => ctx.get(worker).stop())
  }
})

/** Without a default runner, its queue has the runs of runners that are no longer configured. */
const NONE = { concurrency: 1, timeoutSeconds: 0 }

function registerWork(ctx: RegisterOf<Dependencies>): void {
  assertRunners(ctx.settings)
  const { runner, runners: named } = ctx.settings
  for (const [name, { concurrency, timeoutSeconds }] of Object.entries({
    ...named,
    [DEFAULT_RUNNER]: runner ?? NONE
  })) {
    ctx.work(takeRunOf(name), { concurrency, expireSeconds: timeoutSeconds + 600 }, async ([run], ctx) => {
      if (run) await ctx.get(worker).take(run)
    })
  }
  ctx.work(endOverBudget, {}, async ([run], ctx) => {
    if (run) await ctx.get(runs).endOverBudget(run)
  })
  ctx.work(announceRuns, {}, (_payloads, ctx) => ctx.get(runs).announce())
  ctx.schedule(announceRuns, '* * * * *')
  ctx.consume('runs', {
    events: [issueUpdated, issueDeleted, questionAnswered, questionWithdrawn],
    debounceMs: 250,
    onGap: { rebuild: ctx => ctx.get(runs).checkAll() },
    async handle(events, ctx) {
      let concerned = 0
      for (const [workspaceId, own] of Map.groupBy(events, event => event.workspaceId)) {
        const changed = own.filter(({ subject }) => subject.type === 'issue').map(({ subject }) => subject.id)
        if (changed.length > 0) concerned += await ctx.get(runs).checkIssues(workspaceId, [...new Set(changed)])
        if (changed.length < own.length) concerned += await ctx.get(runs).resumeAnswered(workspaceId)
      }
      return concerned === 0 ? 'nothing to do' : undefined
    }
  })
}
