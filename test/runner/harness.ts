import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { configure, type Installed } from '../../core/config/config.ts'
import { build, type BuildOptions, type Server } from '../../core/kernel/server.ts'
import { newToken } from '../../core/auth/tokens.ts'
import type { ConsumerLag } from '../../core/events/consumers/lag.ts'
import type { EventLog } from '../../core/events/log.ts'
import { installed } from '../../plugins/index.ts'
import type { WorkspaceServices } from '../../plugins/workspace/contract.ts'
import { makeAnswerCheck, type AnswersDocument } from './answers.ts'
import { watchedLogger } from './log-secrets.ts'
import { dropCopies, isCitus, postgresCopy, rewoundDatabase } from './templates.ts'

/** Set: the tests run on this PostgreSQL server, each test server on a database of its own. Unset: embedded. */
export const TEST_DATABASE_URL = process.env['TEST_DATABASE_URL']
if (TEST_DATABASE_URL === '') throw new Error('TEST_DATABASE_URL is empty: unset it, or start a server for it first.')
export const onPostgres = TEST_DATABASE_URL !== undefined
/** True if that is the coordinator of a Citus cluster. */
export const runsOnCitus = async (): Promise<boolean> => onPostgres && (await isCitus(TEST_DATABASE_URL!))

/** Milliseconds between checks whether a server is idle, each of which takes its database some milliseconds. */
const IDLE_LOOK_MS = 50

export interface TestOptions {
  /** Plugins to turn on; default: all installed ones. */
  plugins?: readonly string[]
  /** Settings over the defaults, e.g. `{ plugins: { mcp: { rateLimit: 0 } } }`. */
  settings?: Record<string, unknown>
  /** Additional plugins of a test. */
  also?: Installed
  /**
   * An earlier server, to start another on its database: a replica on PostgreSQL; a restart from a copy of it on the
   * embedded one.
   */
  on?: TestServer
  /** A PostgreSQL database to use as it is, and the administrator's token there. */
  database?: { url: string; token: string }
  now?: () => Date
  fakes?: BuildOptions['fakes']
  logLines?: string[]
  /** On Citus, use `statementOf`. */
  onStatement?: (sql: string, values: readonly unknown[]) => void
}

