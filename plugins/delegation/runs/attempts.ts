import { randomUUID } from 'node:crypto'
import type { Id } from '../../../core/api/database/types.ts'
import { confinementOf } from '../confinement.ts'
import type { Ctx } from '../context.ts'
import { runStarted } from '../contract.ts'
import { issueOfRun, lockRun, renewLease, startRun, type End, type RunName } from '../queries/runs.ts'
import { lockTree } from '../queries/release.ts'
import { addNote, endRun, goOnWithAnswer, hasOpenQuestion, requeueRun, suspendRun } from './transitions.ts'

export interface Attempt extends RunName {
  issueId: Id
  agentId: Id
  requestedById: Id
  leaseId: Id
  tokenId: Id
  token: string
  instructions: string | null
  attempt: number
  retryOfId: Id | null
  runner: string
}

/** @returns undefined when the run does not wait any more */
export async function beginAttempt(ctx: Ctx, name: RunName): Promise<Attempt | undefined> {
  const { leaseSeconds } = ctx.settings
  return ctx.transaction(async trx => {
    const lockedId = await issueOfRun(trx, name)
    if (lockedId !== undefined) await lockTree(trx, name.workspaceId, lockedId)
    const run = await lockRun(trx, name)
    if (run?.status !== 'QUEUED') return undefined
    if (await hasOpenQuestion(ctx, trx, run)) {
      // Its server was killed after the run had asked a question.
      await suspendRun(ctx, trx, run, null)
      return undefined
    }
    const { workspaceId, id, issueId, agentId, requestedById, instructions, retryOfId, runner } = run
    const attempt = run.attempt + 1
    const leaseId = randomUUID()
    const { id: tokenId, token } = await ctx.use.agents.mintToken(ctx.asServer(workspaceId), trx, {
      accountId: agentId,
      name: `Run ${id}`,
      expiresAt: new Date(ctx.now().getTime() + leaseSeconds * 1000),
      confinedTo: confinementOf(run)
    })
    await startRun(trx, run, { leaseId, leaseSeconds, tokenId, at: ctx.now() })
    await addNote(ctx, trx, run, `Attempt ${attempt} begins.`)
    const data = { agentId, attempt }
    await ctx.emit(trx, runStarted, ctx.asServer(workspaceId), [{ subjectId: id, parentId: issueId, data }])
    const ofRun = { workspaceId, id, issueId, agentId, requestedById, instructions, retryOfId, runner }
    return { ...ofRun, attempt, leaseId, tokenId, token }
  })
}

/** @returns false if the attempt has lost its run */
export const renewAttempt = ({ db, settings }: Ctx, attempt: Attempt): Promise<boolean> =>
  renewLease(db, attempt, attempt.leaseId, settings.leaseSeconds)

/** @returns false if the attempt has lost the run, or the run waits for an answer */
export const finishAttempt = (ctx: Ctx, attempt: Attempt, end: End): Promise<boolean> =>
  ctx.transaction(async trx => {
    await lockTree(trx, attempt.workspaceId, attempt.issueId)
    const run = await lockRun(trx, attempt)
    if (run?.leaseId !== attempt.leaseId) return false
    if (end.status === 'SUCCEEDED' && (await goOnWithAnswer(ctx, trx, run, end))) return false
    await endRun(ctx, trx, run, end)
    return true
  })

export const requeueAttempt = (ctx: Ctx, attempt: Attempt, why: string): Promise<void> =>
  ctx.transaction(async trx => {
    await lockTree(trx, attempt.workspaceId, attempt.issueId)
    const run = await lockRun(trx, attempt)
    if (run?.leaseId === attempt.leaseId) await requeueRun(ctx, trx, run, why)
  })
