import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { job, type Caller, type Principal } from '../../core/contract.ts'
import type { Id } from '../../core/db/tables.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { readScope, writeScope } from '../../core/scopes.ts'
import { isClosed } from '../workspace/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { delegation, runFinished, runRequested, runRequeued, runStarted } from './contract.ts'
import { tooDeep } from './confinement.ts'
import * as issueQueries from './queries/issues.ts'
import { addEvents, findRun, type Run } from './queries/listing.ts'
import * as queries from './queries/runs.ts'
import type { End, LockedRun, RunName } from './queries/runs.ts'
import { isRunning, notConfigured, notReady, reasonsAgainst, type Handover } from './readiness.ts'
import { lockTree, releaseIssues } from './release.ts'

/** A wake-up call for whoever can take the run; the run itself says whether there is anything to do. */
export const takeRun = job<RunName>()(delegation, 'take', { keyed: true })
export const announceRuns = job<Record<string, never>>()(delegation, 'announce')

/** What a run is asked for with, beside who hands which issue to whom. */
interface NewRun {
  instructions: string | null
  depth: number
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
    use: { agents, issues }
  } = ctx

  const wake = (handle: typeof db | Trx, run: RunName) => ctx.enqueue(handle, takeRun, [run], { key: run.id })
  const note = (trx: Trx, run: RunName, text: string) => addEvents(trx, run, now(), [{ type: 'status', text }])

  /** The workspace's own agent, made when there is none; the transaction waits for others that ask for it. */
  async function serviceAgent(caller: Caller, trx: Trx): Promise<Id> {
    const { workspaceId } = caller
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
    await releaseIssues(ctx, trx, run, end)
    const data = { agentId: run.agentId, status: end.status, reason: end.reason ?? null }
    await ctx.emit(trx, runFinished, caller, [{ subjectId: run.id, issueId: run.issueId, data }])
  }
  async function requeueLocked(trx: Trx, run: LockedRun, why: string): Promise<void> {
    if (run.tokenId !== null) await agents.revokeToken(ctx.asServer(run.workspaceId), trx, run.tokenId)
    await queries.setQueued(trx, run)
    await note(trx, run, why)
    await wake(trx, run)
    const data = { agentId: run.agentId, attempt: run.attempt }
    await ctx.emit(trx, runRequeued, serverFor(run), [{ subjectId: run.id, issueId: run.issueId, data }])
  }

  /** Makes a run that waits, with a first note. @returns its id. @throws 409 NOT_READY with the reasons, 404 */
  async function requestIn(trx: Trx, caller: Caller, handover: Handover & NewRun, text: string): Promise<Id> {
    const { issueId, agentId } = handover
    await issues.lock(caller, trx, [issueId])
    const { key } = await issues.find(caller, trx, issueId)
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
        const handover = { issueId: issue.id, requestedById: accountId, agentId, instructions, depth }
        const id = await requestIn(trx, principal, handover, `Requested by ${principal.fullname}.`)
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

    /** Ends the attempt that `claim` is of, unless it was taken away. */
    async finish(claim: Claim, end: End): Promise<void> {
      const ended = await ctx.transaction(async trx => {
        await lockTree(trx, claim.workspaceId, claim.issueId)
        const run = await queries.lockRun(trx, claim)
        if (run?.leaseId !== claim.leaseId) return false
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
            : run.pickedUpAt !== null && assigneeId !== run.agentId && assigneeById !== run.agentId
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
    },

    /** Runs whose server is gone are begun again, or fail after the last attempt. */
    async sweep(): Promise<void> {
      for (const { issueId, ...name } of await queries.listLost(db)) {
        const end = await ctx.transaction(async (trx): Promise<End | undefined> => {
          await lockTree(trx, name.workspaceId, issueId)
          const run = await queries.lockLost(trx, name)
          if (!run) return undefined
          const lost = `The server of attempt ${run.attempt} has not renewed its lease for ${settings.leaseSeconds} s.`
          if (run.attempt < settings.attempts) {
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

    /** Wakes the workers again for runs that wait, should a call have been lost. */
    async announce(): Promise<void> {
      for (const run of await queries.listWaiting(db)) await wake(db, run)
    }
  }
}
export type Runs = ReturnType<typeof makeRuns>
