import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { toApiError } from '../errors.ts'
import { ConsumerCursor, LeaseLost, type CursorOptions } from './consumer-cursor.ts'
import type { ConsumerOptions, Handled, LoggedEvent } from './contract.ts'
import { storeDeadLetter } from './dead-letters.ts'
import type { Horizon } from './horizon.ts'
import { readLog } from './read.ts'

const DEFAULT_BATCH = 100
const DEFAULT_ATTEMPTS = 5
/** Milliseconds without an append after which the log counts as quiet. */
const QUIET_MS = 100
const MAX_BACKOFF_MS = 30_000

/** A consumer, bound to the context of its plugin. */
export interface BoundConsumer extends ConsumerOptions {
  /** `plugin/name` */
  readonly name: string
  /** The names of the types that it handles; undefined: all. */
  readonly types: readonly string[] | undefined
  /** Undefined: events that were removed before they were handled are skipped. */
  readonly rebuild: (() => Promise<void>) | undefined
  handle(events: readonly LoggedEvent[]): Promise<Handled>
}

interface ConsumerRunnerOptions extends CursorOptions {
  log: FastifyBaseLogger
  horizon: Horizon
  now: () => Date
  /** When this process appended last, by `performance.now()`. */
  appendedAt: () => number
}

/** How a consumer is doing, as far as this process knows. */
export type ConsumerState = 'up' | 'rebuilding' | 'failing'

/** The code of a statement that was cancelled, mostly because it took too long. */
const QUERY_CANCELED = '57014'
/**
 * Whether the database is unavailable or full, for which the events are not to blame. A statement that takes too long
 * may do so for its events each time.
 */
const isTransient = (error: unknown): boolean =>
  toApiError(error)?.statusCode === 503 && (error as { code?: string }).code !== QUERY_CANCELED

/** Ends the work of a consumer when the server stops. */
class Stopped extends Error {}

/** Runs one consumer, as long as this process holds its lease. */
export class ConsumerRunner {
  readonly name: string
  readonly #consumer: BoundConsumer
  readonly #options: ConsumerRunnerOptions
  readonly #cursor: ConsumerCursor
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #state: ConsumerState = 'up'
  /** Whether an error interrupted its work, so that it tries to acquire the lease again by itself. */
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

  /** The position up to which events are handled; undefined while another process holds the lease. */
  get position(): number | undefined {
    return this.#cursor.position
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Whether it has nothing to do until the log moves. */
  get isSettled(): boolean {
    return !this.isRunning && !this.#wasInterrupted && this.#cursor.isSettledAt(this.#options.horizon.decided)
  }

  /**
   * Renews the leases of idle consumers; those that are at work renew their own.
   * @returns the names of consumers on which no process holds a lease
   */
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

  /** Has the position read again: the database may have lost what was not stored. */
  forgetPosition(): void {
    this.#cursor.forget()
  }

  /** Starts to work up to the horizon, unless it is at work. @param isFree whether no process holds its lease */
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
        // The position is read again, and the batch with it.
        cursor.position = undefined
        if (error instanceof Stopped || error instanceof LeaseLost) return
        this.#wasInterrupted = true
        this.#state = 'failing'
        log.warn({ err: error, consumer: this.name }, 'a consumer of events was interrupted, and goes on')
      })
      .finally(() => {
        clearInterval(renewal)
        this.#running = undefined
      })
  }

  /** Waits until the batch that is being handled is over. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #work(): Promise<void> {
    const { db, horizon } = this.#options
    const { types, batch = DEFAULT_BATCH, debounceMs = 0, maxQuietWaitMs = 0 } = this.#consumer
    const cursor = this.#cursor
    if (!cursor.isLeased) {
      const leased = await cursor.acquire()
      if (leased && (leased.needsRebuild || leased.position < leased.removedTo)) {
        await this.#closeGap(leased.position, leased.removedTo)
      }
    }
    while (cursor.position !== undefined && cursor.position < horizon.decided && !this.#stopping.signal.aborted) {
      if (debounceMs > 0) await this.#pause(debounceMs)
      if (maxQuietWaitMs > 0) await this.#waitForQuiet(maxQuietWaitMs)
      const upTo = horizon.decided
      const events = await readLog(db, { after: cursor.position, upTo, limit: batch }, { types })
      const isDone = events.length > 0 && (await this.#deliver(events))
      const reached: number = events.length < batch ? upTo : events.at(-1)!.position
      cursor.position = reached
      if (isDone || cursor.mustStore) await cursor.store(reached)
    }
    if (cursor.position === undefined) return
    if (cursor.mustStore) await cursor.store(cursor.position)
    this.#state = 'up'
  }

  /** Skips the events that were removed from the log, or rebuilds from the current state. */
  async #closeGap(from: number, removedTo: number): Promise<void> {
    const { log, horizon } = this.#options
    const { rebuild } = this.#consumer
    if (rebuild === undefined) {
      log.warn({ consumer: this.name, from, removedTo }, 'a consumer of events skips those that were removed')
      return this.#cursor.store(removedTo, true)
    }
    const reached = Math.max(horizon.decided, removedTo)
    this.#state = 'rebuilding'
    await rebuild()
    await this.#cursor.store(reached, true)
  }

  /**
   * Handles a batch; what fails is handled in halves, so that one event does not hold up the others.
   * @returns whether something was done, so that the position must be stored
   */
  async #deliver(events: readonly LoggedEvent[]): Promise<boolean> {
    if (this.#stopping.signal.aborted) throw new Stopped()
    try {
      const handled = await this.#consumer.handle(events)
      this.#state = 'up'
      return handled !== 'nothing to do'
    } catch (error) {
      if (isTransient(error)) throw error
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

  /** Handles an event again that failed by itself, or makes it a dead letter after the last attempt. */
  async #tryAgain(event: LoggedEvent, error: unknown): Promise<void> {
    const { db, now } = this.#options
    const { attempts = DEFAULT_ATTEMPTS } = this.#consumer
    const attempt = await this.#cursor.countAttempt()
    if (attempt < attempts) {
      await this.#pause(Math.min(100 * 4 ** (attempt - 1), MAX_BACKOFF_MS))
      await this.#deliver([event])
      return
    }
    await storeDeadLetter(db, { consumer: this.name, event, attempts: attempt, error, at: now() })
    this.#state = 'up'
  }

  /** Waits until this process has stopped appending for a moment, for `maxWaitMs` at most. */
  async #waitForQuiet(maxWaitMs: number): Promise<void> {
    const deadline = performance.now() + maxWaitMs
    for (;;) {
      const time = performance.now()
      const quietAt = this.#options.appendedAt() + QUIET_MS
      if (quietAt <= time || deadline <= time) return
      await this.#pause(Math.min(quietAt, deadline) - time)
    }
  }

  /** @throws Stopped */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {
      throw new Stopped()
    })
  }
}
