import type { Caller, Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { newId } from '../../../core/api/database/queries.ts'
import { readScope, writeScope } from '../../../core/api/scopes.ts'
import type { IssueRef } from '../../issues/contract.ts'
import { runOfToken, tooDeep } from '../confinement.ts'
import type { Ctx, Trx } from '../context.ts'
import { runRequested } from '../contract.ts'
import { findRun, type Run } from '../queries/listing.ts'
import { depthOf, findServiceAgent, insertRun, insertServiceAgent, lockServiceAgent } from '../queries/runs.ts'
import { budgetReached } from '../usage/budgets.ts'
import { runnerFor } from '../runners/choice.ts'
import { runnersOf } from '../runners/runners.ts'
import { isRunning, notConfigured, notReady, reasonsAgainst, type Handover } from '../readiness.ts'
import { addNote, wakeWorker } from './transitions.ts'

interface RunRequest extends Omit<Handover, 'issueId'>, Omit<RunOptions, 'runner'> {
  issue: Pick<IssueRef, 'id' | 'key'>
  runner: string
  depth: number
  text: string
}

interface RunOptions {
  instructions: string | null
  retryOfId?: Id | null
  runner?: string | undefined
}

/** @throws 409 NOT_CONFIGURED, 409 NOT_READY with the reasons, 404 */
export async function requestRun(
  ctx: Ctx,
  trx: Trx,
  principal: Principal,
  issueRef: string,
  { instructions, retryOfId = null, runner: requestedRunner }: RunOptions
): Promise<Run> {
  const { workspaceId, accountId, confinedTo, fullname } = principal
  const { maxDepth } = ctx.settings
  if (runnersOf(ctx.settings).size === 0) {
    throw notConfigured(
      'This server has no runner: the deployer sets plugins.delegation.runner to ' +
        '{"command": ["program", "argument"]}, or TRACKER_PLUGINS__DELEGATION__RUNNER to that JSON.'
    )
  }
  const runId = confinedTo && runOfToken(confinedTo)
  const depth = runId === undefined ? 0 : (await depthOf(trx, workspaceId, runId)) + 1
  if (depth > maxDepth) throw tooDeep(maxDepth)
  const issue = await ctx.use.issues.find(principal, trx, issueRef)
  const runner = await runnerFor(ctx, principal, trx, { issue, requester: fullname, requestedRunner })
  const message = await budgetReached(ctx, principal, trx, { issueId: issue.id })
  if (message !== undefined) throw notReady(issue.key, [{ code: 'BUDGET_EXCEEDED', message }])
  const agentId = await findOrMakeServiceAgent(ctx, principal, trx)
  const text = `Requested by ${fullname}.`
  const request = { issue, requestedById: accountId, agentId, instructions, retryOfId, runner, depth, text }
  return findRun(trx, workspaceId, await addRun(ctx, trx, principal, request))
}

/** @returns its id @throws 409 NOT_READY with the reasons, 404 */
export async function addRun(ctx: Ctx, trx: Trx, caller: Caller, { issue, text, ...options }: RunRequest): Promise<Id> {
  const { issues } = ctx.use
  const { id: issueId, key } = issue
  const handover = { issueId, ...options }
  await issues.lock(caller, trx, [issueId])
  const reasons = await reasonsAgainst(issues, caller, trx, handover)
  if (reasons.length > 0) throw notReady(key, reasons)
  const run = { workspaceId: caller.workspaceId, id: newId() }
  if (!(await insertRun(trx, { ...run, ...handover, createdAt: ctx.now() }))) {
    throw notReady(key, [{ code: isRunning.code, message: isRunning.message(key, '') }])
  }
  await addNote(ctx, trx, run, text)
  await wakeWorker(ctx, trx, { ...run, runner: handover.runner })
  await ctx.emit(trx, runRequested, caller, [
    { subjectId: run.id, parentId: issueId, data: { agentId: handover.agentId } }
  ])
  return run.id
}

/** Concurrent transactions wait for each other. */
export async function findOrMakeServiceAgent({ settings, use }: Ctx, caller: Caller, trx: Trx): Promise<Id> {
  const { workspaceId } = caller
  await lockServiceAgent(trx, workspaceId)
  const existing = await findServiceAgent(trx, workspaceId)
  if (existing !== null) return existing
  const agent = { fullname: settings.agentName, scopes: [readScope, writeScope] }
  const id = await use.agents.create(caller, trx, agent)
  await insertServiceAgent(trx, workspaceId, id)
  return id
}
