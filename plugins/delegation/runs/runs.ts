import { daysBefore } from '../../../lib/util/days.ts'
import { job, type Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { eachSeparately } from '../../../core/api/http.ts'
import { conflict, notFound } from '../../../core/api/errors.ts'
import { isClosed } from '../../workspace/contract.ts'
import { finishAttempt, type Attempt } from './attempts.ts'
import type { Ctx } from '../context.ts'
import { delegation } from '../contract.ts'
import { issueOutlook, listWithActiveRun } from '../queries/issues.ts'
import { findRun, removeOutput } from '../queries/listing.ts'
import * as queries from '../queries/runs.ts'
import type { End, LockedRun, RunName } from '../queries/runs.ts'
import { isTaken } from '../readiness.ts'
import { lockTree } from '../queries/release.ts'
import { budgetReached } from '../usage/budgets.ts'
import { awaitsAnswer, endRun, requeueRun, resumeRun, wakeWorker } from './transitions.ts'

export const announceRuns = job<Record<string, never>>()(delegation, 'announce')

/** @param onEnded called after the commit */
export const makeRuns = (ctx: Ctx, onEnded: (run: RunName, end: End) => void) => ({
  async finish(attempt: Attempt, end: End): Promise<void> {
    if (await finishAttempt(ctx, attempt, end)) onEnded(attempt, end)
  },

  /** @throws 404, 409 when it is over */
  async cancel(principal: Principal, id: Id): Promise<void> {
    const end: End = { status: 'CANCELED', reason: 'CANCELED', message: `${principal.fullname} canceled it.` }
    if (await cancelRun(ctx, principal, id, end)) onEnded({ workspaceId: principal.workspaceId, id }, end)
  },

  /** @returns the number of active runs */
  async checkIssues(workspaceId: Id, issueIds: readonly Id[]): Promise<number> {
    const running = await listWithActiveRun(ctx.db, workspaceId, issueIds)
    for (const issueId of running) await this.checkIssue(workspaceId, issueId)
    return running.length
  },

  /** Ends the issue's active run if anyone but the run's agent has deleted, closed or reassigned the issue. */
  async checkIssue(workspaceId: Id, issueId: Id): Promise<void> {
    const ended = await endUnwantedRun(ctx, workspaceId, issueId)
    if (ended) onEnded(ended.run, ended.end)
  },

  async checkAll(): Promise<void> {
    for (const { workspaceId, issueId } of await queries.listActive(ctx.db)) await this.checkIssue(workspaceId, issueId)
    await this.resumeAnswered()
  },

  /** @param workspaceId undefined: all @returns the number of waiting runs */
  async resumeAnswered(workspaceId?: Id): Promise<number> {
    const waiting = await queries.listWaitingForAnswers(ctx.db, workspaceId)
    await eachSeparately(waiting, ({ issueId, ...name }) => resumeIfAnswered(ctx, name, issueId))
    return waiting.length
  },

  async endOverBudget(name: RunName): Promise<void> {
    const end = await endIfOverBudget(ctx, name)
    if (end) onEnded(name, end)
  },

  /** Restarts runs of dead servers, or fails them after the last attempt. */
  async sweep(): Promise<void> {
    await eachSeparately(await queries.listLost(ctx.db), async ({ issueId, ...name }) => {
      const end = await requeueOrFailLost(ctx, name, issueId)
      if (end) onEnded(name, end)
    })
  },

  /** Wakes the workers for waiting runs, in case a wake-up or an event was lost, and removes old output. */
  async announce(): Promise<void> {
    for (const run of await queries.listWaiting(ctx.db)) await wakeWorker(ctx, 'now', run)
    await this.resumeAnswered()
    await removeOutput(ctx.db, daysBefore(ctx.now(), ctx.settings.outputKeepDays))
  }
})
export type Runs = ReturnType<typeof makeRuns>

/** @returns false when it was canceled before. @throws 404, 409 when it is over */
async function cancelRun(ctx: Ctx, principal: Principal, id: Id, end: End): Promise<boolean> {
  const { workspaceId } = principal
  const { issueId } = await findRun(ctx.db, workspaceId, id)
  return ctx.transaction(async trx => {
    await lockTree(trx, workspaceId, issueId)
    const run = await queries.lockRun(trx, { workspaceId, id })
    if (!run) throw notFound('run', id)
    if (run.status === 'CANCELED') return false
    if (run.finishedAt !== null) throw conflict(`The run is over (${run.status}): there is nothing to cancel.`)
    await endRun(ctx, trx, run, end, principal)
    return true
  })
}

const endUnwantedRun = (ctx: Ctx, workspaceId: Id, issueId: Id): Promise<{ run: LockedRun; end: End } | undefined> =>
  ctx.transaction(async trx => {
    await lockTree(trx, workspaceId, issueId)
    const run = await queries.lockActiveOf(trx, workspaceId, issueId)
    const issue = run && (await issueOutlook(trx, workspaceId, issueId))
    const end = issue && endFor(run, issue)
    if (!end) return undefined
    await endRun(ctx, trx, run, end)
    return { run, end }
  })

/** The result of a run after a change of its issue; undefined: it continues. */
function endFor(run: LockedRun, issue: NonNullable<Awaited<ReturnType<typeof issueOutlook>>>): End | undefined {
  const { deleted, category, assigneeId, stateById, assigneeById } = issue
  if (deleted) return { status: 'CANCELED', reason: 'ISSUE_DELETED', message: 'The issue was deleted.' }
  if (isClosed(category) && stateById !== run.agentId) {
    return { status: 'CANCELED', reason: 'ISSUE_CLOSED', message: 'The issue was closed by someone else.' }
  }
  if (isTaken(run, assigneeId, assigneeById)) {
    return { status: 'CANCELED', reason: 'ISSUE_REASSIGNED', message: 'The issue was assigned to someone else.' }
  }
  return undefined
}

/** @returns the result, if the run has ended */
const endIfOverBudget = async (ctx: Ctx, name: RunName): Promise<End | undefined> => {
  const issueId = await queries.issueOfRun(ctx.db, name)
  if (issueId === undefined) return undefined
  return ctx.transaction(async trx => {
    await lockTree(trx, name.workspaceId, issueId)
    const run = await queries.lockRun(trx, name)
    if (!run || run.finishedAt !== null) return undefined
    const message = await budgetReached(ctx, ctx.asServer(name.workspaceId), trx, { issueId, runId: run.id })
    if (message === undefined) return undefined
    const end: End = { status: 'FAILED', reason: 'BUDGET_EXCEEDED', message }
    await endRun(ctx, trx, run, end)
    return end
  })
}

const resumeIfAnswered = (ctx: Ctx, name: RunName, issueId: Id): Promise<void> =>
  ctx.transaction(async trx => {
    await lockTree(trx, name.workspaceId, issueId)
    const run = await queries.lockRun(trx, name)
    if (run?.status === 'WAITING' && !(await awaitsAnswer(ctx, trx, run))) await resumeRun(ctx, trx, run)
  })

/** @returns the result, if the run has ended */
const requeueOrFailLost = (ctx: Ctx, name: RunName, issueId: Id): Promise<End | undefined> =>
  ctx.transaction(async trx => {
    const { leaseSeconds, attempts } = ctx.settings
    await lockTree(trx, name.workspaceId, issueId)
    const run = await queries.lockLost(trx, name)
    if (!run) return undefined
    const lost = `The server of attempt ${run.attempt} has not renewed its lease for ${leaseSeconds} s.`
    if (run.attempt - run.attemptsBefore < attempts) {
      await requeueRun(ctx, trx, run, `${lost} It is started again.`)
      return undefined
    }
    const message = `${lost} That was the last of ${attempts} attempts.`
    const end: End = { status: 'FAILED', reason: 'LEASE_EXPIRED', message }
    await endRun(ctx, trx, run, end)
    return end
  })
