import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { toApiError } from '../../api/errors.ts'
import { ConsumerCursor, LeaseLost, type CursorOptions } from './consumer-cursor.ts'
import type { ConsumerOptions, Handled, LoggedEvent } from '../contract.ts'
import { ProcessEnded, storeDeadLetter } from './dead-letters.ts'
import type { Horizon } from '../horizon.ts'
import { readLog } from '../read.ts'

const DEFAULT_BATCH = 100
const DEFAULT_ATTEMPTS = 5
const HANDLE_TIMEOUT_MS = 600_000
/** Milliseconds after a dead letter in which failing events of the same workspace are tried only once. */
const FAILING_WORKSPACE_MS = 60_000
/** Crashes after which the batch is halved, and after which a single event becomes a dead letter. */
const CRASHES_TO_HALVE = 2
const CRASHES_TO_SET_ASIDE = 3
const QUIET_MS = 100
const MAX_BACKOFF_MS = 30_000
/** Milliseconds before a rebuild that crashed is retried; doubled with each crash. */
const REBUILD_BACKOFF_MS = 5_000
const MAX_REBUILD_BACKOFF_MS = 600_000

export interface BoundConsumer extends ConsumerOptions {
  readonly name: string
  readonly types: readonly string[] | undefined
  /** Undefined: events that were removed before they were handled are skipped. */
  readonly rebuild: (() => Promise<void>) | undefined
  handle(events: readonly LoggedEvent[]): Promise<Handled>
}

interface ConsumerRunnerOptions extends CursorOptions {
  log: FastifyBaseLogger
  horizon: Horizon
  now: () => Date
  appendedAt: () => number
  /** Serialises work that may crash the process, so that the cause is known. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

export type ConsumerState = 'up' | 'rebuilding' | 'failing'

const QUERY_CANCELED = '57014'
/** The events are not to blame, except perhaps for a timeout. */
const isTransient = (error: unknown): boolean =>
  toApiError(error)?.statusCode === 503 && (error as { code?: string }).code !== QUERY_CANCELED

class Stopped extends Error {}

const isInterruption = (error: unknown): boolean => error instanceof Stopped || error instanceof LeaseLost

const batchAfter = (crashes: number, batch: number): number =>
  crashes < CRASHES_TO_HALVE ? batch : Math.max(1, Math.floor(batch / 2 ** (crashes - CRASHES_TO_HALVE + 1)))

export class ConsumerRunner {
  readonly name: string
  readonly #consumer: BoundConsumer
  readonly #options: ConsumerRunnerOptions
  readonly #cursor: ConsumerCursor
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #state: ConsumerState = 'up'
  /** Events that may have crashed an earlier process, and are not handled yet. */
  #suspects = 0
  /** The time of the last dead letter of a workspace, by `performance.now()`. */
  readonly #failedAt = new Map<string, number>()
  /** True if an error interrupted the work, so that it tries to acquire the lease again. */
  #wasInterrupted = false

  constructor(consumer: BoundConsumer, options: ConsumerRunnerOptions) {
    this.name = consumer.name
    this.#consumer = consumer
    this.#options = options
    this.#cursor = new ConsumerCursor(consumer.name, options)
  }

  get state(): ConsumerState {
    return this.#state
  }

