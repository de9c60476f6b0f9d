import { createHash, randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { configure, type Installed } from '../core/config.ts'
import { build, type BuildOptions, type Server } from '../core/server.ts'
import { newToken } from '../core/tokens.ts'
import { installed } from '../plugins/index.ts'

/** Set: the tests run on this PostgreSQL server, each test server on a database of its own. Unset: embedded. */
export const TEST_DATABASE_URL = process.env['TEST_DATABASE_URL']
export const onPostgres = TEST_DATABASE_URL !== undefined && TEST_DATABASE_URL !== ''

export interface TestOptions {
  /** Plugins to turn on; default: all that are installed. */
  plugins?: readonly string[]
  /** Settings over the defaults, e.g. `{ plugins: { mcp: { rateLimit: 0 } } }`. */
  settings?: Record<string, unknown>
  /** Plugins that only a test has. */
  also?: Installed
  /** An earlier server, to start another on its database: a replica on PostgreSQL; a restart from a copy of it on the embedded one. */
  on?: TestServer
  now?: () => Date
  fakes?: BuildOptions['fakes']
  onStatement?: (sql: string) => void
}

/** What a client sends: as whom, and what. A body makes it a POST unless `method` says otherwise. */
export interface Call {
  token?: string | null
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH'
  body?: unknown
  headers?: Record<string, string>
}

export interface TestServer extends Server {
  /** The administrator's token. */
  readonly token: string
  /** The URL of its PostgreSQL database, when there is one. */
  readonly databaseUrl: string | undefined
  /** One request, as the administrator unless told; JSON both ways. */
  call(path: string, call?: Call): Promise<LightMyRequestResponse>
  /** As `call`, and the answer's JSON; fails the test unless the status is 2xx. */
  ok<T = Record<string, never>>(path: string, call?: Call): Promise<T>
  /** Makes an agent and returns its token. */
  agent(name: string, scopes?: string[]): Promise<{ id: string; token: string }>
  /** A second workspace in the same database, with an administrator's token. */
  otherWorkspace(): Promise<{ id: string; token: string }>
  /** Waits until no job waits or runs. */
  idle(): Promise<void>
}

/** A server on a fresh, migrated database, with the first start's workspace, team `ENG` and administrator. */
export async function testServer(options: TestOptions = {}): Promise<TestServer> {
  const token = options.on?.token ?? newToken()
  const names = options.plugins ?? Object.keys(installed)
  const all = { ...installed, ...options.also }
  const switches = Object.fromEntries(
    [...names, ...Object.keys(options.also ?? {})].map(name => [name, { enabled: true }])
  )
  if (switches['workspace']) Object.assign(switches['workspace'], { adminToken: token })
  const given = (options.settings?.['plugins'] ?? {}) as Record<string, object>
  for (const [name, values] of Object.entries(given)) {
    switches[name] = { ...(switches[name] ?? { enabled: true }), ...values } as { enabled: boolean }
  }

  const databaseUrl = options.on ? options.on.databaseUrl : onPostgres ? await freshPostgres() : undefined
  const template = onPostgres ? undefined : options.on ? await options.on.database.dump() : await embeddedTemplate()
  const configuration = await configure(all, {
    logLevel: 'silent',
    databasePool: 10,
    maxEventLoopDelay: 0,
    ...options.settings,
    ...(databaseUrl !== undefined && { databaseUrl }),
    plugins: switches
  })
  const server = await build({
    configuration,
    logger: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    database: { dataDir: undefined, template, onStatement: options.onStatement },
    ...(options.now && { now: options.now }),
    ...(options.fakes && { fakes: options.fakes })
  })
  await server.start()
  const testing = withClient(server, token, databaseUrl)
  return testing
}

function withClient(server: Server, token: string, databaseUrl: string | undefined): TestServer {
  const call: TestServer['call'] = (path, { token: as = token, method, body, headers } = {}) =>
    server.app.inject({
      url: path,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(as !== null && { authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body !== undefined && {
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      })
    })
  async function ok<T>(path: string, options?: Call): Promise<T> {
    const answer = await call(path, options)
    if (answer.statusCode >= 300) {
      throw new Error(`${options?.method ?? ''} ${path} answered ${answer.statusCode}: ${answer.body}`)
    }
    return answer.json<T>()
  }
  return {
    ...server,
    token,
    databaseUrl,
    call,
    ok,
    async agent(name, scopes) {
      return ok('/v1/users/agents', { body: { name, ...(scopes && { scopes }) } })
    },
    async otherWorkspace() {
      const { db } = server.database
      const id = randomUUID()
      await db.insertInto('workspace').values({ id, name: 'Other' }).execute()
      const accountId = randomUUID()
      await db
        .insertInto('account')
        .values({
          workspaceId: id,
          id: accountId,
          kind: 'PERSON',
          fullname: 'Other admin',
          email: 'other@localhost',
          role: 'ADMIN',
          scopes: null,
          createdById: null
        })
        .execute()
      const { insertToken } = await import('../core/accounts.ts')
      const { token } = await insertToken(db, id, { accountId, name: 'Test' })
      return { id, token }
    },
    async idle() {
      while ((await server.jobs.pending()) > 0) await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}

/** Changes with every migration, so that a stale template is never used. */
function migrationsHash(): string {
  const hash = createHash('sha256')
  const root = new URL('..', import.meta.url).pathname
  for (const file of ['package-lock.json', ...globSync('{core/db,plugins/*}/migrations/*.ts', { cwd: root }).sort()]) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** An empty, migrated embedded database, made once per machine and state of the migrations. */
async function embeddedTemplate(): Promise<Blob> {
  const path = join(tmpdir(), `tracker-template-${migrationsHash()}.tar`)
  try {
    return new Blob([await readFile(path)])
  } catch {}
  const server = await migratedServer({})
  const dump = await server.database.dump()
  await server.close()
  // Renamed into place whole: other test processes may be making it, too.
  const unfinished = `${path}.${process.pid}`
  await mkdir(tmpdir(), { recursive: true })
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()))
  await rename(unfinished, path)
  return dump
}

/** Migrated by all plugins but `workspace`'s first start, which belongs to each test. */
async function migratedServer(tree: Record<string, unknown>): Promise<Server> {
  const { workspace: _, ...others } = Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: true }]))
  const configuration = await configure(installed, {
    logLevel: 'silent',
    jobs: false,
    ...tree,
    plugins: { ...others, workspace: { enabled: true, adminToken: newToken() } }
  })
  const server = await build({ configuration, logger: pino({ level: 'silent' }), database: { dataDir: undefined } })
  await server.migrate()
  return server
}

async function admin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: TEST_DATABASE_URL })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const urlOf = (database: string) => {
  const url = new URL(TEST_DATABASE_URL!)
  url.pathname = `/${database}`
  return url.href
}

const madeDatabases: string[] = []

/** A database of its own, copied from a template that is migrated once. */
async function freshPostgres(): Promise<string> {
  const template = `tracker_template_${migrationsHash()}`
  const name = `tracker_test_${randomUUID().replaceAll('-', '')}`
  await admin(async client => {
    await client.query("select pg_advisory_lock(hashtext('tracker.test.template'))")
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template])
    if (rowCount === 0) {
      await client.query(`create database ${name}`)
      const server = await migratedServer({ databaseUrl: urlOf(name) })
      await server.close()
      await client.query(`alter database ${name} rename to ${template}`)
    }
    await client.query(`create database ${name} template ${template}`)
    madeDatabases.push(name)
  })
  return urlOf(name)
}

if (onPostgres) {
  process.on('beforeExit', () => {
    const names = madeDatabases.splice(0)
    if (names.length === 0) return
    admin(async client => {
      for (const name of names) await client.query(`drop database if exists ${name} with (force)`)
    }).catch(() => {})
  })
}
