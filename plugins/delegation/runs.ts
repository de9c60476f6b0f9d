import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { job, type Caller, type Principal } from '../../core/contract.ts'
import type { Id } from '../../core/db/tables.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { readScope, writeScope } from '../../core/scopes.ts'
import type { IssueRef } from '../issues/contract.ts'
import { isClosed } from '../workspace/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { delegation, runFinished, runRequested, runRequeued, runStarted, runSuspended } from './contract.ts'
import { tooDeep } from './confinement.ts'
import * as issueQueries from './queries/issues.ts'
import { addEvents, findRun, type Run } from './queries/listing.ts'
import * as queries from './queries/runs.ts'
import type { End, LockedRun, RunName } from './queries/runs.ts'
import {
  AWAITING_ANSWER,
  isRunning,
  isTaken,
  notConfigured,
  notReady,
  reasonsAgainst,
  type Handover
} from './readiness.ts'
import { endedText, lockTree, releaseIssues } from './release.ts'

/** A wake-up call for whoever can take the run; the run itself says whether there is anything to do. */
export const takeRun = job<RunName>()(delegation, 'take', { keyed: true })
export const announceRuns = job<Record<string, never>>()(delegation, 'announce')

const ANSWERED = 'Its questions were answered or withdrawn. It is begun again.'

/** Who hands which issue to whom, and with what. */
interface RunRequest extends Omit<Handover, 'issueId'> {
  issue: Pick<IssueRef, 'id' | 'key'>
  instructions: string | null
  depth: number
  /** The first note. */
  text: string
}

/** What a worker holds of a run that it has begun. */
export interface Claim extends RunName {
  issueId: Id
  agentId: Id
  requestedById: Id
  leaseId: Id
  token: string
  instructions: string | null
  attempt: number
}

/**
 * The states of a run, and every way between them. A run's token is revoked by whatever ends the attempt, in the
 * same transaction; what nobody ended dies with the lease, which is the token's end, too.
 */
