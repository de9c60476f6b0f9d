import type { Principal } from '../../../core/api/contract.ts'
import { toApiError } from '../../../core/api/errors.ts'
import { newId } from '../../../core/api/database/queries.ts'
import type { IssueRef } from '../../issues/contract.ts'
import type { KnownContext } from '../../knowledge/contract.ts'
import type { Attempt } from './attempts.ts'
import { brief, type BriefContext } from '../brief.ts'
import type { Ctx } from '../context.ts'
import { budgetReached } from '../usage/budgets.ts'
import { findRun } from '../queries/listing.ts'
import { markPickedUp, tokensOfRun, type End } from '../queries/runs.ts'
import { isRunning, notReady, reasonsAgainst } from '../readiness.ts'

export interface Prepared {
  key: string
  input: string
}

/** @throws ApiError when the server is temporarily unable */
export async function prepare(ctx: Ctx, attempt: Attempt): Promise<Prepared | { end: End }> {
  const { issues, comments } = ctx.use
  const refused = (message: string) => ({ end: { status: 'FAILED', reason: 'NOT_READY', message } as const })
  const caller = await ctx.use.access.principalOf(attempt.token)
  if (!caller) return refused('The token of the run was revoked, or the agent removed.')
  const { issueId, id: runId } = attempt
  const message = await budgetReached(ctx, caller, ctx.db, { issueId, runId })
  if (message !== undefined) return { end: { status: 'FAILED', reason: 'BUDGET_EXCEEDED', message } }
  const issue = await issues.find(caller, ctx.db, issueId)
  const refusal = await pickUp(ctx, caller, attempt, issue)
  if (refusal !== undefined) return refused(refusal)
  await ctx.transaction(trx => markPickedUp(trx, attempt, attempt.leaseId, ctx.now()))
  try {
    const context = JSON.parse(await issues.context(caller, ctx.db, attempt.issueId)) as BriefContext
    const questions = await comments?.questionsAskedWith(caller, ctx.db, await tokensOfRun(ctx.db, attempt))
    const before = attempt.retryOfId === null ? undefined : await findRun(ctx.db, caller.workspaceId, attempt.retryOfId)
    const run = { instructions: attempt.instructions, before }
    const input = brief(context, run, await knownFor(ctx, caller, attempt), questions)
    return { key: issue.key, input }
  } catch (error) {
    return refused(refusalOf(error).message)
  }
}

async function knownFor(
  { use: { knowledge }, log }: Ctx,
  caller: Principal,
  { id, issueId }: Attempt
): Promise<KnownContext | undefined> {
  try {
    return await knowledge?.context(caller, { issueRef: issueId }, { requestId: newId(), session: `run:${id}` })
  } catch (error) {
    log.warn({ err: error, runId: id }, 'a run starts without the knowledge about its issue')
    return undefined
  }
}

/** @returns the reasons if that is impossible */
async function pickUp(
  ctx: Ctx,
  caller: Principal,
  attempt: Attempt,
  issue: IssueRef,
  takeover = false
): Promise<string | undefined> {
  const { issues } = ctx.use
  const all = await reasonsAgainst(issues, caller, ctx.db, attempt)
  const reasons = all.filter(({ code }) => code !== isRunning.code) // which is this run
  if (reasons.length > 0) return notReady(issue.key, reasons).message
  try {
    await issues.pickUp(caller, attempt.issueId, { takeover })
    return undefined
  } catch (error) {
    const { statusCode, message } = refusalOf(error)
    // Another account is its assignee, and keeps it if it has begun since the check; else the run takes over.
    if (statusCode === 409 && !takeover) return pickUp(ctx, caller, attempt, issue, true)
    return message
  }
}

/** @throws the error itself when the server failed */
function refusalOf(error: unknown): { statusCode: number; message: string } {
  const known = toApiError(error)
  if (known === undefined || known.statusCode >= 500) throw error
  return known
}
