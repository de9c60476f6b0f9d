import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { configure } from '../../core/config/config.ts'
import { DirectoryInUse, holdDirectory } from '../../core/db/embedded/directory-lock.ts'
import { distributeTables, type DistributeOptions } from '../../core/db/citus/distribute.ts'
import { openEmbedded, type EmbeddedDatabase } from '../../core/db/embedded/embedded.ts'
import { placementsOf } from '../../core/db/citus/placement.ts'
import { build, type Server } from '../../core/kernel/server.ts'
import { newToken } from '../../core/auth/tokens.ts'
import { installed } from '../../plugins/index.ts'

/*
 * Tests begin with a copy of a database with all tables and no rows. It is made once per machine and state of the
 * migrations, by the first test process that needs it while the others wait.
 */

/** Milliseconds after which an unused template is removed. */
const UNUSED_FOR_MS = 24 * 3600 * 1000
/** Milliseconds between checks for a template that another process makes. */
const LOOK_EVERY_MS = 100

const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

/** The name of the template for the project in `root`: a hash of everything that a migrated database depends on. */
export function templateName(root = projectRoot): string {
  const hash = createHash('sha256')
  const files = [
    'package-lock.json',
    'test/runner/templates.{ts,js}',
    'core/jobs/jobs.{ts,js}',
    'core/db/*.{ts,js}',
    'core/db/{embedded,migrate,statements,transactions}/*.{ts,js}',
    'plugins/*/index.{ts,js}'
  ]
  for (const file of globSync([...files, '{core/db,plugins/*}/migrations/*.{ts,js}'], { cwd: root }).sort()) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return `tracker_template_${hash.digest('hex').slice(0, 16)}`
}

/** A server of all plugins with all tables, without the workspace of a first start. */
async function migratedServer(databaseUrl?: string): Promise<Server> {
  const configuration = await configure(installed, {
    logLevel: 'silent',
    jobs: false,
    ...(databaseUrl !== undefined && { databaseUrl }),
    plugins: {
      ...Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: true }])),
      workspace: { enabled: true, adminToken: newToken() }
    }
  })
  const server = await build({ configuration, logger: pino({ level: 'silent' }), database: { dataDir: undefined } })
  // Recycled log files would be a quarter of each copy.
  if (databaseUrl === undefined) await sql`set wal_recycle = off`.execute(server.database.db)
  await server.migrate()
  return server
}

/**
 * The file of the dumped migrated embedded database.
 * @param folder its folder
 * @param make makes the dump; called by one process at a time, and only if it is missing
 */
export async function embeddedTemplate(
  folder = join(tmpdir(), 'tracker-templates'),
  make: () => Promise<Uint8Array> = dumpOfMigrated
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${templateName()}.tar`)
  for (;;) {
    // The time of the file shows that it is in use.
    if (await succeeds(utimes(path, new Date(), new Date()))) return path
    // Held until this process ends, even by a kill: then another one goes on.
    const release = await holdDirectory(folder).catch((error: unknown) => {
      if (!(error instanceof DirectoryInUse)) throw error
    })
    if (release === undefined) {
      await sleep(LOOK_EVERY_MS)
      continue
    }
    try {
      if (await succeeds(stat(path))) continue
      await removeUnused(folder)
      const unfinished = `${path}.${process.pid}`
      await writeFile(unfinished, await make())
      await rename(unfinished, path)
    } finally {
      await release()
    }
  }
}

async function dumpOfMigrated(): Promise<Uint8Array> {
  const server = await migratedServer()
  const { db } = server.database
  try {
    // Each test reads the whole dump. No test creates a database from the two templates, so they are left out.
    await sql`update pg_database set datistemplate = false where datname in ('template0', 'template1')`.execute(db)
    await sql`drop database template0`.execute(db)
    await sql`drop database template1`.execute(db)
    await sql`checkpoint`.execute(db)
    return new Uint8Array(await (await server.database.dump()).arrayBuffer())
  } finally {
    await server.close()
  }
}

async function removeUnused(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name))
    if (name.includes('.tar') && mtimeMs < Date.now() - UNUSED_FOR_MS) await rm(join(folder, name), { force: true })
  }
}

const succeeds = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false
  )

let copied: Promise<Blob> | undefined
/** The migrated embedded database, to be loaded in memory; a process reads it once. */
export const embeddedCopy = (): Promise<Blob> =>
  (copied ??= embeddedTemplate()
    .then(path => readFile(path))
    .then(bytes => new Blob([bytes])))

const rewound: EmbeddedDatabase[] = []
/** A migrated embedded database in memory, reused after closing: see rewinding-worker.ts. */
export async function rewoundDatabase(): Promise<EmbeddedDatabase> {
  const worker = new URL('./rewinding-worker.ts', import.meta.url)
  const database = rewound.pop() ?? (await openEmbedded({ template: await embeddedCopy(), worker }))
  let closing: Promise<void> | undefined
  async function rewind() {
    await database.thread.closeDatabase()
    rewound.push(database)
  }
  return { ...database, close: () => (closing ??= rewind()) }
}

/** Copies a migrated embedded database into a data directory. */
export async function fillDataDirectory(dir: string): Promise<void> {
  const pgdata = join(dir, 'pgdata')
  await mkdir(pgdata, { recursive: true, mode: 0o700 })
  await promisify(execFile)('tar', ['-xf', await embeddedTemplate(), '-C', pgdata])
}

/** Runs `work` with a connection to the PostgreSQL server at `url`. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const urlOf = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: `/${database}` }).href

/** A new database on the PostgreSQL server at `url`: a copy of the migrated one. @returns its URL */
export async function postgresCopy(url: string): Promise<string> {
  const name = newDatabaseName()
  await withConnection(url, async client => {
    // A session's lock: killing the process releases it.
    await client.query("select pg_advisory_lock(hashtext('tracker.test.template'))")
    const nodes = [url, ...(await citusWorkers(client, url))]
    const template = nodes.length === 1 ? templateName() : `${templateName()}_citus`
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template])
    if (rowCount === 0) {
      await dropAbandoned(client, nodes)
      const unfinished = newDatabaseName()
      await onEach(nodes, `create database ${unfinished}`)
      if (nodes.length > 1) await connectNodes(nodes, unfinished)
      const server = await migratedServer(urlOf(url, unfinished))
      if (nodes.length > 1) await distributeTables(server.database.db, await distribution())
      await server.close()
      // Citus has a process in each of its databases, and a database in use cannot be copied.
      if (nodes.length > 1) {
        await onEach(nodes, `alter database ${unfinished} allow_connections false`)
        await onEach(nodes, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${unfinished}'`)
      }
      await onEach(nodes, `alter database ${unfinished} rename to ${template}`)
    }
    await onEach(nodes, `create database ${name} template ${template}`)
  })
  return urlOf(url, name)
}

