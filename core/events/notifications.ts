import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { driverUrl } from '../db/database-url.ts'
import type { CoreTables } from '../api/database/types.ts'
import { EVENTS_APPLICATION } from '../db/migrate/servers.ts'

const CHANNEL = 'tracker_events'
/** Suffix of a notification, after the process id: its leases are released. */
const LEASES_FREE = ' leases free'
const GATHER_MS = 50
const RECONNECT_MS = 1_000

interface NotificationsOptions {
  db: Kysely<CoreTables>
  url: string
  log: FastifyBaseLogger
  onAppended(): void
  onLeasesFree(): void
}

/**
 * Between the processes on a PostgreSQL database, on a connection that is reopened when it breaks. Meanwhile, and
 * behind a pooler that does not forward notifications, regular polls find new events.
 */
export class Notifications {
  /** True if notifications arrive: this process has received its own. */
  areArriving = false
  readonly #own = crypto.randomUUID()
  readonly #options: NotificationsOptions
  readonly #connecting: Promise<void>
  #isStopped = false
  #client: pg.Client | undefined
  #reconnecting: NodeJS.Timeout | undefined
  #gathering: NodeJS.Timeout | undefined
  #sent: Promise<unknown> | undefined

  constructor(options: NotificationsOptions) {
    this.#options = options
    this.#connecting = this.#connect()
  }

  /** Call it after the commit: inside transactions, notifications would serialise all commits. */
  notifyAppended(): void {
    if (this.#isStopped) return
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.#sent = this.#notify(this.#own)
    }, GATHER_MS)
  }

  async notifyLeasesFree(): Promise<void> {
    await this.#notify(this.#own + LEASES_FREE)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#gathering)
    clearTimeout(this.#reconnecting)
    await Promise.all([this.#connecting, this.#sent])
    await this.#client?.end().catch(() => {}) // it may be broken
  }

  async #notify(payload: string): Promise<void> {
    const { db, log } = this.#options
    // Without waiting for the disk: after a crash, notifications are useless. Raw: function calls, not a query.
    await sql`
      select pg_notify(${CHANNEL}, ${payload}) from (select set_config('synchronous_commit', 'off', true)) as setting`
      .execute(db)
      .catch((error: unknown) => log.debug({ err: error }, 'other processes could not be notified'))
  }

  async #connect(): Promise<void> {
    const { url, log, onAppended } = this.#options
    const connectionString = driverUrl(url)
    const client = new pg.Client({ connectionString, application_name: EVENTS_APPLICATION, keepAlive: true })
    this.#client = client
    const onLost = () => this.#reconnect(client)
    client.on('error', onLost).on('end', onLost)
    client.on('notification', ({ payload = '' }) => this.#receive(payload))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      // On another connection: behind a pooler, the listening one would receive only its own.
      await this.#notify(this.#own)
      onAppended() // notifications that were missed meanwhile
    } catch (error) {
      log.debug({ err: error }, 'notifications of other processes cannot be received')
      onLost()
    }
  }

  #receive(payload: string): void {
    this.areArriving = true
    if (payload.startsWith(this.#own)) return
    const { onAppended, onLeasesFree } = this.#options
    if (payload.endsWith(LEASES_FREE)) onLeasesFree()
    else onAppended()
  }

  #reconnect(lost: pg.Client): void {
    if (lost !== this.#client || this.#isStopped) return
    this.#client = undefined
    this.areArriving = false
    lost.end().catch(() => {}) // it is broken already
    this.#reconnecting = setTimeout(() => this.#connect(), RECONNECT_MS).unref()
  }
}
