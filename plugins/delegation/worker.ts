import { setTimeout as sleep } from 'node:timers/promises'
import type { Principal } from '../../core/contract.ts'
import { toApiError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { IssueRef } from '../issues/contract.ts'
import type { KnownContext } from '../knowledge/contract.ts'
import { brief, type BriefContext } from './brief.ts'
import type { Ctx } from './context.ts'
import { addEvents } from './queries/listing.ts'
import { markPickedUp, tokensOfRun, type End, type RunName } from './queries/runs.ts'
import { isRunning, notReady, reasonsAgainst } from './readiness.ts'
import { makeMask } from './runner/mask.ts'
import { followOutput, LIMITS } from './runner/output.ts'
import { startRunner, type Ending, type RunnerProcess } from './runner/process.ts'
import { beginAttempt, giveBackAttempt, renewAttempt, type Attempt } from './attempts.ts'
import type { Runs } from './runs.ts'

/** What a runner inherits of the server's environment: nothing that could be a secret. */
const INHERITED = ['PATH', 'HOME', 'USER', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']
/** Milliseconds between looks whether the run is still this worker's. */
const POLL_INTERVAL_MS = 1_000
/** Seconds between TERM and KILL when the server itself is about to end. */
const HURRY_SECONDS = 1

/** Why this worker ends a command before its time. */
type Stop = { end: End } | { giveBack: string } | 'taken away'

/** Does the work of runs in this process. */
export function makeWorker(ctx: Ctx, runs: Runs) {
  const {
    settings,
    log,
    now,
    use: { issues, knowledge, comments }
  } = ctx
  const running = new Map<string, { stop(why: Stop, graceSeconds?: number): void; over: Promise<void> }>()
  let stopping = false

  /** Takes the run if it waits, and sees it to its end. */
  async function take(name: RunName): Promise<void> {
    if (stopping) return
    const claim = await beginAttempt(ctx, name)
    if (!claim) return
    const { promise: over, resolve } = Promise.withResolvers<void>()
    try {
      await attempt(claim, over)
    } catch (error) {
      log.error({ err: error, runId: claim.id }, 'a run could not be carried out')
      if (toApiError(error)?.code === 'OVERLOADED') return // passes: the lease runs out, and the run is begun again
      await runs.finish(claim, {
        status: 'FAILED',
        reason: 'SERVER_ERROR',
        message: 'The server could not carry it out; its log has this run’s id.'
      })
    } finally {
      running.delete(claim.id)
      resolve()
    }
  }

  async function attempt(claim: Attempt, over: Promise<void>): Promise<void> {
    const { runner } = settings
    if (runner === undefined) {
      return runs.finish(claim, {
        status: 'FAILED',
        reason: 'NOT_CONFIGURED',
        message: 'The server has no runner any more: set plugins.delegation.runner.'
      })
    }
    const abandoned = new AbortController()
    let stopped: Stop | undefined
    let command: RunnerProcess | undefined
    const stop = (why: Stop, graceSeconds = settings.killSeconds) => {
      stopped ??= why
      command?.stop(graceSeconds * 1000)
    }
    running.set(claim.id, { stop, over })

    const prepared = await prepare(claim)
    if ('end' in prepared) return runs.finish(claim, prepared.end)
    if (stopped === undefined) {
      const environment = environmentOf(claim, prepared.key)
      const graceMs = settings.killSeconds * 1000
      // Dead before the lease is over and another server may begin: half of it is left for TERM, KILL and clocks.
      const lifetime = settings.leaseSeconds * 500
      command = startRunner(
        {
          command: runner.command,
          cwd: runner.cwd,
          env: environment,
          mark: `TRACKER_RUN=${claim.id}`,
          graceMs: Math.min(graceMs, lifetime / 2)
        },
        prepared.input,
        lifetime
      )
      const output = followOutput({
        ...command,
        mask: makeMask([claim.token, ...Object.values(runner.env)]),
        write: events => addEvents(ctx.db, claim, now(), events),
        onFlood: () =>
          stop({
            end: {
              status: 'FAILED',
              reason: 'OUTPUT_FLOOD',
              message: `It wrote more than ${LIMITS.flood / 1024 / 1024} MiB.`
            }
          }),
        abandoned: abandoned.signal
      })
      const timeout = setTimeout(
        () =>
          stop({
            end: { status: 'FAILED', reason: 'TIMED_OUT', message: `It took longer than ${runner.timeoutSeconds} s.` }
          }),
        runner.timeoutSeconds * 1000
      )
      const heart = beat(claim, lifetime, command, stop, abandoned.signal)
      const ending = await command.ended
      clearTimeout(timeout)
      // The lease is kept while the last output is stored, which must not take longer than it.
      await Promise.race([output.done, sleep(settings.leaseSeconds * 1000, undefined, { ref: false })])
      abandoned.abort()
      await heart
      return conclude(claim, stopped, ending, output.summary())
    }
    return conclude(claim, stopped, { kind: 'exited', code: 0 }, null)
  }

  /** Keeps the lease, and the guard informed, until `over`; a run that was taken away is stopped. */
  async function beat(
    claim: Attempt,
    lifetime: number,
    command: RunnerProcess,
    stop: (why: Stop) => void,
    over: AbortSignal
  ): Promise<void> {
    const every = Math.min(POLL_INTERVAL_MS, (settings.leaseSeconds * 1000) / 6)
    while (!over.aborted) {
      const asked = performance.now()
      try {
        if (!(await renewAttempt(ctx, claim))) return stop('taken away')
        command.renew(Math.max(0, lifetime - (performance.now() - asked)))
        // The issue stays the agent's, however long the command says nothing.
        issues.keepClaims({ ...ctx.asServer(claim.workspaceId), accountId: claim.agentId })
      } catch (error) {
        log.warn({ err: error, runId: claim.id }, 'the lease of a run could not be renewed')
      }
      await sleep(every, undefined, { signal: over }).catch(() => {})
    }
  }

  async function conclude(
    claim: Attempt,
    stopped: Stop | undefined,
    ending: Ending,
    summary: string | null
  ): Promise<void> {
    if (stopped === 'taken away') return
    if (stopped !== undefined && 'giveBack' in stopped) return giveBackAttempt(ctx, claim, stopped.giveBack)
    const how = stopped?.end ?? endOf(ending)
    // The database was away for too long: the lease runs out, and whoever notices begins the run again or fails it.
    if (how === undefined) return
    const end = { ...how, summary }
    // Without a database there is no end to tell; past the lease, whoever sweeps tells another one.
    const giveUpAt = performance.now() + settings.leaseSeconds * 1000
    for (;;) {
      try {
        return await runs.finish(claim, end)
      } catch (error) {
        if (performance.now() > giveUpAt) throw error
        await sleep(POLL_INTERVAL_MS)
      }
    }
  }

  /** Assigns the issue to the service's agent and writes the brief. @throws ApiError when the server cannot now */
  async function prepare(claim: Attempt): Promise<{ key: string; input: string } | { end: End }> {
    const refused = (message: string) => ({ end: { status: 'FAILED', reason: 'NOT_READY', message } as const })
    const caller = await ctx.principalOf(claim.token)
    if (!caller) return refused('The token of the run was revoked, or the agent removed.')
    const issue = await issues.find(caller, ctx.db, claim.issueId)
    const refusal = await pickUp(caller, claim, issue)
    if (refusal !== undefined) return refused(refusal)
    await markPickedUp(ctx.db, claim, claim.leaseId, now())
    try {
      const context = JSON.parse(await issues.context(caller, ctx.db, claim.issueId)) as BriefContext
      const asked = await comments?.questionsAskedWith(caller, ctx.db, await tokensOfRun(ctx.db, claim))
      const input = brief(context, claim.instructions, await knownFor(caller, claim), asked)
      return { key: issue.key, input }
    } catch (error) {
      return refused(refusalOf(error).message)
    }
  }

  /** What is known about the task: good to have, but the run does not depend on it. */
  async function knownFor(caller: Principal, { id, issueId }: Attempt): Promise<KnownContext | undefined> {
    try {
      return await knowledge?.context(caller, { issueRef: issueId }, { requestId: newId(), session: `run:${id}` })
    } catch (error) {
      log.warn({ err: error, runId: id }, 'a run begins without what is known about its issue')
      return undefined
    }
  }

  /** @returns why the issue cannot be had, if so */
  async function pickUp(
    caller: Principal,
    claim: Attempt,
    issue: IssueRef,
    takeover = false
  ): Promise<string | undefined> {
    const all = await reasonsAgainst(issues, caller, ctx.db, claim)
    const reasons = all.filter(({ code }) => code !== isRunning.code) // which is this run
    if (reasons.length > 0) return notReady(issue.key, reasons).message
    try {
      await issues.pickUp(caller, claim.issueId, { takeover })
      return undefined
    } catch (error) {
      const { statusCode, message } = refusalOf(error)
      // Somebody has it: who began it since the look keeps it, from whom has not it is taken.
      if (statusCode === 409 && !takeover) return pickUp(caller, claim, issue, true)
      return message
    }
  }

  function environmentOf(claim: Attempt, key: string): Record<string, string> {
    const inherited = INHERITED.flatMap(name => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    })
    return {
      ...(Object.fromEntries(inherited) as Record<string, string>),
      ...settings.runner?.env,
      TRACKER_URL: settings.url ?? ctx.origin(),
      TRACKER_TOKEN: claim.token,
      TRACKER_ISSUE: key,
      TRACKER_RUN: claim.id
    }
  }

  return {
    take,
    running: () => running.size,
    /** The run was ended by a request that this process answered: no need to wait for the next look. */
    ended({ id }: RunName): void {
      running.get(id)?.stop('taken away')
    },
    /** Ends every command and gives the runs back. */
    async stop(): Promise<void> {
      stopping = true
      const all = [...running.values()]
      for (const { stop } of all) stop({ giveBack: 'The server stops. It is begun again.' }, HURRY_SECONDS)
      await Promise.all(all.map(({ over }) => over))
    }
  }
}

/** Why a service refused a request. @throws the error itself when the server failed rather than refused */
function refusalOf(error: unknown): { statusCode: number; message: string } {
  const known = toApiError(error)
  if (known === undefined || known.statusCode >= 500) throw error
  return known
}

/** What a command's end makes of its run; undefined: nothing. */
function endOf(ending: Ending): End | undefined {
  switch (ending.kind) {
    case 'exited':
      return ending.code === 0
        ? { status: 'SUCCEEDED' }
        : { status: 'FAILED', reason: 'EXIT_CODE', message: `The runner ended with exit code ${ending.code}.` }
    case 'killed':
      return { status: 'FAILED', reason: 'KILLED', message: `The runner was ended by ${ending.signal}.` }
    case 'refused':
      return {
        status: 'FAILED',
        reason: 'NOT_STARTED',
        message:
          `The runner could not be started (${ending.message}): ` +
          'check the command and the folder in plugins.delegation.runner.'
      }
    case 'unrenewed':
      return undefined
  }
}

export type Worker = ReturnType<typeof makeWorker>
