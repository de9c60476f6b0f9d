import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely } from 'kysely'
import type { CoreTables } from '../db/tables.ts'
import { toApiError } from '../errors.ts'
import type { ConsumerOptions, Handled, LoggedEvent } from './contract.ts'
import { putAside } from './dead-letters.ts'
import type { Horizon } from './horizon.ts'
import { PARTITION, readLog } from './read.ts'

const DEFAULT_BATCH = 100
const DEFAULT_ATTEMPTS = 5
/** Milliseconds after which a position is stored that only passed events about which there was nothing to do. */
const STORE_PASSED_MS = 1_000
/** Milliseconds without an append that are a quiet moment. */
const QUIET_MS = 100
const MAX_BACKOFF_MS = 30_000

/** A consumer, bound to the context of its plugin. */
export interface BoundConsumer extends ConsumerOptions {
  /** `plugin/name` */
  readonly name: string
  /** The names of the types that it handles; undefined: all. */
  readonly types: readonly string[] | undefined
  /** Undefined: what is gone is passed over. */
  readonly rebuild: (() => Promise<void>) | undefined
  handle(events: readonly LoggedEvent[]): Promise<Handled>
}

export interface ConsumerRunnerOptions {
  db: Kysely<CoreTables>
  log: FastifyBaseLogger
  horizon: Horizon
  /** Of this process, which has leases under this name. */
  processId: string
  leaseSeconds: number
  now: () => Date
  /** When this process appended last, by `performance.now()`. */
  appendedAt: () => number
}

/** How a consumer is doing, as far as this process knows. */
export type ConsumerState = 'up' | 'rebuilding' | 'failing'

/** Runs one consumer, as long as this process has it. */
export interface ConsumerRunner {
  readonly name: string
  readonly state: ConsumerState
  /** How far it came; undefined while another process has it. */
  readonly position: number | undefined
  readonly isRunning: boolean
  /** Begins to work up to the horizon, unless it is at work. */
  start(takeOver: boolean): void
  handle(events: readonly LoggedEvent[]): Promise<Handled>
  /** The database may have forgotten what was not stored: the position is read again. */
  forgetPosition(): void
  /** Waits until the batch that is being handled is over. */
  stop(): Promise<void>
}

/** The database is away or full: no fault of the events. */
const isTransient = (error: unknown): boolean => toApiError(error)?.statusCode === 503

/** The server stops, or another process has the consumer now. */
class Stopped extends Error {}

