import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type { Caller } from '../contract.ts'
import type { Database } from '../db/database.ts'
import type { TransactionHandle } from '../db/tables.ts'
import { appendEvents, eventInsert, eventsInsert } from './append.ts'
import {
  addCursors,
  giveBackLeases,
  makeConsumerRunner,
  type BoundConsumer,
  type ConsumerRunner,
  type ConsumerState
} from './consumers.ts'
import type { EventInStatement, EventType, NewEventOfAnyType } from './contract.ts'
import { countDeadLetters } from './dead-letters.ts'
import { makeHorizon, type Horizon } from './horizon.ts'
import { makeNotifications, type Notifications } from './notifications.ts'
import { lastPosition, PARTITION } from './read.ts'

/** Milliseconds between regular looks at the log: they find what nobody told of. */
const POLL_MS = 1_000
/** Seconds for which a consumer is a process's without a sign of life; another one takes it over then. */
const LEASE_SECONDS = 15
/** Least milliseconds between two looks: one serves many commits. What is written after a pause is seen at once. */
const GATHER_MS = 50
/** Most milliseconds between looks while somebody else is appending. */
const MAX_UNDECIDED_MS = 50

export interface EventLogOptions {
  database: Database
  log: FastifyBaseLogger
  /** Whether this process runs consumers. */
  working: boolean
  /** Of PostgreSQL, without a pooler between; absent: the embedded database. */
  directUrl?: string | undefined
  /** Seconds for which a consumer is this process's without a sign of life; default 15. */
  leaseSeconds?: number | undefined
  now: () => Date
}

/** How far behind a consumer is. */
export interface ConsumerLag {
  name: string
  state: ConsumerState | 'behind'
  /** Events of any type in the log that it has not passed yet; an upper bound. */
  events: number
  /** Seconds since the oldest of them happened. */
  seconds: number
}

export interface EventLog {
  readonly horizon: Horizon
  addConsumer(consumer: BoundConsumer): void
  consumer(name: string): ConsumerRunner | undefined
  append(trx: TransactionHandle, type: EventType, caller: Caller, events: readonly NewEventOfAnyType[]): Promise<void>
  /** @returns SQL that appends events, to be a part of a statement of the transaction */
  appending(
    trx: TransactionHandle,
    type: EventType,
    caller: Caller,
    events: EventInStatement | readonly NewEventOfAnyType[]
  ): RawBuilder<unknown>
  /** To be called after the commit of a transaction: what it appended is handled now, not at the next look. */
  committed(trx: TransactionHandle): void
  /** Calls `follow` whenever the horizon has moved, until what it returns is called. */
  onMoved(follow: () => void): () => void
  /** Adds the cursors of new consumers; to be called when the tables are there, by one process at a time. */
  prepare(): Promise<void>
  start(): void
  stop(): Promise<void>
  lags(): Promise<ConsumerLag[]>
  countDeadLetters(): Promise<number>
  /** Whether every consumer has handled all that was committed before. */
  isCaughtUp(): Promise<boolean>
}

interface ConsumerRow {
  name: string
  needsRebuild: boolean
  attempts: number
  events: number
  seconds: number
}

/** Seconds behind after which a consumer counts as being behind. */
const BEHIND_SECONDS = 60

