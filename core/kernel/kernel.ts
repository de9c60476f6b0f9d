import type { FastifyBaseLogger } from 'fastify'
import type { Transaction } from 'kysely'
import { RefusalLog } from '../audit/lines.ts'
import type { Configuration } from '../config/config.ts'
import type { Point, Scope } from '../api/contract.ts'
import { transaction, type Database } from '../db/database.ts'
import { afterCommit, requestTransaction } from '../db/transactions/request-transaction.ts'
import type { CoreTables } from '../api/database/types.ts'
import { makeEventLog, type EventLog } from '../events/log.ts'
import { makeExtensionPoints, type ExtensionPoints } from './extension-points.ts'
import { makeJobs, type Jobs } from '../jobs/jobs.ts'
import type { App, CoreServices, Plugin } from '../api/plugin.ts'
import { loginMethods, scopes } from '../api/points.ts'
import { coreScopes } from '../api/scopes.ts'
import { makeSessions, type Sessions } from '../auth/sessions.ts'
import { makeSingletons, type Singletons } from './singletons.ts'
import { makeTokenLogin, type TokenLogin } from '../auth/token-login.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** A server's parts, from which the core's routes and all contexts are made. */
export interface Kernel {
  readonly app: App
  readonly database: Database
  readonly jobs: Jobs
  readonly points: ExtensionPoints
  readonly singletons: Singletons
  readonly on: ReadonlySet<string>
  readonly events: EventLog
  readonly startHooks: Array<() => Promise<void>>
  readonly tokens: TokenLogin
  readonly sessions: Sessions
  readonly refusals: RefusalLog
  readonly address: CoreServices['address']
  settingsOf(plugin: string): object
  /** The log of a plugin. Children of a logger keep their level: call it once for each. */
  logOf(plugin: string): FastifyBaseLogger
  setLogLevel(level: string): void
  scopes(): readonly Scope[]
  /** A function that reads a point once, when it is first called: its contributions, without their plugins' names. */
  list<T>(point: Point<string, T>): () => readonly T[]
  /** In the request's transaction, if there is one. After the commit, jobs and events are processed at once. */
  transaction<T>(work: (trx: Transaction<CoreTables>) => Promise<T>): Promise<T>
  now(): Date
  movedTime(): Date | null
}

interface KernelOptions {
  app: App
  logger: FastifyBaseLogger
  database: Database
  settings: Configuration['settings']
  plugins: readonly Plugin[]
  fakes: Readonly<Record<string, object>>
  leaseSeconds: number | undefined
  telemetry: Telemetry | undefined
  now: (() => Date) | undefined
}

export function makeKernel(options: KernelOptions): Kernel {
  const { app, logger, database, settings, plugins, fakes, leaseSeconds, telemetry, now = () => new Date() } = options
  const { db } = database
  const jobs = makeJobs(database, app.log, settings.jobs, telemetry?.trace)
  const events = makeEventLog({
    database,
    log: app.log,
    working: settings.jobs,
    directUrl: settings.databaseDirectUrl ?? settings.databaseUrl,
    leaseSeconds,
    trace: telemetry?.trace,
    now
  })
  const points = makeExtensionPoints()
  const list = <T>(point: Point<string, T>) => {
    let items: readonly T[] | undefined
    return () => (items ??= points.read(point).map(({ item }) => item))
  }
  const contributedScopes = list(scopes)
  const allScopes = () => [...coreScopes, ...contributedScopes()]
  const tokens = makeTokenLogin({
    database,
    readsAhead: !settings.plainStatements,
    now,
    scopes: allScopes,
    log: app.log
  })
  const { prefix, publicUrl } = settings
  const refusals = new RefusalLog(app.log)
  const shared = { db, events, refusals, transaction: transactionsOf(database) }
  return {
    app,
    database,
    jobs,
    events,
    points,
    singletons: makeCoreSingletons(fakes, { database, jobs, events }),
    on: new Set(plugins.map(({ name }) => name)),
    startHooks: [],
    tokens,
    sessions: makeSessions({ ...shared, prefix, publicUrl, tokens, loginMethods: list(loginMethods), now }),
    refusals,
    transaction: shared.transaction,
    address: { prefix, publicUrl, origin: () => originOf(app, settings) },
    // Not a copy: what changes on SIGHUP is changed in it.
    settingsOf: plugin => settings.plugins[plugin] ?? {},
    ...makeLogs(app, logger),
    scopes: allScopes,
    list,
    now,
    movedTime: () => options.now?.() ?? null
  }
}

function makeLogs({ log }: App, logger: FastifyBaseLogger): Pick<Kernel, 'logOf' | 'setLogLevel'> {
  const all = [logger, log]
  return {
    logOf(plugin) {
      const child = log.child({ plugin })
      all.push(child)
      return child
    },
    setLogLevel(level) {
      for (const each of all) each.level = level
    }
  }
}

const transactionsOf = ({ db }: Database): Kernel['transaction'] =>
  async function runTransaction(work) {
    const ofRequest = requestTransaction()
    if (ofRequest) return ofRequest.run(work)
    const { trx, result } = await transaction(db, async trx => ({ trx, result: await work(trx) }))
    afterCommit(trx)
    return result
  }

function makeCoreSingletons(
  fakes: Readonly<Record<string, object>>,
  { database, jobs, events }: Pick<Kernel, 'database' | 'jobs' | 'events'>
): Singletons {
  const singletons = makeSingletons(fakes)
  const add = <T extends object>(name: string, part: T, stop: (part: T) => Promise<void>) =>
    singletons.add(name, () => part, stop)
  add('core/database', database, () => database.close())
  // Created before all others, so stopped after them.
  singletons.get('core/database')
  add('core/jobs', jobs, () => jobs.stop())
  add('core/events', events, () => events.stop())
  return singletons
}

function originOf(app: App, settings: Configuration['settings']): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : settings.port
  const host = ['0.0.0.0', '::'].includes(settings.host) ? '127.0.0.1' : settings.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