export function makeRuns(ctx: Ctx, onEnded: (run: RunName, end: End) => void) {
  const {
    settings,
    db,
    now,
    use: { agents, issues, comments }
  } = ctx

  const wake = (handle: typeof db | Trx, run: RunName) => ctx.enqueue(handle, takeRun, [run], { key: run.id })
  const note = (trx: Trx, run: RunName, text: string) => addEvents(trx, run, now(), [{ type: 'status', text }])

  /** The workspace's own agent, made when there is none; the transaction waits for others that ask for it. */
  async function serviceAgent(caller: Caller, trx: Trx): Promise<Id> {
    const { workspaceId } = caller
    // Raw: a function call, and no query.
    await sql`select pg_advisory_xact_lock(hashtextextended('delegation.agent:' || ${workspaceId}::text, 0))`.execute(
      trx
    )
    const existing = await queries.findServiceAgent(trx, workspaceId)
    if (existing !== null) return existing
    const id = await agents.create(caller, trx, { fullname: settings.agentName, scopes: [readScope, writeScope] })
    await trx.insertInto('serviceAgent').values({ workspaceId, id }).execute()
    return id
  }

  const serverFor = ({ workspaceId }: RunName): Caller => ctx.asServer(workspaceId)

  /** Ends a run that the caller has locked, and its issues before it. */
  async function endLocked(trx: Trx, run: LockedRun, end: End, caller = serverFor(run)): Promise<void> {
    if (run.tokenId !== null) await agents.revokeToken(ctx.asServer(run.workspaceId), trx, run.tokenId)
    await queries.setEnded(trx, run, { ...end, at: now() })
    await note(
      trx,
      run,
      end.reason === undefined ? `${end.status}.` : `${end.status}: ${end.reason}. ${end.message ?? ''}`.trim()
    )
    await releaseIssues(ctx, trx, run, endedText(end))
    const { agentId, requestedById } = run
    const data = { agentId, requestedById, status: end.status, reason: end.reason ?? null }
    await ctx.emit(trx, runFinished, caller, [{ subjectId: run.id, issueId: run.issueId, data }])
  }
  async function requeueLocked(trx: Trx, run: LockedRun, why: string, isAnswered = false): Promise<void> {
    if (run.tokenId !== null) await agents.revokeToken(ctx.asServer(run.workspaceId), trx, run.tokenId)
    await queries.setQueued(trx, run, isAnswered ? { resumedAt: now(), attemptsBefore: run.attempt } : undefined)
    await note(trx, run, why)
    await wake(trx, run)
    const data = { agentId: run.agentId, attempt: run.attempt }
    await ctx.emit(trx, runRequeued, serverFor(run), [{ subjectId: run.id, issueId: run.issueId, data }])
  }

  const questionsOf = async (trx: Trx, { tokenId, ...run }: LockedRun) =>
    tokenId === null || comments === undefined ? [] : comments.questionsAskedWith(serverFor(run), trx, [tokenId])

  /** Whether a run that asked has to wait: for its own answers, or for another on its issue. */
  async function awaitsAnswer(trx: Trx, run: LockedRun): Promise<boolean> {
    if ((await questionsOf(trx, run)).some(({ isOpen }) => isOpen)) return true
    const reasons = await reasonsAgainst(issues, serverFor(run), trx, run)
    return reasons.some(({ code }) => code === AWAITING_ANSWER)
  }

  /** Lets a locked run wait until its questions are answered. */
  async function suspendLocked(trx: Trx, run: LockedRun, summary: string | null): Promise<void> {
    if (run.tokenId !== null) await agents.revokeToken(serverFor(run), trx, run.tokenId)
    await queries.setWaiting(trx, run, summary)
    await note(trx, run, 'WAITING: it has asked, and is begun again with the answer.')
    await releaseIssues(ctx, trx, run, 'has asked, and is begun again with the answer')
    const data = { agentId: run.agentId, attempt: run.attempt }
    await ctx.emit(trx, runSuspended, serverFor(run), [{ subjectId: run.id, issueId: run.issueId, data }])
  }

  /** Lets a run that asked and ended well go on, once it is answered. @returns whether it does */
  async function goOnWithAnswer(trx: Trx, run: LockedRun, { summary = null }: End): Promise<boolean> {
    if ((await questionsOf(trx, run)).length === 0) return false
    const issue = await issueQueries.issueOutlook(trx, run.workspaceId, run.issueId)
    if (!issue || issue.deleted || isClosed(issue.category)) return false
    if (await awaitsAnswer(trx, run)) await suspendLocked(trx, run, summary)
    else await requeueLocked(trx, run, ANSWERED, true)
    return true
  }

  /** Makes a run that waits, with a first note. @returns its id. @throws 409 NOT_READY with the reasons, 404 */
  async function requestIn(trx: Trx, caller: Caller, { issue, text, ...wanted }: RunRequest): Promise<Id> {
    const { id: issueId, key } = issue
    const handover = { issueId, ...wanted }
    const { agentId } = handover
    await issues.lock(caller, trx, [issueId])
    const reasons = await reasonsAgainst(issues, caller, trx, handover)
    if (reasons.length > 0) throw notReady(key, reasons)
    const run = { workspaceId: caller.workspaceId, id: newId() }
    if (!(await queries.insertRun(trx, { ...run, ...handover, createdAt: now() }))) {
      throw notReady(key, [{ code: isRunning.code, message: isRunning.message(key, '') }])
    }
    await note(trx, run, text)
    await wake(trx, run)
    await ctx.emit(trx, runRequested, caller, [{ subjectId: run.id, issueId, data: { agentId } }])
    return run.id
  }

  return {
    /** @returns the run as it waits. @throws 409 NOT_CONFIGURED, 409 NOT_READY with the reasons, 404 */
    async request(principal: Principal, issueRef: string, instructions: string | null): Promise<Run> {
      const { workspaceId, accountId } = principal
      if (settings.runner === undefined) {
        throw notConfigured(
          'This server has no runner: the deployer sets plugins.delegation.runner to ' +
            '{"command": ["program", "argument"]}, or TRACKER_PLUGINS__DELEGATION__RUNNER to that JSON.'
        )
      }
      return ctx.transaction(async trx => {
        const depth = principal.confinedTo
          ? (await queries.depthOf(trx, workspaceId, principal.confinedTo.runId)) + 1
          : 0
        if (depth > settings.maxDepth) throw tooDeep(settings.maxDepth)
        const issue = await issues.find(principal, trx, issueRef)
        const agentId = await serviceAgent(principal, trx)
        const text = `Requested by ${principal.fullname}.`
        const id = await requestIn(trx, principal, {
          issue,
          requestedById: accountId,
          agentId,
          instructions,
          depth,
          text
        })
        return findRun(trx, workspaceId, id)
      })
    },

    requestIn,
    serviceAgent,

    /** Begins an attempt, with a lease and a token of its own. @returns undefined when it is not waiting any more */
    async claim(name: RunName): Promise<Claim | undefined> {
      return ctx.transaction(async trx => {
        const issueId = await queries.issueOfRun(trx, name)
        if (issueId !== undefined) await lockTree(trx, name.workspaceId, issueId)
        const run = await queries.lockRun(trx, name)
        if (run?.status !== 'QUEUED') return undefined
        if ((await questionsOf(trx, run)).some(({ isOpen }) => isOpen)) {
          // Its server died after it had asked.
          await suspendLocked(trx, run, null)
          return undefined
        }
        const leaseId = randomUUID()
        const expiresAt = new Date(now().getTime() + settings.leaseSeconds * 1000)
        const { id: tokenId, token } = await agents.mintToken(ctx.asServer(run.workspaceId), trx, {
          accountId: run.agentId,
          name: `Run ${run.id}`,
          expiresAt,
          confinedTo: { issueId: run.issueId, runId: run.id }
        })
        await queries.startRun(trx, run, { leaseId, leaseSeconds: settings.leaseSeconds, tokenId, at: now() })
        await note(trx, run, `Attempt ${run.attempt + 1} begins.`)
        const data = { agentId: run.agentId, attempt: run.attempt + 1 }
        await ctx.emit(trx, runStarted, serverFor(run), [{ subjectId: run.id, issueId: run.issueId, data }])
        return {
          workspaceId: run.workspaceId,
          id: run.id,
          issueId: run.issueId,
          agentId: run.agentId,
          requestedById: run.requestedById,
          instructions: run.instructions,
          attempt: run.attempt + 1,
          leaseId,
          token
        }
      })
    },

    renew: (claim: Claim) => queries.renewLease(db, claim, claim.leaseId, settings.leaseSeconds),

    /** Ends the attempt that `claim` is of, unless it was taken away; a run that asked goes on once it is answered. */
    async finish(claim: Claim, end: End): Promise<void> {
      const ended = await ctx.transaction(async trx => {
        await lockTree(trx, claim.workspaceId, claim.issueId)
        const run = await queries.lockRun(trx, claim)
        if (run?.leaseId !== claim.leaseId) return false
        if (end.status === 'SUCCEEDED' && (await goOnWithAnswer(trx, run, end))) return false
        await endLocked(trx, run, end)
        return true
      })
      if (ended) onEnded(claim, end)
    },

    /** Gives a run back that this server cannot finish. */
    async giveBack(claim: Claim, why: string): Promise<void> {
      await ctx.transaction(async trx => {
        await lockTree(trx, claim.workspaceId, claim.issueId)
        const run = await queries.lockRun(trx, claim)
        if (run?.leaseId === claim.leaseId) await requeueLocked(trx, run, why)
      })
    },

    /** @throws 404, 409 when it is over */
    async cancel(principal: Principal, id: Id): Promise<void> {
      const name = { workspaceId: principal.workspaceId, id }
      const end: End = { status: 'CANCELED', reason: 'CANCELED', message: `${principal.fullname} canceled it.` }
      const { issueId } = await findRun(db, principal.workspaceId, id)
      const ended = await ctx.transaction(async trx => {
        await lockTree(trx, principal.workspaceId, issueId)
        const run = await queries.lockRun(trx, name)
        if (!run) throw notFound('run', id)
        if (run.status === 'CANCELED') return false
        if (run.finishedAt !== null) {
          throw conflict(`The run is over (${run.status}): there is nothing to cancel.`)
        }
        await endLocked(trx, run, end, principal)
        return true
      })
      if (ended) onEnded(name, end)
    },

    /** As `checkIssue`, for those of the issues that have an active run. @returns how many have one */
    async issuesChanged(workspaceId: Id, issueIds: readonly Id[]): Promise<number> {
      const running = await issueQueries.listWithActiveRun(db, workspaceId, issueIds)
      for (const issueId of running) await this.checkIssue(workspaceId, issueId)
      return running.length
    },

    /**
     * Ends the issue's active run if the issue was deleted, closed or given to someone else by anyone but the run's
     * own agent.
     */
    async checkIssue(workspaceId: Id, issueId: Id): Promise<void> {
      const ended = await ctx.transaction(async trx => {
        await lockTree(trx, workspaceId, issueId)
        const run = await queries.lockActiveOf(trx, workspaceId, issueId)
        const issue = run && (await issueQueries.issueOutlook(trx, workspaceId, issueId))
        if (!run || !issue) return undefined
        const { deleted, category, assigneeId, stateById, assigneeById } = issue
        const end: End | undefined = deleted
          ? { status: 'CANCELED', reason: 'ISSUE_DELETED', message: 'The issue was deleted.' }
          : isClosed(category) && stateById !== run.agentId
            ? { status: 'CANCELED', reason: 'ISSUE_CLOSED', message: 'The issue was closed by someone else.' }
            : isTaken(run, assigneeId, assigneeById)
              ? { status: 'CANCELED', reason: 'ISSUE_REASSIGNED', message: 'The issue was taken from the agent.' }
              : undefined
        if (end) await endLocked(trx, run, end)
        return end && { run, end }
      })
      if (ended) onEnded(ended.run, ended.end)
    },

    /** As `checkIssue`, for the issues of all active runs. */
    async checkIssues(): Promise<void> {
      for (const { workspaceId, issueId } of await queries.listActive(db)) await this.checkIssue(workspaceId, issueId)
      await this.resumeAnswered()
    },

    /** Begins runs again whose questions were answered: of a workspace, or of all. @returns how many have waited */
    async resumeAnswered(workspaceId?: Id): Promise<number> {
      const waiting = await queries.listWaitingForAnswers(db, workspaceId)
      for (const { issueId, ...name } of waiting) {
        await ctx.transaction(async trx => {
          await lockTree(trx, name.workspaceId, issueId)
          const run = await queries.lockRun(trx, name)
          if (run?.status === 'WAITING' && !(await awaitsAnswer(trx, run))) {
            await requeueLocked(trx, run, ANSWERED, true)
          }
        })
      }
      return waiting.length
    },

    /** Runs whose server is gone are begun again, or fail after the last attempt. */
    async sweep(): Promise<void> {
      for (const { issueId, ...name } of await queries.listLost(db)) {
        const end = await ctx.transaction(async (trx): Promise<End | undefined> => {
          await lockTree(trx, name.workspaceId, issueId)
          const run = await queries.lockLost(trx, name)
          if (!run) return undefined
          const lost = `The server of attempt ${run.attempt} has not renewed its lease for ${settings.leaseSeconds} s.`
          if (run.attempt - run.attemptsBefore < settings.attempts) {
            await requeueLocked(trx, run, `${lost} It is begun again.`)
            return undefined
          }
          const message = `${lost} That was the last of ${settings.attempts} attempts.`
          const end: End = { status: 'FAILED', reason: 'LEASE_EXPIRED', message }
          await endLocked(trx, run, end)
          return end
        })
        if (end) onEnded(name, end)
      }
    },

    /** Wakes the workers again for runs that wait, should a call or an event have been lost. */
    async announce(): Promise<void> {
      for (const run of await queries.listWaiting(db)) await wake(db, run)
      await this.resumeAnswered()
    }
  }
}
export type Runs = ReturnType<typeof makeRuns>