/** The durable event log of this process: appends, and wakes those who follow it. */
export function makeEventLog(options: EventLogOptions): EventLog {
  const { database, log, working, directUrl, leaseSeconds = LEASE_SECONDS, now } = options
  const { db } = database
  const horizon = makeHorizon(database.kind, db)
  const processId = crypto.randomUUID()
  const consumers: BoundConsumer[] = []
  const followers = new Set<() => void>()
  const appendedBy = new WeakSet<object>()
  let runners: ConsumerRunner[] = []
  let notifications: Notifications | undefined
  let appendedAt = -Infinity
  let loop: Promise<void> | undefined
  const stopping = new AbortController()
  /** The horizon that the followers were told of. */
  let toldOf = 0
  let isWoken = false
  let wakeUp = () => {}

  function noteAppending(trx: TransactionHandle, type: EventType): void {
    if (!trx.isTransaction) throw new Error(`${type.name} is emitted outside of a transaction`)
    appendedBy.add(trx)
  }

  function wake(): void {
    isWoken = true
    wakeUp()
  }

  /** Until it is woken, `ms` at most. */
  function waitForWake(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    wakeUp = () => {
      clearTimeout(timer)
      resolve()
    }
    return promise
  }

  async function follow(): Promise<void> {
    let undecidedMs = 1
    let tookOverAt = -Infinity
    while (!stopping.signal.aborted) {
      isWoken = false
      if (working || followers.size > 0) {
        try {
          await horizon.refresh()
        } catch (error) {
          log.debug({ err: error }, 'the event log could not be looked at')
          for (const runner of runners) runner.forgetPosition()
        }
        const isTurn = performance.now() - tookOverAt >= POLL_MS
        if (isTurn) tookOverAt = performance.now()
        if (working) for (const runner of runners) runner.start(isTurn)
        if (horizon.decided !== toldOf) for (const moved of followers) moved()
        toldOf = horizon.decided
      }
      undecidedMs = horizon.isComplete ? 1 : Math.min(undecidedMs * 2, MAX_UNDECIDED_MS)
      if (isWoken) await sleep(GATHER_MS)
      else if (!stopping.signal.aborted) await waitForWake(horizon.isComplete ? POLL_MS : undecidedMs)
    }
  }

  return {
    horizon,
    addConsumer(consumer) {
      if (consumers.some(({ name }) => name === consumer.name)) {
        throw new Error(`there are two consumers '${consumer.name}': choose another name`)
      }
      consumers.push(consumer)
    },
    consumer: name => runners.find(runner => runner.name === name),
    async append(trx, type, caller, events) {
      if (events.length === 0) return
      noteAppending(trx, type)
      await appendEvents(trx, type, caller, events, now())
    },
    appending(trx, type, caller, events) {
      noteAppending(trx, type)
      return 'from' in events ? eventInsert(type, caller, events, now()) : eventsInsert(type, caller, events, now())
    },
    committed(trx) {
      if (!appendedBy.has(trx)) return
      appendedAt = performance.now()
      wake()
      notifications?.tell()
    },
    onMoved(follow) {
      followers.add(follow)
      toldOf = 0
      wake()
      return () => followers.delete(follow)
    },
    async prepare() {
      await horizon.refresh()
      await addCursors(db, consumers, await lastPosition(db, Number.MAX_SAFE_INTEGER))
      runners = consumers.map(consumer =>
        makeConsumerRunner(consumer, { db, log, horizon, processId, leaseSeconds, now, appendedAt: () => appendedAt })
      )
    },
    start() {
      if (directUrl !== undefined) {
        notifications = makeNotifications(db, directUrl, log, wake)
      }
      loop = follow()
    },
    async stop() {
      stopping.abort()
      wake()
      await Promise.all([loop, notifications?.stop(), ...runners.map(runner => runner.stop())])
      if (!working || loop === undefined) return
      await giveBackLeases(db, processId).catch((error: unknown) =>
        log.warn({ err: error }, 'the leases of consumers could not be given back: they run out')
      )
    },
    async lags() {
      // Raw: its sums and times are expressions that a builder takes as raw SQL, too.
      const { rows } = await sql<ConsumerRow>`
        select c.name, c.needs_rebuild, c.attempts,
          greatest(0, coalesce((
            select max(position) from event e where e.partition = c.partition), 0) - c.position) as events,
          coalesce((
            select greatest(0, extract(epoch from ${now()}::timestamptz - e.at))::float8 from event e
            where e.partition = c.partition and e.position > c.position order by e.position limit 1), 0) as seconds
        from event_consumer c
        where c.partition = ${PARTITION} and c.name = any(${consumers.map(({ name }) => name)}::text[])
        order by c.name`.execute(db)
      return rows.map(({ name, events, seconds, needsRebuild, attempts }) => {
        const runner = runners.find(runner => runner.name === name)
        // What it passed without storing that, because nothing in it was for it, is no lag.
        const hasPassed = runner?.position !== undefined && runner.position >= horizon.decided
        const state = needsRebuild ? 'rebuilding' : attempts > 0 ? 'failing' : (runner?.state ?? 'up')
        return {
          name,
          state: state === 'up' && !hasPassed && seconds > BEHIND_SECONDS ? ('behind' as const) : state,
          events: hasPassed ? 0 : events,
          seconds: hasPassed ? 0 : seconds
        }
      })
    },
    countDeadLetters: () => countDeadLetters(db),
    async isCaughtUp() {
      await horizon.refresh()
      if (!horizon.isComplete || runners.some(runner => runner.isRunning)) return false
      const stored = await db
        .selectFrom('eventConsumer')
        .select(['name', 'position', 'needsRebuild'])
        .where('partition', '=', PARTITION)
        .execute()
      return runners.every(({ name, position }) => {
        const row = stored.find(row => row.name === name)
        return row !== undefined && !row.needsRebuild && (position ?? row.position) >= horizon.decided
      })
    }
  }
}
