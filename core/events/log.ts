import type { FastifyBaseLogger } from 'fastify'
import type { RawBuilder } from 'kysely'
import { lineOfEvent } from '../audit/lines.ts'
import type { Caller, Trace } from '../api/contract.ts'
import type { Database } from '../db/database.ts'
import { onCommit } from '../db/transactions/request-transaction.ts'
import type { TransactionHandle } from '../api/database/types.ts'
import { appendEvents, eventInsert, eventsInsert } from './append.ts'
import { makeTurns } from '../../lib/util/in-turn.ts'
import { addCursors, releaseLeases, renewalMsOf, type CursorOptions } from './consumers/consumer-cursor.ts'
import { ConsumerRunner, type BoundConsumer } from './consumers/consumers.ts'
import type { EventInStatement, EventType, NewEventOfAnyType } from './contract.ts'
import { countDeadLetters } from './consumers/dead-letters.ts'
import { LogFollower } from './follower.ts'
import { makeHorizon, type Horizon } from './horizon.ts'
import { readLags } from './consumers/lag.ts'
import { Notifications } from './notifications.ts'
import { lastPosition } from './read.ts'

/** Seconds after which a lease on a consumer expires unless it is renewed: then another process may acquire it. */
const LEASE_SECONDS = 15
const MAX_TURN_MS = 60_000

type Subject = Pick<NewEventOfAnyType, 'subjectId' | 'accountId' | 'data'>

interface EventLogOptions {
  database: Database
  log: FastifyBaseLogger
  working: boolean
  /** A PostgreSQL URL without a pooler; absent: the embedded database. */
  directUrl?: string | undefined
  leaseSeconds?: number | undefined
  trace?: Trace | undefined
  now: () => Date
}

export type EventLog = ReturnType<typeof makeEventLog>

export function makeEventLog(options: EventLogOptions) {
  const { database, log, leaseSeconds = LEASE_SECONDS, trace, now } = options
  const { db } = database
  const horizon = makeHorizon(database.kind, db)
  const consumers: BoundConsumer[] = []
  let runners: ConsumerRunner[] = []
  let appendedAt = -Infinity
  const leases = { db, processId: crypto.randomUUID(), leaseSeconds }
  const following = makeFollowing(options, horizon, leases, () => runners)
  const { follower } = following

  function noteAppending(trx: TransactionHandle, type: EventType, caller: Caller, appended: readonly Subject[]): void {
    if (!trx.isTransaction) throw new Error(`${type.name} is emitted outside of a transaction`)
    const lines = type.logged ? appended.map(event => lineOfEvent(type, caller, event)) : []
    onCommit(trx, () => {
      for (const line of lines) log.info(line, 'security event')
      appendedAt = performance.now()
      follower.wake()
      following.notifyOthers()
    })
  }

  return {
    horizon,
    addConsumer(consumer: BoundConsumer): void {
      assertNewName(consumer, consumers)
      consumers.push(consumer)
    },
    consumer: (name: string) => runners.find(runner => runner.name === name),
    /** The events of a transaction are handled at its commit, not at the next poll. */
    async append(trx: TransactionHandle, type: EventType, caller: Caller, events: readonly NewEventOfAnyType[]) {
      if (events.length === 0) return
      noteAppending(trx, type, caller, events)
      await appendEvents(trx, type, caller, events, now())
    },
    /** @returns SQL that appends events, for `writeTogether` in the transaction */
    async appending(
      trx: TransactionHandle,
      type: EventType,
      caller: Caller,
      events: EventInStatement | readonly NewEventOfAnyType[]
    ): Promise<RawBuilder<unknown>> {
      noteAppending(trx, type, caller, 'subjectId' in events ? [events] : events)
      const appended = { type, caller, at: now() }
      return 'subjectId' in events ? eventInsert(appended, events) : eventsInsert(appended, events)
    },
    onMoved: (listen: () => void) => follower.onMoved(listen),
    /** Adds the cursors of new consumers, after the migrations; by one process at a time. */
    async prepare(): Promise<void> {
      await horizon.refresh()
      await addCursors(db, consumers, await lastPosition(db, Number.MAX_SAFE_INTEGER))
      const shared = { ...leases, log, horizon, now, appendedAt: () => appendedAt, inTurn: makeTurns(MAX_TURN_MS) }
      runners = consumers.map(consumer => new ConsumerRunner(trace ? traced(consumer, trace) : consumer, shared))
    },
    start: () => following.start(),
    stop: () => following.stop(),
    lags: (of?: string) => readLags(db, consumers, { of, runners, horizon, now: now() }),
    countDeadLetters: () => countDeadLetters(db)
  }
}

const traced = (consumer: BoundConsumer, trace: Trace): BoundConsumer => ({
  ...consumer,
  handle: events => trace(`consumer ${consumer.name}`, () => consumer.handle(events))
})

function makeFollowing(
  { database: { db }, log, working, directUrl }: EventLogOptions,
  horizon: Horizon,
  leases: CursorOptions,
  runners: () => readonly ConsumerRunner[]
) {
  let notifications: Notifications | undefined
  const follower = new LogFollower({
    horizon,
    log,
    working,
    runners,
    renewLeases: () => ConsumerRunner.renewLeases(runners(), leases),
    renewalMs: renewalMsOf(leases),
    // No other process has the embedded database.
    isNotified: () => directUrl === undefined || (notifications?.areArriving ?? false)
  })
  return {
    follower,
    notifyOthers: () => notifications?.notifyAppended(),
    start(): void {
      if (directUrl !== undefined) {
        notifications = new Notifications({
          db,
          url: directUrl,
          log,
          onAppended: () => follower.wake(),
          onLeasesFree: () => follower.takeOver()
        })
      }
      follower.start()
    },
    async stop(): Promise<void> {
      await Promise.all([follower.stop(), ...runners().map(runner => runner.stop())])
      if (working && follower.hasStarted) {
        await releaseLeases(db, leases.processId, log)
        await notifications?.notifyLeasesFree()
      }
      await notifications?.stop()
    }
  }
}

function assertNewName({ name }: BoundConsumer, consumers: readonly BoundConsumer[]): void {
  if (consumers.some(consumer => consumer.name === name)) {
    throw new Error(`there are two consumers '${name}': choose another name`)
  }
}
