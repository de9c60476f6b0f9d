import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import type { CoreTables } from '../db/tables.ts'

const CHANNEL = 'tracker_events'
/** What follows the id of a process in the notification that it has released its leases. */
const LEASES_FREE = ' leases free'
/** Milliseconds in which several commits share one notification. */
const GATHER_MS = 50
/** Milliseconds after which a broken connection is made anew. */
const RECONNECT_MS = 1_000

/** Tells the other processes on a PostgreSQL database that something was appended. */
export interface Notifications {
  /** Whether notifications arrive: one that this process sent to itself has. */
  readonly isHearing: boolean
  /** To be called after the commit: inside the transaction, it would make all commits wait for each other. */
  tell(): void
  /** Tells that this process has given its consumers back. */
  tellLeasesFree(): Promise<void>
  stop(): Promise<void>
}

/**
 * Hears of other processes, and tells them. While the connection that listens is away, and where a pooler does not pass
 * notifications on, the log's regular looks find what was appended.
 * @param url without a pooler between
 * @param listeners are called for what other processes do
 */
export function makeNotifications(
  db: Kysely<CoreTables>,
  url: string,
  log: FastifyBaseLogger,
  { onAppended, onLeasesFree }: { onAppended: () => void; onLeasesFree: () => void }
): Notifications {
  const own = crypto.randomUUID()
  let isHearing = false
  let isStopped = false
  let telling: NodeJS.Timeout | undefined
  let told: Promise<unknown> | undefined
  // Nobody needs it after a crash: it does not wait for the disk. Raw: function calls, and no query.
  const notify = (payload: string): Promise<unknown> =>
    sql`
      select pg_notify(${CHANNEL}, ${payload}) from (select set_config('synchronous_commit', 'off', true)) as setting`
      .execute(db)
      .catch((error: unknown) => log.debug({ err: error }, 'other processes could not be notified'))

  const listener = listen(url, log, {
    async onListening() {
      // On another connection: behind a pooler the one that listens would hear itself, and nobody else.
      await notify(own)
      onAppended() // notifications that were missed meanwhile
    },
    onNotification(payload) {
      isHearing = true
      if (payload.startsWith(own)) return
      if (payload.endsWith(LEASES_FREE)) onLeasesFree()
      else onAppended()
    },
    onLost() {
      isHearing = false
    }
  })
  return {
    get isHearing() {
      return isHearing
    },
    tell() {
      if (isStopped) return
      telling ??= setTimeout(() => {
        telling = undefined
        told = notify(own)
      }, GATHER_MS)
    },
    async tellLeasesFree() {
      await notify(own + LEASES_FREE)
    },
    async stop() {
      isStopped = true
      clearTimeout(telling)
      await Promise.all([listener.stop(), told])
    }
  }
}

interface ListenerCallbacks {
  onListening(): Promise<void>
  onNotification(payload: string): void
  onLost(): void
}

/** Listens on a connection of its own, which is made anew when it breaks. */
function listen(
  url: string,
  log: FastifyBaseLogger,
  { onListening, onNotification, onLost }: ListenerCallbacks
): { stop(): Promise<void> } {
  let isStopped = false
  let client: pg.Client | undefined
  let reconnecting: NodeJS.Timeout | undefined

  function reconnect(lost: pg.Client): void {
    if (lost !== client || isStopped) return
    client = undefined
    onLost()
    lost.end().catch(() => {}) // it is broken already
    reconnecting = setTimeout(connect, RECONNECT_MS).unref()
  }

  async function connect(): Promise<void> {
    const made = new pg.Client({ connectionString: url, application_name: 'tracker events', keepAlive: true })
    client = made
    made.on('error', () => reconnect(made)).on('end', () => reconnect(made))
    made.on('notification', ({ payload = '' }) => onNotification(payload))
    try {
      await made.connect()
      await made.query(`listen ${CHANNEL}`)
      await onListening()
    } catch (error) {
      log.debug({ err: error }, 'notifications of other processes cannot be heard')
      reconnect(made)
    }
  }
  const connecting = connect()

  return {
    async stop() {
      isStopped = true
      clearTimeout(reconnecting)
      await connecting
      await client?.end().catch(() => {}) // it may be broken
    }
  }
}