/** Drops databases of `postgresCopy`. */
export async function dropCopies(url: string, names: readonly string[]): Promise<void> {
  const nodes = await nodesOf(url)
  for (const name of names) await onEach(nodes, `drop database if exists ${name} with (force)`)
}

/** Runs a statement on each node, one after the other. */
async function onEach(nodes: readonly string[], statement: string): Promise<void> {
  for (const node of nodes) await withConnection(node, client => client.query(statement))
}

/*
 * On Citus, a database is one on the coordinator and one of the same name on each worker, each with the metadata of the
 * cluster: so the copies of the three are a cluster again.
 */

/** True if a database is the coordinator's of a Citus cluster. */
export const isCitus = (url: string): Promise<boolean> =>
  withConnection(url, async client => (await citusWorkers(client, url)).length > 0)

/** The rows of a statement on a PostgreSQL server and, if that is a Citus coordinator, on each worker. */
export async function onNodes<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const node of await nodesOf(url)) {
    rows.push(...(await withConnection(node, async client => (await client.query<Row>(statement)).rows)))
  }
  return rows
}

const nodesOf = (url: string): Promise<string[]> =>
  withConnection(url, async client => [url, ...(await citusWorkers(client, url))])

/** The URLs of the workers of a Citus coordinator; none on any other server. */
async function citusWorkers(client: pg.Client, url: string): Promise<string[]> {
  const { rowCount } = await client.query("select from pg_extension where extname = 'citus'")
  if (rowCount === 0) return []
  const { rows } = await client.query<{ host: string; port: number }>(
    'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by nodeport'
  )
  return rows.map(({ host, port }) => Object.assign(new URL(url), { hostname: host, port: String(port) }).href)
}

async function connectNodes(nodes: readonly string[], database: string): Promise<void> {
  const [coordinator = '', ...workers] = nodes.map(node => urlOf(node, database))
  await onEach([coordinator, ...workers], 'create extension citus')
  await withConnection(coordinator, async client => {
    await client.query("select citus_set_coordinator_host('127.0.0.1', current_setting('port')::int)")
    for (const { hostname, port } of workers.map(worker => new URL(worker))) {
      await client.query('select citus_add_node($1, $2)', [hostname, Number(port)])
    }
  })
}

/** All installed plugins, on few shards: each has every table. */
async function distribution(): Promise<DistributeOptions> {
  const plugins = await Promise.all(Object.values(installed).map(async load => (await load()).default.spec.tables))
  return { placements: placementsOf(plugins), shards: 2, onDistributed() {} }
}

/** The name contains the time of creation. */
const newDatabaseName = (): string => `tracker_test_${Date.now()}_${randomBytes(6).toString('hex')}`

/** Drops databases of killed test processes. */
async function dropAbandoned(client: pg.Client, nodes: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database d
     where datname ~ '^tracker_test_\\d{13}_' and split_part(datname, '_', 3)::bigint < $1
       and not exists (select from pg_stat_activity a where a.datid = d.oid)`,
    [Date.now() - UNUSED_FOR_MS]
  )
  for (const { datname } of rows) await onEach(nodes, `drop database if exists ${datname}`)
}