export function makeConsumerRunner(consumer: BoundConsumer, options: ConsumerRunnerOptions): ConsumerRunner {
  const { db, log, horizon, processId, leaseSeconds, now, appendedAt } = options
  const renewalMs = (leaseSeconds * 1000) / 3
  const leaseEnd = sql<Date>`now() + make_interval(secs => ${sql.lit(leaseSeconds)})`
  const {
    name,
    types,
    rebuild,
    batch = DEFAULT_BATCH,
    attempts = DEFAULT_ATTEMPTS,
    gatherMs = 0,
    maxQuietWaitMs = 0
  } = consumer
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let state: ConsumerState = 'up'
  let position: number | undefined
  let storedPosition: number | undefined
  /** By `performance.now()`: until when the lease is certainly this process's, and when the position was stored. */
  let leasedUntil = -Infinity
  let storedAt = -Infinity

  /** Takes or renews the lease. @returns undefined while another process has it */
  async function lease(): Promise<{ position: number; needsRebuild: boolean; removedTo: number } | undefined> {
    const asked = performance.now()
    // Raw: a lease by the clock of the database.
    const { rows } = await sql<{ position: number; needsRebuild: boolean; removedTo: number }>`
      update event_consumer c set leased_by = ${processId}, leased_until = ${leaseEnd}
      from event_partition p
      where c.name = ${name} and c.partition = ${PARTITION} and p.partition = c.partition
        and (c.leased_by = ${processId} or c.leased_until < now())
      returning c.position, c.needs_rebuild, p.removed_to`.execute(db)
    if (rows[0]) leasedUntil = asked + leaseSeconds * 1000 - renewalMs
    return rows[0]
  }

  /** Stores how far it came. @throws Stopped when the lease is another process's by now */
  async function store(reached: number, isRebuilt = false): Promise<void> {
    const asked = performance.now()
    const { numUpdatedRows } = await db
      .updateTable('eventConsumer')
      .set({ position: reached, attempts: 0, leasedUntil: leaseEnd, ...(isRebuilt && { needsRebuild: false }) })
      .where('name', '=', name)
      .where('partition', '=', PARTITION)
      .where('leasedBy', '=', processId)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new Stopped()
    position = storedPosition = reached
    storedAt = asked
    leasedUntil = asked + leaseSeconds * 1000 - renewalMs
  }

  /** Whether it passed events a while ago and has not stored that: other processes tell the lag by what is stored. */
  const mustStore = (): boolean => position !== storedPosition && performance.now() - storedAt > STORE_PASSED_MS

  /** Counts a failed attempt at the next event, for whichever process makes the next one. @throws Stopped as `store` */
  async function countAttempt(): Promise<number> {
    const row = await db
      .updateTable('eventConsumer')
      .set(eb => ({ attempts: eb('attempts', '+', 1) }))
      .where('name', '=', name)
      .where('partition', '=', PARTITION)
      .where('leasedBy', '=', processId)
      .returning('attempts')
      .executeTakeFirst()
    if (row === undefined) throw new Stopped()
    return row.attempts
  }

  /** Gives those who go on writing the time, but not for ever. */
  async function waitForQuiet(): Promise<void> {
    const deadline = performance.now() + maxQuietWaitMs
    for (;;) {
      const time = performance.now()
      const quietAt = appendedAt() + QUIET_MS
      if (quietAt <= time || deadline <= time) return
      await pause(Math.min(quietAt, deadline) - time)
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: stopping.signal }).catch(() => {
      throw new Stopped()
    })
  }

  /**
   * Handles a batch; what fails is handled in halves, so that one event does not hold up the others.
   * @returns whether something was done, so that the position must be stored
   */
  async function deliver(events: readonly LoggedEvent[]): Promise<boolean> {
    if (stopping.signal.aborted) throw new Stopped()
    try {
      const handled = await consumer.handle(events)
      state = 'up'
      return handled !== 'nothing to do'
    } catch (error) {
      if (isTransient(error)) throw error
      state = 'failing'
      log.error({ err: error, consumer: name, events: events.length }, 'events could not be handled')
      if (events.length > 1) {
        const half = Math.ceil(events.length / 2)
        await deliver(events.slice(0, half))
        await store(events[half - 1]!.position)
        await deliver(events.slice(half))
      } else await tryAgain(events[0]!, error)
      return true
    }
  }

  /** Handles an event again that failed by itself, or puts it aside. */
  async function tryAgain(event: LoggedEvent, error: unknown): Promise<void> {
    const attempt = await countAttempt()
    if (attempt < attempts) {
      await pause(Math.min(100 * 4 ** (attempt - 1), MAX_BACKOFF_MS))
      await deliver([event])
      return
    }
    await putAside(db, { consumer: name, event, attempts: attempt, error, at: now() })
    state = 'up'
  }

  async function closeGap(from: number, removedTo: number): Promise<void> {
    if (rebuild === undefined) {
      log.warn({ consumer: name, from, removedTo }, 'a consumer of events passes over those that were removed')
      return store(removedTo, true)
    }
    const reached = Math.max(horizon.decided, removedTo)
    state = 'rebuilding'
    await rebuild()
    await store(reached, true)
  }

  async function work(): Promise<void> {
    if (position === undefined || performance.now() >= leasedUntil) {
      const leased = await lease()
      position = storedPosition = leased?.position
      if (leased && (leased.needsRebuild || leased.position < leased.removedTo)) {
        await closeGap(leased.position, leased.removedTo)
      }
    }
    while (position !== undefined && position < horizon.decided && !stopping.signal.aborted) {
      if (gatherMs > 0) await pause(gatherMs)
      if (maxQuietWaitMs > 0) await waitForQuiet()
      const upTo = horizon.decided
      const events = await readLog(db, { after: position, upTo, limit: batch }, { types })
      const isDone = events.length > 0 && (await deliver(events))
      const reached: number = events.length < batch ? upTo : events.at(-1)!.position
      position = reached
      if (isDone || mustStore()) await store(reached)
    }
    if (position !== undefined && mustStore()) await store(position)
    if (position !== undefined) state = 'up'
  }

  return {
    name,
    get state() {
      return state
    },
    get position() {
      return position
    },
    get isRunning() {
      return running !== undefined
    },
    start(takeOver) {
      if (running || stopping.signal.aborted) return
      const isIdle = position !== undefined && position >= horizon.decided && performance.now() < leasedUntil
      if (position === undefined ? !takeOver : isIdle && !mustStore()) return
      const renewal = setInterval(() => {
        lease().catch((error: unknown) => log.warn({ err: error, consumer: name }, 'a lease could not be renewed'))
      }, renewalMs)
      running = work()
        .catch((error: unknown) => {
          // The position is read again, and the batch with it.
          position = undefined
          if (error instanceof Stopped) return
          state = 'failing'
          log.warn({ err: error, consumer: name }, 'a consumer of events was interrupted, and goes on')
        })
        .finally(() => {
          clearInterval(renewal)
          running = undefined
        })
    },
    handle: events => consumer.handle(events),
    forgetPosition() {
      leasedUntil = -Infinity
    },
    async stop() {
      stopping.abort()
      await running
    }
  }
}

/** A consumer that is new begins at the end of the log, and builds what it needs of what was there before. */
export async function addCursors(
  db: Kysely<CoreTables>,
  consumers: ReadonlyArray<Pick<BoundConsumer, 'name' | 'rebuild'>>,
  end: number
): Promise<void> {
  if (consumers.length === 0) return
  await db
    .insertInto('eventConsumer')
    .values(
      consumers.map(({ name, rebuild }) => ({
        name,
        partition: PARTITION,
        position: end,
        needsRebuild: rebuild !== undefined,
        leasedBy: null,
        leasedUntil: sql<Date>`'-infinity'`
      }))
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Lets other processes take the consumers of this one at once. */
export async function giveBackLeases(db: Kysely<CoreTables>, processId: string): Promise<void> {
  await db
    .updateTable('eventConsumer')
    .set({ leasedBy: null, leasedUntil: sql<Date>`'-infinity'` })
    .where('leasedBy', '=', processId)
    .execute()
}
