import { Kysely, PostgresIntrospector, PostgresQueryCompiler, sql, type Driver, type Transaction } from 'kysely'
import pg from 'pg'
import { explainConnectError, explainUnusable } from './start-errors.ts'
import { driverUrl } from './database-url.ts'
import type { OpenedDatabase } from './embedded/embedded-pool.ts'
import type { EmbeddedDatabase, EmbeddedDatabaseOptions } from './embedded/embedded.ts'
import { RANDOM_PAGE_COST } from './limits.ts'
import { preparingClient, type PreparingOptions } from './statements/client.ts'
import { queryPlugins } from './statements/query-plugins.ts'
import { JoiningDriver, requestTransaction } from './transactions/request-transaction.ts'
import { retryConflicts } from './transactions/retry.ts'
import {
  leastBusy,
  makeSharedConnections,
  ShortReadDriver,
  type SharedConnection,
  type ShortReadTimeouts
} from './statements/short-reads.ts'
import type { CoreTables, Reader } from '../api/database/types.ts'
import { Turns } from './transactions/turns.ts'
import { DatabaseAdapter } from './adapter.ts'
import type { WorkerConnections, Workers } from './citus/workers.ts'

export interface DatabaseOptions extends Pick<EmbeddedDatabaseOptions, 'dataDir' | 'template' | 'lowMemory'> {
  /** Absent: the embedded database in `dataDir`. */
  url?: string | undefined
  /** Besides the connections of short reads. The embedded database has one. */
  poolSize: number
  shortReadTimeouts?: ShortReadTimeouts | undefined
  embedded?: Promise<EmbeddedDatabase> | undefined
  plainStatements?: boolean | undefined
  onStatement?: PreparingOptions['onStatement']
  onAnswer?: PreparingOptions['onAnswer']
  slowStatements?: PreparingOptions['slowStatements']
  onMaintenanceError?: ((error: unknown) => void) | undefined
  onReadOnly?: ((isReadOnly: boolean, freeBytes: number) => void) | undefined
  /** @param worker host and port */
  onUnreachableWorker?: ((worker: string, error: unknown) => void) | undefined
}

export interface Database {
  readonly kind: 'embedded' | 'postgres'
  /** Undefined: PostgreSQL, or in memory. */
  readonly dataDir: string | undefined
  readonly db: Kysely<CoreTables>
  /** For short reads of one turn of the event loop, which leave in one write. */
  readsTogether(): Reader<CoreTables>
  /** Runs slow work on at most half of the connections. @throws 503 */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  open(): Promise<void>
  connections(): { waiting: number; used: number; most: number }
  shortReadsInFlight(): number
  markDistributed(): Promise<void>
  /** Call it after the start, which needs less space. */
  guardDisk(): Promise<void>
  /** The embedded database as a file for `template`. */
  dump(): Promise<Blob>
  /** While the embedded database stands still: its folder has all that was committed. Requests get a 503 after 5 s. */
  whileStill<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const OID = { int8: 20, int4Array: 1007, date: 1082 } as const
// JSON.parse takes a tenth of the time of pg's parser, and a search reads hundreds of such arrays.
const readIntegers = (text: string) =>
  JSON.parse(text.replaceAll('{', '[').replaceAll('}', ']').replaceAll('NULL', 'null')) as unknown
// Counts fit a number; dates have no time zone and stay text.
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === OID.int8) return Number
  if (oid === OID.date) return String
  if (oid === OID.int4Array && format !== 'binary') return readIntegers
  return pg.types.getTypeParser(oid, format as 'text')
}

export function makeDatabase(options: DatabaseOptions): Database {
  const kind = options.url === undefined ? 'embedded' : 'postgres'
  const Client = preparingClient(options)
  let opened: Promise<OpenedDatabase> | undefined
  let pool: pg.Pool | undefined
  let endMaintenance = () => {}
  const open = () => {
    opened ??= openPool(options, Client).then(async o => {
      pool = o.pool
      if (kind === 'embedded') {
        const { maintainRegularly } = await import('./embedded/maintenance.ts')
        // Only after the first use: the timer alone would open the database.
        endMaintenance = maintainRegularly(db, options.onMaintenanceError ?? (() => {}))
      }
      return o
    })
    return opened
  }
  const adapter = new DatabaseAdapter()
  const db = makeHandle(() => new JoiningDriver({ pool: async () => (await open()).pool }), adapter)
  const shared =
    options.url === undefined || options.plainStatements ? undefined : makeShortReads(options.url, options, Client)
  adapter.shortReads = shared?.reads
  const turns = new Turns(kind === 'embedded' ? 1 : Math.floor(options.poolSize / 2))
  return {
    kind,
    dataDir: kind === 'embedded' ? options.dataDir : undefined,
    db,
    inTurn: work => turns.take(work),
    readsTogether: () => shared?.together() ?? db,
    async open() {
      const { pool } = await open()
      const { url } = options
      if (url === undefined) return
      const client = await pool.connect().catch((error: Error) => {
        throw explainConnectError(error, url)
      })
      client.release()
      await assertUsable(db, url)
    },
    connections: () => connectionsOf(pool),
    shortReadsInFlight: () => shared?.inFlight() ?? 0,
    async markDistributed() {
      adapter.isDistributed = true
      await shared?.distribute()
    },
    async guardDisk() {
      ;(await open()).guardDisk()
    },
    dump: async () => (await open()).dump(),
    whileStill: async work => (await open()).whileStill(work),
    async close() {
      await opened?.catch(() => {}) // its maintenance begins when it is open
      endMaintenance()
      await Promise.all([db.destroy(), shared?.close()])
      await closeOpened(opened ?? options.embedded)
    }
  }
}

