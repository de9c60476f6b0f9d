import { setTimeout as sleep } from 'node:timers/promises'
import { renewAttempt, requeueAttempt, type Attempt } from './attempts.ts'
import type { Ctx } from '../context.ts'
import type { RunReason } from '../contract.ts'
import { prepare, type Prepared } from './preparation.ts'
import { addEvents, type RunEvent } from '../queries/listing.ts'
import type { End } from '../queries/runs.ts'
import { makeMask } from '../runner/mask.ts'
import { runnersOf, type Runner } from '../runners/runners.ts'
import { makeLineSplitter } from '../runner/line-splitter.ts'
import { followOutput, LIMITS, SUMMARY_SIZE } from '../runner/output.ts'
import { startRunner, type Ending, type RunnerProcess } from '../runner/process.ts'
import { makeStepRecorder } from '../steps/recorder.ts'
import { makeUsageReporter } from '../usage/reporter.ts'
import type { Runs } from './runs.ts'

/** The variables of the server's environment that a runner inherits: no possible secrets. */
const INHERITED = ['PATH', 'HOME', 'USER', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']
const POLL_INTERVAL_MS = 1_000

type Stop = { end: End } | { requeue: string } | 'taken away'

export class Execution {
  readonly #ctx: Ctx
  readonly #runs: Runs
  readonly #attempt: Attempt
  #stopped: Stop | undefined
  #command: RunnerProcess | undefined

  constructor(ctx: Ctx, runs: Runs, attempt: Attempt) {
    this.#ctx = ctx
    this.#runs = runs
    this.#attempt = attempt
  }

  /** The first reason counts. */
  stop(why: Stop, graceSeconds = this.#ctx.settings.killSeconds): void {
    this.#stopped ??= why
    this.#command?.stop(graceSeconds * 1000)
  }

  async run(): Promise<void> {
    const runner = runnersOf(this.#ctx.settings).get(this.#attempt.runner)
    if (runner === undefined) {
      return this.#runs.finish(this.#attempt, {
        status: 'FAILED',
        reason: 'NOT_CONFIGURED',
        message: `The server no longer has the runner '${this.#attempt.runner}': set plugins.delegation.runners.`
      })
    }
    const prepared = await prepare(this.#ctx, this.#attempt)
    if ('end' in prepared) return this.#runs.finish(this.#attempt, prepared.end)
    if (this.#stopped !== undefined) return this.#conclude({ kind: 'exited', code: 0 }, null)
    const { ending, summary } = await this.#runCommand(runner, prepared)
    return this.#conclude(ending, summary)
  }

  async #runCommand(runner: Runner, { key, input }: Prepared) {
    const { settings, transaction, now } = this.#ctx
    const attempt = this.#attempt
    // The command must have ended before the lease expires and another server may start it: half of the lease is left
    // for TERM, KILL and differences between clocks.
    const lifetimeMs = settings.leaseSeconds * 500
    const command = startRunner(
      {
        command: runner.command,
        cwd: runner.cwd,
        env: environmentOf(this.#ctx, runner, attempt, key),
        mark: `TRACKER_RUN=${attempt.id}`,
        graceMs: Math.min(settings.killSeconds * 1000, lifetimeMs / 2)
      },
      input,
      lifetimeMs
    )
    this.#command = command
    const abandoned = new AbortController()
    const fail = (reason: RunReason, message: string) => this.stop({ end: { status: 'FAILED', reason, message } })
    const usage = makeUsageReporter(this.#ctx, attempt, runner.model)
    const events = {
      mask: makeMask([attempt.token, ...Object.values(runner.env)]),
      write: (events: RunEvent[]) => transaction(trx => addEvents(trx, attempt, now(), events)),
      abandoned: abandoned.signal
    }
    const steps = makeStepRecorder(events)
    const output = followOutput({
      ...command,
      ...events,
      onStdout: makeLineSplitter(line => {
        usage?.readLine(line)
        steps.readLine(line)
      }),
      isInSummary: line => !(steps.isStream() && line.startsWith('{')),
      onFlood: () => fail('OUTPUT_FLOOD', `It wrote more than ${LIMITS.flood / 1024 / 1024} MiB.`)
    })
    const { timeoutSeconds } = runner
    const timeout = setTimeout(
      () => fail('TIMED_OUT', `It took longer than ${timeoutSeconds} s.`),
      timeoutSeconds * 1000
    )
    const renewal = this.#renewUntil(abandoned.signal, command, lifetimeMs)
    const ending = await command.ended
    clearTimeout(timeout)
    // The lease is renewed while the last output is stored, for at most the time of one lease.
    await Promise.race([
      Promise.all([output.done, steps.end()]),
      sleep(settings.leaseSeconds * 1000, undefined, { ref: false })
    ])
    await usage?.end()
    abandoned.abort()
    await renewal
    const summary = [steps.lastMessage(), output.summary()].filter(text => text !== null).join('\n\n')
    return { ending, summary: summary.slice(-SUMMARY_SIZE).toWellFormed() || null }
  }

  /** Renews the lease until `over`, and informs the guard; stops a run that was taken away. */
  async #renewUntil(over: AbortSignal, command: RunnerProcess, lifetimeMs: number): Promise<void> {
    const { settings, log, asServer, use } = this.#ctx
    const { id, workspaceId, agentId } = this.#attempt
    const intervalMs = Math.min(POLL_INTERVAL_MS, (settings.leaseSeconds * 1000) / 6)
    while (!over.aborted) {
      const startedAt = performance.now()
      try {
        if (!(await renewAttempt(this.#ctx, this.#attempt))) return this.stop('taken away')
        command.renew(Math.max(0, lifetimeMs - (performance.now() - startedAt)))
        // The issue stays claimed by the agent, even while the command prints nothing for a long time.
        use.claims?.keepAlive({ ...asServer(workspaceId), accountId: agentId })
      } catch (error) {
        log.warn({ err: error, runId: id }, 'the lease of a run could not be renewed')
      }
      await sleep(intervalMs, undefined, { signal: over }).catch(() => {})
    }
  }

  async #conclude(ending: Ending, summary: string | null): Promise<void> {
    const stopped = this.#stopped
    if (stopped === 'taken away') return
    if (stopped !== undefined && 'requeue' in stopped) {
      return requeueAttempt(this.#ctx, this.#attempt, stopped.requeue)
    }
    const how = stopped?.end ?? endOf(ending)
    // The database was unavailable for too long: the lease expires, and a sweep restarts or fails the run.
    if (how === undefined) return
    // While the database is unavailable the result cannot be stored; after the lease, a sweep stores another one.
    const giveUpAt = performance.now() + this.#ctx.settings.leaseSeconds * 1000
    for (;;) {
      try {
        return await this.#runs.finish(this.#attempt, { ...how, summary })
      } catch (error) {
        if (performance.now() > giveUpAt) throw error
        await sleep(POLL_INTERVAL_MS)
      }
    }
  }
}

function environmentOf(
  { settings, use }: Ctx,
  { env }: Runner,
  { id, token }: Attempt,
  key: string
): Record<string, string> {
  const inherited = INHERITED.flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    ...env,
    TRACKER_URL: settings.url ?? use.address.origin(),
    TRACKER_TOKEN: token,
    TRACKER_ISSUE: key,
    TRACKER_RUN: id
  }
}

/** Undefined: unchanged. */
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
