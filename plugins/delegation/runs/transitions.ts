import { job, type Caller } from '../../../core/api/contract.ts'
import { AWAITING_ANSWER } from '../../comments/contract.ts'
import { isClosed } from '../../workspace/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { delegation, runFinished, runRequeued, runSuspended } from '../contract.ts'
import { issueOutlook } from '../queries/issues.ts'
import { addEvents } from '../queries/listing.ts'
import { setEnded, setQueued, setWaiting, type End, type LockedRun, type RunName } from '../queries/runs.ts'
import { DEFAULT_RUNNER } from '../runners/runners.ts'
import { reasonsAgainst } from '../readiness.ts'
import { endedText, releaseIssues } from './release.ts'

/*
 * The transitions of a run whose issues (`lockTree`) and row the caller has locked. Ending an attempt revokes its token
 * in the same transaction; otherwise the token expires with the lease.
 */

/** Wakes the workers; the run's row decides whether there is work. */
const takeRun = job<RunName>()(delegation, 'take', { keyed: true })
/** The same for a runner of `runners`, so that none waits for the runs of another. */
export const takeRunOf = (runner: string) =>
  runner === DEFAULT_RUNNER ? takeRun : job<RunName>()(delegation, `take-${runner}`, { keyed: true })

/** Runs of a runner that is configured no more are taken, too, and fail. */
export const wakeWorker = (
  { enqueue, settings }: Ctx,
  when: Trx | 'now',
  { workspaceId, id, runner }: RunName & { runner: string }
) => enqueue(when, takeRunOf(runner in settings.runners ? runner : DEFAULT_RUNNER), [{ workspaceId, id }], { key: id })
export const addNote = (ctx: Ctx, trx: Trx, run: RunName, text: string) =>
  addEvents(trx, run, ctx.now(), [{ type: 'status', text }])

export async function endRun(
  ctx: Ctx,
  trx: Trx,
  run: LockedRun,
  end: End,
  caller: Caller = ctx.asServer(run.workspaceId)
): Promise<void> {
  const { status, reason, message = '' } = end
  await revokeToken(ctx, trx, run)
  await setEnded(trx, run, { ...end, at: ctx.now() })
  await addNote(ctx, trx, run, reason === undefined ? `${status}.` : `${status}: ${reason}. ${message}`.trim())
  await releaseIssues(ctx, trx, run, endedText(end))
  const { agentId, requestedById } = run
  const hasResult = run.resultAt !== null && status === 'SUCCEEDED'
  const data = { agentId, requestedById, status, reason: reason ?? null, ...(hasResult && { hasResult }) }
  await ctx.emit(trx, runFinished, caller, [{ subjectId: run.id, parentId: run.issueId, data }])
}

export async function requeueRun(
  ctx: Ctx,
  trx: Trx,
  run: LockedRun,
  why: string,
  resumed?: Parameters<typeof setQueued>[2]
): Promise<void> {
  await revokeToken(ctx, trx, run)
  await setQueued(trx, run, resumed)
  await addNote(ctx, trx, run, why)
  await wakeWorker(ctx, trx, run)
  const data = { agentId: run.agentId, attempt: run.attempt }
  const caller = ctx.asServer(run.workspaceId)
  await ctx.emit(trx, runRequeued, caller, [{ subjectId: run.id, parentId: run.issueId, data }])
}

/** Its earlier attempts do not count. */
export async function resumeRun(ctx: Ctx, trx: Trx, run: LockedRun): Promise<void> {
  const why = 'Its questions were answered or withdrawn. It is started again.'
  await requeueRun(ctx, trx, run, why, { resumedAt: ctx.now(), attemptsBefore: run.attempt })
}

export async function suspendRun(ctx: Ctx, trx: Trx, run: LockedRun, summary: string | null): Promise<void> {
  await revokeToken(ctx, trx, run)
  await setWaiting(trx, run, summary)
  await addNote(ctx, trx, run, 'WAITING: it has asked, and is started again with the answer.')
  await releaseIssues(ctx, trx, run, 'has asked, and is started again with the answer')
  const data = { agentId: run.agentId, attempt: run.attempt }
  const caller = ctx.asServer(run.workspaceId)
  await ctx.emit(trx, runSuspended, caller, [{ subjectId: run.id, parentId: run.issueId, data }])
}

/** @returns true if the run goes on */
export async function goOnWithAnswer(
  ctx: Ctx,
  trx: Trx,
  run: LockedRun,
  { summary = null }: Pick<End, 'summary'>
): Promise<boolean> {
  if ((await listQuestions(ctx, trx, run)).length === 0) return false
  const issue = await issueOutlook(trx, run.workspaceId, run.issueId)
  if (!issue || issue.deleted || isClosed(issue.category)) return false
  if (await awaitsAnswer(ctx, trx, run)) await suspendRun(ctx, trx, run, summary)
  else await resumeRun(ctx, trx, run)
  return true
}

export const hasOpenQuestion = async (ctx: Ctx, trx: Trx, run: LockedRun): Promise<boolean> =>
  (await listQuestions(ctx, trx, run)).some(({ isOpen }) => isOpen)

/** True if a run has to wait: for its own answers, or for another one on its issue. */
export async function awaitsAnswer(ctx: Ctx, trx: Trx, run: LockedRun): Promise<boolean> {
  if (await hasOpenQuestion(ctx, trx, run)) return true
  const reasons = await reasonsAgainst(ctx.use.issues, ctx.asServer(run.workspaceId), trx, run)
  return reasons.some(({ code }) => code === AWAITING_ANSWER)
}

/** The questions of the run's current or last attempt. */
const listQuestions = async ({ asServer, use: { comments } }: Ctx, trx: Trx, { workspaceId, tokenId }: LockedRun) =>
  tokenId === null || comments === undefined ? [] : comments.questionsAskedWith(asServer(workspaceId), trx, [tokenId])

async function revokeToken({ asServer, use: { agents } }: Ctx, trx: Trx, run: LockedRun): Promise<void> {
  if (run.tokenId !== null) await agents.revokeToken(asServer(run.workspaceId), trx, run.tokenId)
}
