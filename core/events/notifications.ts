import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import type { CoreTables } from '../db/tables.ts'

const CHANNEL = 'tracker_events'
/** Milliseconds in which one notification tells of several commits. */
const GATHER_MS = 50
/** Milliseconds after which a broken connection is made anew. */
const RECONNECT_MS = 1_000

/** Tells the other processes on a PostgreSQL database that something was appended. */
export interface Notifications {
  /** To be called after the commit: inside the transaction, it would make all commits wait for each other. */
  tell(): void
  stop(): Promise<void>
}

/**
 * Listens on a connection of its own. While it is away, and where a pooler does not pass notifications on, the log's
 * regular looks find what was appended.
 * @param url without a pooler between
 */
export function makeNotifications(
  db: Kysely<CoreTables>,
  url: string,
  log: FastifyBaseLogger,
  heard: () => void
): Notifications {
  const own = crypto.randomUUID()
  let stopped = false
  let client: pg.Client | undefined
  let reconnecting: NodeJS.Timeout | undefined
  let telling: NodeJS.Timeout | undefined
  let told: Promise<unknown> | undefined

  function reconnect(lost: pg.Client): void {
    if (lost !== client || stopped) return
    client = undefined
    lost.end().catch(() => {}) // it is broken already
    reconnecting = setTimeout(connect, RECONNECT_MS).unref()
  }

  async function connect(): Promise<void> {
    const made = new pg.Client({ connectionString: url, application_name: 'tracker events', keepAlive: true })
    client = made
    made.on('error', () => reconnect(made)).on('end', () => reconnect(made))
    made.on('notification', ({ payload }) => {
      if (payload !== own) heard()
    })
    try {
      await made.connect()
      await made.query(`listen ${CHANNEL}`)
      heard() // what was told meanwhile
    } catch (error) {
      log.debug({ err: error }, 'notifications of other processes cannot be heard')
      reconnect(made)
    }
  }
  const connecting = connect()

  return {
    tell() {
      if (stopped) return
      telling ??= setTimeout(() => {
        telling = undefined
        // Nobody needs it after a crash: it does not wait for the disk. Raw: function calls, and no query.
        told = sql`
          select pg_notify(${CHANNEL}, ${own}) from (select set_config('synchronous_commit', 'off', true)) as setting`
          .execute(db)
          .catch((error: unknown) => log.debug({ err: error }, 'other processes could not be notified'))
      }, GATHER_MS)
    },
    async stop() {
      stopped = true
      clearTimeout(telling)
      clearTimeout(reconnecting)
      await Promise.all([connecting, told])
      await client?.end().catch(() => {}) // it may be broken
    }
  }
}