/** The executed statement: on Citus, some are a parameter of a function that runs them. */
export const statementOf = (sql: string, values: readonly unknown[]): string =>
  /from (read|write)_in_workspace\(/.test(sql) ? String(values[1]) : sql

/** A request: its token and its body, which makes it a POST by default. */
export interface Call {
  token?: string | null
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'OPTIONS'
  body?: unknown
  headers?: Record<string, string>
}

export interface TestServer extends Server {
  /** The administrator's token. */
  readonly token: string
  /** The URL of its PostgreSQL database, if any. */
  readonly databaseUrl: string | undefined
  /**
   * Sends a request, by default as the administrator; JSON both ways. Fails the test when the answer does not match the
   * OpenAPI document.
   */
  call(path: string, call?: Call): Promise<LightMyRequestResponse>
  /** Like `call`, returning the answer's JSON; fails the test unless the status is 2xx. */
  ok<T = Record<string, never>>(path: string, call?: Call): Promise<T>
  /** Creates an agent and returns its token. */
  agent(name: string, scopes?: string[]): Promise<{ id: string; token: string }>
  /**
   * The same server with a new workspace and its administrator: tests that need no other isolation can share a server.
   * Closing it has no effect.
   */
  board(): Promise<TestServer>
  /** A second workspace in the same database, with an administrator's token. */
  otherWorkspace(): Promise<{ id: string; token: string }>
  /** Waits until no job waits or runs, and every consumer has handled all events. */
  idle(): Promise<void>
}

/** A server on a fresh, migrated database, with the first start's workspace, team `ENG` and administrator. */
export async function testServer(options: TestOptions = {}): Promise<TestServer> {
  const token = options.on?.token ?? options.database?.token ?? newToken()
  const names = options.plugins ?? Object.keys(installed)
  const all = { ...installed, ...options.also }
  const switches = Object.fromEntries(
    [...names, ...Object.keys(options.also ?? {})].map(name => [name, { enabled: true }])
  )
  if (switches['workspace']) Object.assign(switches['workspace'], { adminToken: token })
  const overrides = (options.settings?.['plugins'] ?? {}) as Record<string, object>
  for (const [name, values] of Object.entries(overrides)) {
    switches[name] = { ...(switches[name] ?? { enabled: true }), ...values } as { enabled: boolean }
  }

  const existing = options.on?.databaseUrl ?? options.database?.url
  const databaseUrl = existing ?? (onPostgres ? await freshPostgres() : undefined)
  const template = onPostgres ? undefined : await options.on?.database.dump()
  const configuration = await configure(all, {
    logLevel: 'silent',
    databasePool: 10,
    maxEventLoopDelay: 0,
    ...options.settings,
    ...(databaseUrl !== undefined && { databaseUrl }),
    plugins: switches
  })
  const { logger, assertNoTokens } = watchedLogger(line => {
    options.logLines?.push(line)
    if (process.env['TEST_LOG']) process.stderr.write(line)
  })
  const server = await build({
    configuration,
    logger,
    database: {
      dataDir: undefined,
      ...(onPostgres || template ? { template } : { embedded: rewoundDatabase() }),
      onStatement: options.onStatement
    },
    ...(options.now && { now: options.now }),
    ...(options.fakes && { fakes: options.fakes })
  })
  if (options.on && !onPostgres) await endLeases(server)
  await server.start()
  const close = async () => {
    await server.close()
    assertNoTokens()
  }
  const answerCheck = answerCheckOf(server, options.also ? undefined : names.join())
  return withClient({ ...server, close }, token, databaseUrl, answerCheck)
}

/** No process of a copy runs the events' consumers: their leases are ended, so that nobody waits for their expiry. */
async function endLeases({ database }: Server): Promise<void> {
  await database.db
    .updateTable('eventConsumer')
    .set({ leasedBy: null, leasedUntil: sql<Date>`'-infinity'` })
    .execute()
}

type AnswerCheck = ReturnType<typeof makeAnswerCheck>
const answerChecks = new Map<string, AnswerCheck>()

/** Made with the first answer. @param key servers of the same key have the same routes; undefined: no other */
function answerCheckOf(server: Server, key: string | undefined): AnswerCheck {
  let check = key === undefined ? undefined : answerChecks.get(key)
  return (...answer) => {
    check ??= makeAnswerCheck(JSON.parse(JSON.stringify(server.app.swagger())) as AnswersDocument)
    if (key !== undefined) answerChecks.set(key, check)
    return check(...answer)
  }
}

function withClient(server: Server, token: string, databaseUrl: string | undefined, check: AnswerCheck): TestServer {
  const call: TestServer['call'] = async (path, { token: as = token, method, body, headers } = {}) => {
    const verb = method ?? (body === undefined ? 'GET' : 'POST')
    const answer = await server.app.inject({
      url: path,
      method: verb,
      headers: {
        ...(as !== null && { authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body !== undefined && {
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      })
    })
    const problem = check(verb, path, answer)
    if (problem !== undefined) {
      throw new Error(`${verb} ${path} answered ${answer.statusCode}, which OpenAPI has otherwise: ${problem}`)
    }
    return answer
  }
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
    async board() {
      const { add } = server.container.resolve<WorkspaceServices>('workspace')
      const id = randomUUID()
      const caller = { workspaceId: id, accountId: null, tokenId: null, scopes: [] }
      const added = await server.database.db
        .transaction()
        .execute(trx => add(caller, trx, { name: `Board ${id}`, adminEmail: 'admin@localhost' }))
      return withClient({ ...server, close: async () => {} }, added.token, databaseUrl, check)
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
      const { insertToken } = await import('../../core/auth/accounts.ts')
      const { token } = await db.transaction().execute(trx => insertToken(trx, id, { accountId, name: 'Test' }))
      return { id, token }
    },
    async idle() {
      const { events, jobs } = server
      const isIdle = async () => (await jobs.pending()) === 0 && (await isCaughtUp(events))
      for (;;) {
        if (await isIdle()) {
          // The last consumer may have enqueued a job that has already ended, and appended an event.
          const { decided } = events.horizon
          if ((await isIdle()) && events.horizon.decided === decided) return
        }
        await sleep(IDLE_LOOK_MS)
      }
    }
  }
}

/** True if every consumer has handled everything that was committed before. */
export async function isCaughtUp(events: EventLog): Promise<boolean> {
  const { horizon } = events
  await horizon.refresh()
  const isHandled = (lag: ConsumerLag) =>
    lag.events === 0 && lag.state !== 'rebuilding' && !events.consumer(lag.name)?.isRunning
  return horizon.decided === horizon.assigned && (await events.lags()).every(isHandled)
}

const madeDatabases: string[] = []

/** A database of its own, dropped when the process ends. */
async function freshPostgres(): Promise<string> {
  const url = await postgresCopy(TEST_DATABASE_URL!)
  madeDatabases.push(new URL(url).pathname.slice(1))
  return url
}

/** Drops the databases so far, of closed servers. */
export async function dropDatabases(): Promise<void> {
  const names = madeDatabases.splice(0)
  if (names.length > 0) await dropCopies(TEST_DATABASE_URL!, names)
}
process.on('beforeExit', () => {
  dropDatabases().catch(() => {})
})
