import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { ConsumerRunner } from './consumers/consumers.ts'
import type { Horizon } from './horizon.ts'

/** Milliseconds between polls of the log: they find events whose notification was lost. */
const POLL_MS = 1_000
const MAX_IDLE_POLL_MS = 5_000
/** Minimum milliseconds between two polls: one serves many commits. An event after a pause is read at once. */
const GATHER_MS = 50
/** Maximum milliseconds between polls while another transaction is appending. */
const MAX_UNDECIDED_MS = 50

interface LogFollowerOptions {
  horizon: Horizon
  log: FastifyBaseLogger
  working: boolean
  runners: () => readonly ConsumerRunner[]
  /** Renews the leases of idle consumers. @returns the names of consumers on which no process holds a lease */
  renewLeases: () => Promise<ReadonlySet<string>>
  renewalMs: number
  isNotified: () => boolean
}

/** Polls the log while there are consumers or listeners: starts the consumers, and calls the listeners. */
export class LogFollower {
  readonly #options: LogFollowerOptions
  readonly #pollMs: number
  readonly #idlePollMs: number
  readonly #listeners = new Set<() => void>()
  #loop: Promise<void> | undefined
  #isStopping = false
  #notifiedUpTo = 0
  #renewedAt = -Infinity
  #hasPolled = false
  #isWoken = false
  #endWait = () => {}

  constructor(options: LogFollowerOptions) {
    this.#options = options
    this.#pollMs = Math.min(POLL_MS, options.renewalMs)
    this.#idlePollMs = Math.min(MAX_IDLE_POLL_MS, options.renewalMs)
  }

  get hasStarted(): boolean {
    return this.#loop !== undefined
  }

  start(): void {
    this.#loop = this.#follow()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.wake()
    await this.#loop
  }

  wake(): void {
    this.#isWoken = true
    this.#endWait()
  }

  /** Polls soon, and takes over consumers without a lease. */
  takeOver(): void {
    this.#renewedAt = -Infinity
    this.wake()
  }

  onMoved(listen: () => void): () => void {
    this.#listeners.add(listen)
    this.#notifiedUpTo = 0
    this.wake()
    return () => this.#listeners.delete(listen)
  }

  async #follow(): Promise<void> {
    const { horizon, working } = this.#options
    let undecidedMs = 1
    while (!this.#isStopping) {
      this.#isWoken = false
      const gatheredAt = performance.now() + GATHER_MS
      if (working || this.#listeners.size > 0) await this.#poll()
      const isComplete = horizon.decided === horizon.assigned
      undecidedMs = isComplete ? 1 : Math.min(undecidedMs * 2, MAX_UNDECIDED_MS)
      if (!this.#isWoken) await this.#waitForWake(isComplete ? this.#waitMs() : undecidedMs)
      const restMs = gatheredAt - performance.now()
      if (this.#isWoken && !this.#isStopping && restMs > 0) await sleep(restMs)
    }
  }

  #waitMs(): number {
    const { isNotified, runners } = this.#options
    const isIdle = this.#hasPolled && isNotified() && runners().every(runner => runner.isSettled)
    return isIdle ? this.#idlePollMs : this.#pollMs
  }

  async #poll(): Promise<void> {
    const { horizon, log, working, runners, renewLeases } = this.#options
    let free: ReadonlySet<string> = new Set()
    try {
      await horizon.refresh()
      if (working && performance.now() - this.#renewedAt >= this.#idlePollMs) {
        this.#renewedAt = performance.now()
        free = await renewLeases()
      }
      this.#hasPolled = true
    } catch (error) {
      this.#hasPolled = false
      this.#renewedAt = -Infinity
      log.debug({ err: error }, 'the event log could not be polled')
      for (const runner of runners()) runner.forgetPosition()
    }
    if (working) for (const runner of runners()) runner.start(free.has(runner.name))
    if (horizon.decided !== this.#notifiedUpTo) for (const listen of this.#listeners) listen()
    this.#notifiedUpTo = horizon.decided
  }

  #waitForWake(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#endWait = () => {
      clearTimeout(timer)
      resolve()
    }
    return promise
  }
}