  get position(): number | undefined {
    return this.#cursor.position
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  get isSettled(): boolean {
    return !this.isRunning && !this.#wasInterrupted && this.#cursor.isSettledAt(this.#options.horizon.decided)
  }

  /** Busy consumers renew their own. @returns the consumers on which no process holds a lease */
  static renewLeases(runners: readonly ConsumerRunner[], options: CursorOptions): Promise<Set<string>> {
    const idle = runners.filter(runner => !runner.isRunning)
    return ConsumerCursor.renewAll(
      idle.map(runner => runner.#cursor),
      options
    )
  }

  handle(events: readonly LoggedEvent[]): Promise<Handled> {
    return this.#consumer.handle(events)
  }

  /** Forces the position to be read again: the database may have lost recent commits. */
  forgetPosition(): void {
    this.#cursor.forget()
  }

  /** Starts to work up to the horizon, unless it is running. @param isFree whether no process holds its lease */
  start(isFree: boolean): void {
    if (this.#running || this.#stopping.signal.aborted) return
    const { log, horizon } = this.#options
    const cursor = this.#cursor
    const isIdle = cursor.isLeased && cursor.position! >= horizon.decided
    if (cursor.position === undefined ? !isFree && !this.#wasInterrupted : isIdle && !cursor.mustStore) return
    this.#wasInterrupted = false
    const renewal = setInterval(() => {
      cursor
        .renew()
        .catch((error: unknown) => log.warn({ err: error, consumer: this.name }, 'a lease could not be renewed'))
    }, cursor.renewalMs)
    this.#running = this.#work()
      .catch((error: unknown) => {
        cursor.position = undefined
        if (isInterruption(error)) return
        this.#wasInterrupted = true
        this.#state = 'failing'
        log.warn({ err: error, consumer: this.name }, 'a consumer of events was interrupted, and goes on')
      })
      .finally(() => {
        clearInterval(renewal)
        this.#running = undefined
      })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #work(): Promise<void> {
    const { db, horizon } = this.#options
    const { types, batch = DEFAULT_BATCH, debounceMs = 0, maxQuietWaitMs = 0 } = this.#consumer
    const cursor = this.#cursor
    if (!cursor.isLeased) await this.#acquire()
    while (cursor.position !== undefined && cursor.position < horizon.decided && !this.#stopping.signal.aborted) {
      if (debounceMs > 0) await this.#pause(debounceMs)
      if (maxQuietWaitMs > 0) await this.#waitForQuiet(maxQuietWaitMs)
      const upTo = horizon.decided
      const limit = batchAfter(cursor.crashes, batch)
      const events = await readLog(db, { after: cursor.position, upTo, limit }, { types })
      const isDone = events.length > 0 && (await this.#deliver(events))
      const isLast = events.length < limit
      const reached: number = isLast ? upTo : events.at(-1)!.position
      cursor.position = reached
      this.#suspects -= isLast ? this.#suspects : events.length
      const isCleared = cursor.crashes > 0 && this.#suspects <= 0
      if (isCleared) cursor.crashes = 0
      if (isDone || isCleared || cursor.mustStore) await cursor.store(reached)
    }
    if (cursor.position === undefined) return
    if (cursor.crashes > 0 && cursor.position >= horizon.decided) {
      cursor.crashes = 0
      await cursor.store(cursor.position)
    }
    if (cursor.mustStore) await cursor.store(cursor.position)
    this.#state = 'up'
  }

  async #acquire(): Promise<void> {
    const { types, batch = DEFAULT_BATCH } = this.#consumer
    const leased = await this.#cursor.acquire()
    if (leased === undefined) return
    const { position, needsRebuild, removedTo, crashes, handling } = leased
    this.#suspects = crashes > 0 ? batch : 0
    if (needsRebuild || position < removedTo) return this.#closeGap(position, removedTo)
    if (crashes < CRASHES_TO_SET_ASIDE || handling !== 1) return
    const { db, horizon } = this.#options
    const [event] = await readLog(db, { after: position, upTo: horizon.decided, limit: 1 }, { types })
    if (event === undefined) return
    const error = new ProcessEnded(`${crashes} processes have ended, or hung, while it was handled`)
    await this.#setAside(event, crashes, error)
    this.#cursor.crashes = this.#suspects = 0
    await this.#cursor.store(event.position)
  }

  async #closeGap(from: number, removedTo: number): Promise<void> {
    const { log, horizon } = this.#options
    const { rebuild } = this.#consumer
    if (rebuild === undefined) {
      log.warn({ consumer: this.name, from, removedTo }, 'a consumer of events skips those that were removed')
      return this.#cursor.store(removedTo, true)
    }
    const reached = Math.max(horizon.decided, removedTo)
    this.#state = 'rebuilding'
    const { crashes } = this.#cursor
    if (crashes > 0) {
      const waitMs = Math.min(REBUILD_BACKOFF_MS * 2 ** crashes, MAX_REBUILD_BACKOFF_MS)
      log.warn(
        { consumer: this.name, crashes, waitMs },
        'processes have ended while they rebuilt: it waits before it rebuilds'
      )
      await this.#pause(waitMs)
      await this.#cursor.noteHandling(1)
    }
    await rebuild()
    this.#cursor.crashes = this.#suspects = 0
    await this.#cursor.store(reached, true)
  }

  /** Halves a failing batch: one event does not hold up the others. @returns whether the position must be stored */
  async #deliver(events: readonly LoggedEvent[]): Promise<boolean> {
    if (this.#stopping.signal.aborted) throw new Stopped()
    try {
      const handled = await this.#handle(events)
      this.#state = 'up'
      return handled !== 'nothing to do'
    } catch (error) {
      if (isInterruption(error) || isTransient(error)) throw error
      this.#state = 'failing'
      const { log } = this.#options
      log.error({ err: error, consumer: this.name, events: events.length }, 'events could not be handled')
      if (events.length > 1) {
        const half = Math.ceil(events.length / 2)
        await this.#deliver(events.slice(0, half))
        await this.#cursor.store(events[half - 1]!.position)
        await this.#deliver(events.slice(half))
      } else await this.#tryAgain(events[0]!, error)
      return true
    }
  }

  /** Calls the handler; after a crash, serialised and with the attempt stored before. */
  async #handle(events: readonly LoggedEvent[]): Promise<Handled> {
    const cursor = this.#cursor
    if (cursor.crashes === 0) return this.#call(events)
    return this.#options.inTurn(async () => {
      if (this.#stopping.signal.aborted) throw new Stopped()
      await cursor.noteHandling(events.length)
      try {
        return await this.#call(events)
      } finally {
        await cursor.noteHandling(0)
      }
    })
  }

  /** @throws after the timeout; the handler continues, but nobody waits for it */
  async #call(events: readonly LoggedEvent[]): Promise<Handled> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const fail = () => reject(new Error(`not handled within ${HANDLE_TIMEOUT_MS / 1000} s`))
    const timer = setTimeout(fail, HANDLE_TIMEOUT_MS)
    try {
      return await Promise.race([this.#consumer.handle(events), tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  async #tryAgain(event: LoggedEvent, error: unknown): Promise<void> {
    const { attempts = DEFAULT_ATTEMPTS } = this.#consumer
    const attempt = await this.#cursor.countAttempt()
    const failedAt = this.#failedAt.get(event.workspaceId) ?? -Infinity
    // So that many failing events of one workspace do not hold up the others.
    if (attempt < attempts && performance.now() - failedAt > FAILING_WORKSPACE_MS) {
      await this.#pause(Math.min(100 * 4 ** (attempt - 1), MAX_BACKOFF_MS))
      await this.#deliver([event])
      return
    }
    await this.#setAside(event, attempt, error)
    this.#failedAt.set(event.workspaceId, performance.now())
    this.#state = 'up'
  }

  async #setAside(event: LoggedEvent, attempts: number, error: unknown): Promise<void> {
    const { db, now, log } = this.#options
    await storeDeadLetter(db, { consumer: this.name, event, attempts, error, at: now() })
    const { id, type, workspaceId } = event
    log.error({ err: error, consumer: this.name, event: { id, type, workspaceId }, attempts }, 'an event is set aside')
  }

  async #waitForQuiet(maxWaitMs: number): Promise<void> {
    const deadline = performance.now() + maxWaitMs
    for (;;) {
      const time = performance.now()
      const quietAt = this.#options.appendedAt() + QUIET_MS
      if (quietAt <= time || deadline <= time) return
      await this.#pause(Math.min(quietAt, deadline) - time)
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {
      throw new Stopped()
    })
  }
}
