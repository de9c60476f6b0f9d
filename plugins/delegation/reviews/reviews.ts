import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { conflict, forbidden, invalid, notFound } from '../../../core/api/errors.ts'
import { isClosed } from '../../workspace/contract.ts'
import { runOfToken } from '../confinement.ts'
import type { Ctx, Trx } from '../context.ts'
import { runResultLinked, runReviewed, type REVIEWS } from '../contract.ts'
import { issueOutlook } from '../queries/issues.ts'
import { findRun, type Run } from '../queries/listing.ts'
import { setResult, setReview, statesToReturn, type ResultLink } from '../queries/results.ts'
import { lockTree } from '../queries/release.ts'
import { lockRun, type LockedRun, type RunName } from '../queries/runs.ts'
import { runnersFor } from '../runners/choice.ts'
import { findOrMakeServiceAgent, requestRun } from '../runs/requests.ts'
import { addNote } from '../runs/transitions.ts'

/** With the instructions of the run before. */
const MAX_INSTRUCTIONS_LENGTH = 40_000

/** @throws 400, 403, 404, 409 when it is over */
export async function linkResult(ctx: Ctx, principal: Principal, id: Id, link: Partial<ResultLink>): Promise<Run> {
  const { workspaceId, confinedTo } = principal
  if (confinedTo === undefined || runOfToken(confinedTo) !== id) {
    throw forbidden('Only the run itself links its work: send it with the TRACKER_TOKEN of the run.')
  }
  const { branch = null, url = null } = link
  if (branch === null && url === null) throw invalid('Send `branch`, `url` or both.', { field: 'branch' })
  if (url !== null && !isPlainUrl(url)) {
    throw invalid('url must be an address without user and password.', { field: 'url' })
  }
  return ctx.transaction(async trx => {
    const run = await lockRun(trx, { workspaceId, id })
    if (!run) throw notFound('run', id)
    if (run.finishedAt !== null) throw conflict('The run is over: its work is linked while it runs.')
    await setResult(trx, run, { branch, url }, ctx.now())
    await addNote(ctx, trx, run, `Its work: ${[branch, url].filter(part => part !== null).join(', ')}`)
    const data = { agentId: run.agentId, branch, url }
    await ctx.emit(trx, runResultLinked, principal, [{ subjectId: id, parentId: run.issueId, data }])
    return findRun(trx, workspaceId, id)
  })
}

function isPlainUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && url.username === '' && url.password === ''
}

/** @throws 403, 404, 409, and the errors of closing the issue */
export async function acceptResult(ctx: Ctx, principal: Principal, id: Id, override?: boolean): Promise<Run> {
  const { workspaceId } = principal
  const { issueId } = await findRun(ctx.db, workspaceId, id)
  const review = async (trx: Trx) => {
    await ctx.use.issues.lock(principal, trx, [issueId])
    const run = await lockReviewable(trx, principal, { workspaceId, id })
    await setReview(trx, run, { review: 'ACCEPTED', reviewedById: principal.accountId, reviewedAt: ctx.now() })
    await emitReview(ctx, trx, principal, run, 'ACCEPTED', null)
  }
  const issue = await issueOutlook(ctx.db, workspaceId, issueId)
  if (issue && isClosed(issue.category)) await ctx.transaction(review)
  else await ctx.use.issues.advance(principal, issueId, { stateCategory: 'COMPLETED', override }, review)
  return findRun(ctx.db, workspaceId, id)
}

/** @returns the new run @throws 403, 404, 409 */
export async function sendBack(ctx: Ctx, principal: Principal, id: Id, text: string): Promise<Run> {
  const { workspaceId } = principal
  const before = await findRun(ctx.db, workspaceId, id)
  const { issueId } = before
  return ctx.transaction(async trx => {
    // Before any issue is locked: the order of locks.
    await findOrMakeServiceAgent(ctx, principal, trx)
    await lockTree(trx, workspaceId, issueId)
    const run = await lockReviewable(trx, principal, { workspaceId, id })
    const { category, toDoId } = await statesToReturn(trx, workspaceId, issueId)
    const isToDo = category === 'UNSTARTED' || category === 'BACKLOG'
    await setReview(trx, run, { review: 'SENT_BACK', reviewedById: principal.accountId, reviewedAt: ctx.now() })
    await ctx.use.comments?.add(principal, trx, issueId, text)
    if (!isToDo && toDoId !== null) await ctx.use.issues.change(principal, trx, issueId, { stateId: toDoId })
    const next = await retry(ctx, trx, principal, before, { instructions: text })
    await emitReview(ctx, trx, principal, run, 'SENT_BACK', next.id)
    return next
  })
}

/** @throws 404, 409 */
export async function retryRun(ctx: Ctx, principal: Principal, id: Id, options: RetryOptions): Promise<Run> {
  const before = await findRun(ctx.db, principal.workspaceId, id)
  if (before.finishedAt === null) throw conflict('The run is not over: wait for its end, or cancel it.')
  return ctx.transaction(trx => retry(ctx, trx, principal, before, options))
}

interface RetryOptions {
  instructions?: string
  runner?: string
}
/** With the named runner or, where that is still possible, that of the run before. */
async function retry(
  ctx: Ctx,
  trx: Trx,
  principal: Principal,
  before: Run,
  { instructions: hint, runner: requestedRunner }: RetryOptions
): Promise<Run> {
  const names = await runnersFor(ctx, principal, trx, before.issueId, principal.fullname)
  const runner = requestedRunner ?? names.find(name => name === before.runner)
  const all = [before.instructions, hint].filter(text => typeof text === 'string').join('\n\n')
  const instructions = (all.length > MAX_INSTRUCTIONS_LENGTH ? hint : all) || null
  return requestRun(ctx, trx, principal, before.issueId, { instructions, retryOfId: before.id, runner })
}

/** @throws 403 for its agent, 404, 409 */
async function lockReviewable(trx: Trx, { accountId }: Principal, name: RunName): Promise<LockedRun> {
  const run = await lockRun(trx, name)
  if (!run) throw notFound('run', name.id)
  if (run.agentId === accountId) throw forbidden('An agent does not review its own work.')
  if (run.finishedAt === null) throw conflict('The run is not over: its work can be reviewed afterwards.')
  if (run.resultAt === null) throw conflict('The run has linked no work: retry it, or close the issue.')
  if (run.review !== null) throw conflict(`The work of the run was reviewed before: ${run.review}.`)
  return run
}

async function emitReview(
  ctx: Ctx,
  trx: Trx,
  principal: Principal,
  run: LockedRun,
  review: (typeof REVIEWS)[number],
  nextRunId: Id | null
): Promise<void> {
  await addNote(ctx, trx, run, `${review}, by ${principal.fullname}.`)
  const data = { agentId: run.agentId, requestedById: run.requestedById, review, nextRunId }
  await ctx.emit(trx, runReviewed, principal, [{ subjectId: run.id, parentId: run.issueId, data }])
}
