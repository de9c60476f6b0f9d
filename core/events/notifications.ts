import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { driverUrl } from '../db/database-url.ts'
import type { CoreTables } from '../api/database/types.ts'
import { EVENTS_APPLICATION } from '../db/migrate/servers.ts'

const CHANNEL = 'tracker_events'
/** Suffix of a notification, after the process id: its leases are released. */
const LEASES_FREE = ' leases free'
/** Milliseconds in which several commits share one notification. */
const GATHER_MS = 50
/** Milliseconds before a broken connection is reopened. */
const RECONNECT_MS = 1_000

/** Notifications between the processes on a PostgreSQL database. */
export interface Notifications {
  /** True if notifications arrive: this process has received its own. */
  readonly areArriving: boolean
  /**
   * Notifies the others of appended events. Call it after the commit: inside transactions, notifications would
   * serialise all commits.
   */
  notifyAppended(): void
  /** Notifies the others that this process has released its leases. */
  notifyLeasesFree(): Promise<void>
  stop(): Promise<void>
}

/**
 * Sends and receives notifications. While the connection is broken, and behind a pooler that does not forward
 * notifications, the regular polls find new events.
 * @param url without a pooler
 * @param listeners called for notifications of other processes
 */
export function makeNotifications(
  db: Kysely<CoreTables>,
  url: string,
  log: FastifyBaseLogger,
  { onAppended, onLeasesFree }: { onAppended: () => void; onLeasesFree: () => void }
): Notifications {
  const own = crypto.randomUUID()
  let areArriving = false
  let isStopped = false
  let gathering: NodeJS.Timeout | undefined
  let sent: Promise<unknown> | undefined
  // Without waiting for the disk: after a crash, notifications are useless. Raw: function calls, not a query.
  const notify = (payload: string): Promise<unknown> =>
    sql`
      select pg_notify(${CHANNEL}, ${payload}) from (select set_config('synchronous_commit', 'off', true)) as setting`
      .execute(db)
      .catch((error: unknown) => log.debug({ err: error }, 'other processes could not be notified'))

  const listener = listen(url, log, {
    async onListening() {
      // On another connection: behind a pooler, the listening one would receive only its own.
      await notify(own)
      onAppended() // notifications that were missed meanwhile
    },
    onNotification(payload) {
      areArriving = true
      if (payload.startsWith(own)) return
      if (payload.endsWith(LEASES_FREE)) onLeasesFree()
      else onAppended()
    },
    onLost() {
      areArriving = false
    }
  })
  return {
    get areArriving() {
      return areArriving
    },
    notifyAppended() {
      if (isStopped) return
      gathering ??= setTimeout(() => {
        gathering = undefined
        sent = notify(own)
      }, GATHER_MS)
    },
    async notifyLeasesFree() {
      await notify(own + LEASES_FREE)
    },
    async stop() {
      isStopped = true
      clearTimeout(gathering)
      await Promise.all([listener.stop(), sent])
    }
  }
}

interface ListenerCallbacks {
  onListening(): Promise<void>
  onNotification(payload: string): void
  onLost(): void
}

/** Listens on a separate connection, which is reopened when it breaks. */
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
    const connectionString = driverUrl(url)
    const connection = new pg.Client({ connectionString, application_name: EVENTS_APPLICATION, keepAlive: true })
    client = connection
    connection.on('error', () => reconnect(connection)).on('end', () => reconnect(connection))
    connection.on('notification', ({ payload = '' }) => onNotification(payload))
    try {
      await connection.connect()
      await connection.query(`listen ${CHANNEL}`)
      await onListening()
    } catch (error) {
      log.debug({ err: error }, 'notifications of other processes cannot be received')
      reconnect(connection)
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