/** @throws Error when the server is read-only, or its encoding is not UTF-8 */
async function assertUsable(db: Kysely<CoreTables>, url: string): Promise<void> {
  // Raw: functions.
  const { rows } = await sql<{ isStandby: boolean; isReadOnly: boolean; encoding: string }>`
    select pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only') = 'on' as is_read_only,
      current_setting('server_encoding') as encoding
  `.execute(db)
  const problem = explainUnusable(rows[0]!, url)
  if (problem !== undefined) throw new Error(problem)
}

const connectionsOf = (pool: pg.Pool | undefined): ReturnType<Database['connections']> =>
  pool
    ? { waiting: pool.waitingCount, used: pool.totalCount - pool.idleCount, most: pool.options.max }
    : { waiting: 0, used: 0, most: 0 }

const makeHandle = (createDriver: () => Driver, adapter: DatabaseAdapter) =>
  new Kysely<CoreTables>({
    dialect: {
      createDriver,
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => adapter,
      createIntrospector: db => new PostgresIntrospector(db)
    },
    plugins: queryPlugins
  })

function makeShortReads(url: string, options: DatabaseOptions, Client: ClientClass) {
  const adapter = new DatabaseAdapter()
  const shared = shareConnections(url, options, Client)
  const readsOn = (connections: readonly SharedConnection[]) =>
    makeHandle(() => new ShortReadDriver(connections, () => requestTransaction()?.connection), adapter)
  const reads = readsOn(shared.connections)
  const onEach = new Map(shared.connections.map(connection => [connection, readsOn([connection])]))
  let workers: Workers | undefined
  return {
    reads,
    // On Citus, a session takes long for each statement: several run them concurrently.
    together: () => (workers ? reads : onEach.get(leastBusy(shared.connections))),
    inFlight: () => shared.inFlight() + (workers?.inFlight() ?? 0),
    async distribute() {
      const { makeWorkers } = await import('./citus/workers.ts')
      workers = makeWorkers({
        url,
        coordinator: reads,
        connect: worker => connectWorker(worker, options),
        onUnreachable: options.onUnreachableWorker ?? (() => {})
      })
      adapter.directReads = workers
    },
    async close() {
      await workers?.close()
      await shared.close()
    }
  }
}

function connectWorker(url: string, options: DatabaseOptions): WorkerConnections {
  // With names of its own for prepared statements: the texts are those of its shards.
  const { connections, inFlight, close } = shareConnections(url, options, preparingClient(options))
  // Never in the transaction of a request, which is the coordinator's.
  const createDriver = () => new ShortReadDriver(connections, () => undefined)
  return { reads: makeHandle(createDriver, new DatabaseAdapter()), inFlight, close }
}

function shareConnections(url: string, { shortReadTimeouts }: DatabaseOptions, Client: ClientClass) {
  const connections = makeSharedConnections(Client, connectionConfig(url), shortReadTimeouts)
  return {
    connections,
    inFlight: () => connections.reduce((sum, { inFlight }) => sum + inFlight, 0),
    close: () => Promise.all(connections.map(connection => connection.close()))
  }
}

async function closeOpened(opening: Promise<{ close(): Promise<void> }> | undefined): Promise<void> {
  const opened = await opening?.catch(() => undefined)
  await opened?.close()
}

type ClientClass = ReturnType<typeof preparingClient>
const types = { getTypeParser } as pg.CustomTypesConfig

const connectionConfig = (url: string) => ({
  connectionString: driverUrl(url),
  connectionTimeoutMillis: 10_000,
  // Short statements over few rows: compiling a plan costs more than it saves.
  options: `-c jit=off -c random_page_cost=${RANDOM_PAGE_COST}`,
  application_name: 'tracker',
  types
})

const openPool = (options: DatabaseOptions, Client: ClientClass): Promise<OpenedDatabase> =>
  options.url === undefined ? openEmbeddedPool(options, Client) : openPostgres(options.url, options.poolSize, Client)

async function openEmbeddedPool(options: DatabaseOptions, Client: ClientClass): Promise<OpenedDatabase> {
  const { openEmbedded } = await import('./embedded/embedded.ts')
  const { embeddedPool } = await import('./embedded/embedded-pool.ts')
  return embeddedPool(await (options.embedded ?? openEmbedded(options)), options.onReadOnly, { Client, types })
}

async function onlyEmbedded(): Promise<never> {
  throw new Error('Only an embedded database can be copied; use pg_dump for PostgreSQL.')
}

async function openPostgres(url: string, max: number, Client: ClientClass): Promise<OpenedDatabase> {
  const config = connectionConfig(url)
  const options = `${config.options} -c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000`
  const pool = new pg.Pool({ ...config, options, max, Client })
  // The pool replaces a broken connection, and its statement fails. Without listeners, on the pool for idle connections
  // and on the client for those in use, the error would end the process.
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  return {
    pool,
    guardDisk() {},
    dump: onlyEmbedded,
    whileStill: onlyEmbedded,
    close: async () => {}
  }
}

/** In turn. A transaction holds the lock, because a pooler may give each another session. */
export async function runExclusively<T>({ kind, db }: Database, work: () => Promise<T>): Promise<T> {
  // An embedded database belongs to one process, and `work` needs its only connection.
  if (kind === 'embedded') return work()
  return db.transaction().execute(async trx => {
    // Raw: settings and a function call.
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    await sql`select pg_advisory_xact_lock(hashtext('tracker.start'))`.execute(trx)
    return work()
  })
}

export const transaction = <DB, T>(db: Kysely<DB>, work: (trx: Transaction<DB>) => Promise<T>): Promise<T> =>
  retryConflicts(() => db.transaction().execute(work))
