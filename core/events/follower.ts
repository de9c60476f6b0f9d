import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { ConsumerRunner } from './consumers.ts'
import type { Horizon } from './horizon.ts'

/** Milliseconds between regular looks at the log: they find what nobody told of. */
const POLL_MS = 1_000
/** Least milliseconds between two looks: one serves many commits. What is written after a pause is seen at once. */
const GATHER_MS = 50
/** Most milliseconds between looks while somebody else is appending. */
const MAX_UNDECIDED_MS = 50

export interface LogFollowerOptions {
  horizon: Horizon
  log: FastifyBaseLogger
  /** Whether this process runs consumers. */
  working: boolean
  runners: () => readonly ConsumerRunner[]
}

/** Looks at the log as long as somebody needs that: starts the consumers, and tells that the horizon has moved. */
export class LogFollower {
  readonly #options: LogFollowerOptions
  readonly #listeners = new Set<() => void>()
  #loop: Promise<void> | undefined
  #isStopping = false
  /** The horizon that the listeners were told of. */
  #toldOf = 0
  #tookOverAt = -Infinity
  #isWoken = false
  #endWait = () => {}

  constructor(options: LogFollowerOptions) {
    this.#options = options
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

  /** Has it look soon. */
  wake(): void {
    this.#isWoken = true
    this.#endWait()
  }

  /** Calls `listen` whenever the horizon has moved, until what it returns is called. */
  onMoved(listen: () => void): () => void {
    this.#listeners.add(listen)
    this.#toldOf = 0
    this.wake()
    return () => this.#listeners.delete(listen)
  }

  async #follow(): Promise<void> {
    const { horizon, working } = this.#options
    let undecidedMs = 1
    while (!this.#isStopping) {
      this.#isWoken = false
      if (working || this.#listeners.size > 0) await this.#look()
      undecidedMs = horizon.isComplete ? 1 : Math.min(undecidedMs * 2, MAX_UNDECIDED_MS)
      if (this.#isWoken) await sleep(GATHER_MS)
      else if (!this.#isStopping) await this.#waitForWake(horizon.isComplete ? POLL_MS : undecidedMs)
    }
  }

  async #look(): Promise<void> {
    const { horizon, log, working, runners } = this.#options
    try {
      await horizon.refresh()
    } catch (error) {
      log.debug({ err: error }, 'the event log could not be looked at')
      for (const runner of runners()) runner.forgetPosition()
    }
    const isTurn = performance.now() - this.#tookOverAt >= POLL_MS
    if (isTurn) this.#tookOverAt = performance.now()
    if (working) for (const runner of runners()) runner.start(isTurn)
    if (horizon.decided !== this.#toldOf) for (const listen of this.#listeners) listen()
    this.#toldOf = horizon.decided
  }

  /** Until it is woken, `ms` at most. */
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
