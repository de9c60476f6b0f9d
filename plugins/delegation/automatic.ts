import { daysBefore } from '../../lib/util/days.ts'
import { job } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { listWorkspaces } from '../../core/api/database/queries.ts'
import { ApiError } from '../../core/api/errors.ts'
import type { RegisterOf } from '../../core/api/plugin.ts'
import { issueCreated, issueDeleted, issueUpdated } from '../issues/contract.ts'
import type { Ctx, Dependencies } from './context.ts'
import { delegation, runFinished } from './contract.ts'
import { hadAutomaticRun } from './queries/issues.ts'
import { runnerFor } from './runners/choice.ts'
import { runnersOf } from './runners/runners.ts'
import { countAutomaticRuns } from './queries/runs.ts'
import { dayBudgetReached } from './usage/budgets.ts'
import { addRun, findOrMakeServiceAgent } from './runs/requests.ts'

/*
 * Delegates ready issues that `plugins.delegation.automatic` selects, without a request: the service's own agent
 * requests the run.
 */

const takeUpReady = job<Record<string, never>>()(delegation, 'takeUpReady', { keyed: true })
const takeUpReadyIn = job<{ workspaceId: Id }>()(delegation, 'takeUpReadyIn', { keyed: true })

/** Looks for ready issues after each relevant change, and each minute. @throws without a runner */
export function registerAutomatic(ctx: RegisterOf<Dependencies>): void {
  if (ctx.settings.automatic === undefined) return
  if (runnersOf(ctx.settings).size === 0) {
    throw new Error('plugins.delegation.automatic needs plugins.delegation.runner: set both, or neither.')
  }
  ctx.work(takeUpReady, {}, (_payloads, ctx) => lookEverywhere(ctx))
  ctx.schedule(takeUpReady, '* * * * *')
  ctx.work(takeUpReadyIn, {}, async ([look], ctx) => {
    if (look) await takeUp(ctx, look.workspaceId)
  })
  ctx.consume('automatic', {
    events: [issueCreated, issueUpdated, issueDeleted, runFinished],
    debounceMs: 250,
    onGap: { rebuild: lookEverywhere },
    handle: (events, ctx) => lookIn(ctx, new Set(events.map(({ workspaceId }) => workspaceId)))
  })
}

async function lookEverywhere(ctx: Ctx): Promise<void> {
  const workspaces = await listWorkspaces(ctx.db)
  await lookIn(
    ctx,
    workspaces.map(({ id }) => id)
  )
}

async function lookIn(ctx: Ctx, workspaceIds: Iterable<Id>): Promise<void> {
  for (const workspaceId of workspaceIds) {
    await ctx.enqueue('now', takeUpReadyIn, [{ workspaceId }], { key: workspaceId })
  }
}

async function takeUp(ctx: Ctx, workspaceId: Id): Promise<void> {
  try {
    while (await takeUpBest(ctx, workspaceId));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The setting may name a label or the like that this workspace does not have.
    ctx.log.warn(`plugins.delegation.automatic takes up nothing in the workspace ${workspaceId}: ${error.message}`)
  }
}

async function takeUpBest(ctx: Ctx, workspaceId: Id): Promise<boolean> {
  const { automatic } = ctx.settings
  const runners = runnersOf(ctx.settings)
  if (automatic === undefined || runners.size === 0) return false
  const concurrency = [...runners.values()].reduce((sum, runner) => sum + runner.concurrency, 0)
  const { filters, maxRunsPerDay } = automatic
  return ctx.transaction(async trx => {
    // One replica at a time, so that the others' new runs are counted.
    const agentId = await findOrMakeServiceAgent(ctx, ctx.asServer(workspaceId), trx)
    const caller = ctx.asServer(workspaceId, agentId)
    const since = daysBefore(ctx.now(), 1)
    const { active, recent } = await countAutomaticRuns(trx, workspaceId, agentId, since)
    if (active >= concurrency || recent >= maxRunsPerDay) return false
    if ((await dayBudgetReached(ctx, caller, trx)) !== undefined) return false
    const condition = hadAutomaticRun(workspaceId, agentId)
    const issueId = await ctx.use.issues.bestReady(caller, trx, { filters, accountId: agentId, unless: condition })
    if (issueId === undefined) return false
    const issue = await ctx.use.issues.find(caller, trx, issueId)
    const runner = await runnerFor(ctx, caller, trx, { issue, requester: ctx.settings.agentName })
    const text = `Delegated automatically: it is ready, and ${JSON.stringify(filters)} holds.`
    await addRun(ctx, trx, caller, {
      issue,
      requestedById: agentId,
      agentId,
      instructions: null,
      runner,
      depth: 0,
      text
    })
    return true
  })
}
