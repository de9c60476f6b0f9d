import { fastifyAwilixPlugin } from '@fastify/awilix'
import type { AwilixContainer } from 'awilix'
import type { FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'
import { auth } from './auth.ts'
import type { Configuration } from './config.ts'
import { contextOf, registerOf, type Kernel } from './contexts.ts'
import type { Contribution, Point } from './contract.ts'
import { exclusively, makeDatabase, type Database, type DatabaseOptions } from './db/database.ts'
import { migrateAll } from './db/migrate.ts'
import { CORE_ERROR_CODES } from './errors.ts'
import { accountEvents } from './events/account-events.ts'
import { eventCommands } from './events/commands.ts'
import { makeEventLog, type EventLog } from './events/log.ts'
import { removeEvents } from './events/retention.ts'
import { eventRoutes } from './events/routes.ts'
import { makeEventStreams } from './events/streams.ts'
import { makeExtensionPoints } from './extension-points.ts'
import { trackHandlers } from './handlers.ts'
import { health } from './health.ts'
import { makeHttp } from './http.ts'
import { idempotency } from './idempotency/index.ts'
import { removeOldKeys } from './idempotency/keys.ts'
import { makeJobs, type Jobs } from './jobs.ts'
import { makeLogger } from './logger.ts'
import { metricsRoute } from './metrics.ts'
import { openapi } from './openapi.ts'
import type { App, ContextOf, Dependencies, Plugin } from './plugin.ts'
import {
  commands,
  eventTypes,
  healthChecks,
  loginMethods,
  metrics,
  problems,
  requestListeners,
  scopes
} from './points.ts'
import { resolve, StartError } from './resolve.ts'
import { coreScopes } from './scopes.ts'
import { sessionRoutes } from './session-routes.ts'
import { makeSessions } from './sessions.ts'
import { makeSingletons } from './singletons.ts'
import { makeTokenLogin } from './token-login.ts'

const DAY_MS = 86_400_000
/** The job that removes events which are older than the log is kept. */
const REMOVE_EVENTS = 'core.removeEvents'

export interface BuildOptions {
  configuration: Configuration
  /** For tests: services that replace those of a plugin (which is not registered), and singletons by `plugin/name`. */
  fakes?: Record<string, object>
  now?: () => Date
  logger?: FastifyBaseLogger
  database?: Partial<DatabaseOptions>
  /** For tests: seconds for which a consumer of events is a process's without a sign of life. */
  leaseSeconds?: number
}

export interface Server {
  readonly app: App
  readonly database: Database
  readonly jobs: Jobs
  readonly events: EventLog
  /** The services, one key per plugin, and the plugins' singletons, as `plugin/name`. */
  readonly container: AwilixContainer
  /** What the plugins that are on have contributed, whoever owns the point. */
  contributions<T>(point: Point<string, T>): ReadonlyArray<Contribution<T>>
  /** Opens the database and brings its tables up to date, those of the queue too, which counts as started. */
  migrate(): Promise<void>
  /** Migrates, starts background work and what the plugins start; to be awaited before listening. */
  start(): Promise<void>
  close(): Promise<void>
}

/**
 * The composition root: takes the plugins that are on through the phases (see plugin.ts).
 * @throws StartError with every problem, before the database is touched.
 */
export async function build(options: BuildOptions): Promise<Server> {
  const { configuration, logger: given } = options
  const { settings, plugins, installed } = configuration
  const { order, problems } = resolve(plugins, installed)
  if (problems.length > 0) throw new StartError(problems)

  const logger = given ?? (await makeLogger({ level: settings.logLevel }))
  const database = makeDatabase({
    onCleanError: error => logger.error({ err: error }, 'the database could not be cleaned up'),
    onReadOnly(isReadOnly, freeBytes) {
      if (isReadOnly) logger.error({ freeBytes }, 'the disk is nearly full: writes are refused until space is freed')
      else logger.info({ freeBytes }, 'the disk has space again: writes are taken')
    },
    url: settings.databaseUrl,
    dataDir: settings.dataDir,
    lowMemory: settings.lowMemory,
    poolSize: settings.databasePool,
    ...options.database
  })
  try {
    return await assemble(options, order, database, logger)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function assemble(
  { configuration: { settings }, fakes = {}, now = () => new Date(), leaseSeconds }: BuildOptions,
  order: readonly Plugin[],
  database: Database,
  logger: FastifyBaseLogger
): Promise<Server> {
  const app = await makeHttp({ ...settings, logger })
  const handlersEnd = trackHandlers(app)
  const jobs = makeJobs(database, app.log, settings.jobs)
  const events = makeEventLog({
    database,
    log: app.log,
    working: settings.jobs,
    directUrl: settings.databaseDirectUrl ?? settings.databaseUrl,
    leaseSeconds,
    now
  })
  const points = makeExtensionPoints()
  const singletons = makeSingletons(fakes)
  // Made before all others, and so stopped after them.
  singletons.add(
    'core/database',
    () => database,
    made => made.close()
  )
  singletons.get('core/database')
  singletons.add(
    'core/jobs',
    () => jobs,
    made => made.stop()
  )
  singletons.add(
    'core/events',
    () => events,
    made => made.stop()
  )

  const items = <T>(point: Point<string, T>): T[] => points.read(point).map(({ item }) => item)
  const allScopes = () => [...coreScopes, ...items(scopes)]
  const allLoginMethods = () => items(loginMethods)
  const { publicUrl } = settings
  const tokens = makeTokenLogin({
    db: database.db,
    shortReads: database.shortReads,
    now,
    scopes: allScopes,
    log: app.log
  })
  const sessions = makeSessions({ ...settings, publicUrl, db: database.db, tokens, loginMethods: allLoginMethods, now })
  const kernel: Kernel = {
    app,
    database,
    jobs,
    events,
    points,
    singletons,
    on: new Set(order.map(({ name }) => name)),
    startHooks: [],
    settingsOf(plugin) {
      const { enabled: _, ...own } = settings.plugins[plugin] ?? {}
      return own
    },
    scopes: allScopes,
    principalOf: tokens.principalOf,
    origin: () => originOf(app, settings),
    prefix: settings.prefix,
    sessions,
    now
  }
  let started = false

  await app.register(fastifyAwilixPlugin, {
    container: singletons.container,
    // The kernel stops what was made, in order; a request's scope only holds its caller.
    disposeOnClose: false,
    disposeOnResponse: false,
    asyncInit: false,
    eagerInject: false
  })
  await app.register(idempotency, {
    db: database.db,
    shortReads: database.shortReads,
    committed(trx) {
      jobs.committed(trx)
      events.committed(trx)
    },
    now
  })
  await app.register(openapi, {
    publicDocs: settings.publicDocs,
    errorCodes: () => [...CORE_ERROR_CODES, ...items(problems).map(({ code }) => code)]
  })
  jobs.addWorker({
    queue: 'core.removeOldIdempotencyKeys',
    keyed: false,
    options: {},
    handler: () => removeOldKeys(database.db, now())
  })
  jobs.addSchedule('core.removeOldIdempotencyKeys', '20 * * * *')
  await app.register(auth, {
    tokens,
    sessions,
    publicUrl,
    loginMethods: allLoginMethods,
    requestListeners: () => items(requestListeners)
  })
  await app.register(sessionRoutes, { sessions, db: database.db })
  const streams = makeEventStreams({
    events,
    db: database.db,
    log: app.log,
    maxStreams: Math.floor(settings.maxConnections / 2),
    authenticate: request => app.authenticate(request)
  })
  const types = () => items(eventTypes)
  await app.register(eventRoutes, { events, db: database.db, types, streams })
  points.add(eventTypes, 'core', () => accountEvents)
  points.add(commands, 'core', () => eventCommands({ db: database.db, events, types, now }))
  jobs.addWorker({
    queue: REMOVE_EVENTS,
    keyed: true,
    options: {},
    handler: () => removeEvents(database.db, new Date(now().getTime() - settings.eventsKeepDays * DAY_MS))
  })
  jobs.addSchedule(REMOVE_EVENTS, '23 * * * *')
  await app.register(health, {
    database,
    jobs,
    events,
    started: () => started,
    checks: () => points.read(healthChecks),
    plugins: order.map(({ name, spec: { summary } }) => ({ name, summary })),
    off: optionalOf(order).filter(({ name }) => !kernel.on.has(name))
  })
  await app.register(metricsRoute, {
    database,
    jobs,
    events,
    streams,
    publicMetrics: settings.publicMetrics,
    contributed: () => items(metrics)
  })

  // Before the plugins' own hooks: a job that one of them gives back is not for this process.
  app.addHook('preClose', async () => jobs.stopFetching())
  await runPhases(kernel, order, fakes)
  app.addHook('onClose', async () => {
    await handlersEnd()
    await singletons.stop()
  })
  await app.ready()

  async function migrateTables(): Promise<void> {
    await migrateAll(database.db, [
      {
        name: 'core',
        migrations: {
          '001_accounts': () => import('./db/migrations/001_accounts.ts'),
          '002_confined_tokens': () => import('./db/migrations/002_confined_tokens.ts'),
          '003_sessions': () => import('./db/migrations/003_sessions.ts'),
          '004_events': () => import('./db/migrations/004_events.ts'),
          '005_idempotency_keys': () => import('./db/migrations/005_idempotency_keys.ts'),
          '006_consumer_attempts': () => import('./db/migrations/006_consumer_attempts.ts')
        }
      },
      ...order.flatMap(({ name, spec }) => (spec.migrations ? [{ name, migrations: spec.migrations }] : []))
    ])
  }
  async function migrate(): Promise<void> {
    await database.open()
    await exclusively(database, async () => {
      await migrateTables()
      await singletons.get<Jobs>('core/jobs').prepare()
      await singletons.get<EventLog>('core/events').prepare()
    })
  }
  return {
    app,
    database,
    jobs,
    events,
    container: singletons.container,
    contributions: points.read,
    migrate,
    async start() {
      try {
        await migrate()
        for (const hook of kernel.startHooks) await hook()
        events.start()
        await database.guardDisk()
        // Last, because each of the workers looks for jobs at once, and nothing waits for what they find.
        await jobs.start()
        started = true
      } catch (error) {
        await app.close().catch((err: unknown) => app.log.error({ err }, 'what had started could not be stopped'))
        throw error
      }
    },
    close: () => app.close()
  }
}

/**
 * Register, services, routes: each for all plugins before the next.
 * @throws StartError with every problem of a phase
 */
async function runPhases(
  kernel: Kernel,
  order: readonly Plugin[],
  fakes: Readonly<Record<string, object>>
): Promise<void> {
  const { app, points, singletons } = kernel
  const found: string[] = []
  const attempt = async (plugin: Plugin, work: () => void | Promise<void>) => {
    try {
      await work()
    } catch (error) {
      found.push(`plugins.${plugin.name}: ${(error as Error).message}`)
    }
  }
  const refuse = () => {
    if (found.length > 0) throw new StartError(found)
  }

  const contexts = new Map<Plugin, ContextOf<Dependencies>>()
  for (const plugin of order) {
    const ctx = contextOf(kernel, plugin)
    singletons.add(plugin.name, () => plugin.spec.services?.(ctx) ?? {})
    if (plugin.name in fakes) continue
    contexts.set(plugin, ctx)
    await attempt(plugin, () => plugin.spec.register?.(registerOf(kernel, plugin, ctx)))
  }
  refuse()
  points.freeze()
  found.push(
    ...duplicates(
      points.read(scopes).map(({ from, item }) => ({ from, name: item.name })),
      'scope',
      coreScopes.map(({ name }) => name)
    )
  )
  found.push(
    ...duplicates(
      points.read(problems).map(({ from, item }) => ({ from, name: item.code })),
      'error code',
      CORE_ERROR_CODES
    )
  )

  found.push(
    ...duplicates(
      points.read(eventTypes).map(({ from, item }) => ({ from, name: item.name })),
      'event type',
      []
    ),
    ...points
      .read(eventTypes)
      .flatMap(({ from, item }) =>
        item.owner === from ? [] : [`plugins.${from}: the event type '${item.name}' belongs to ${item.owner}`]
      )
  )

  for (const plugin of order) {
    await attempt(plugin, () => {
      singletons.get(plugin.name)
    })
  }
  refuse()
  for (const [plugin, ctx] of contexts) {
    const routes = async (scope: unknown) => attempt(plugin, () => plugin.spec.routes?.(scope as App, ctx))
    await app.register(fp(routes, { name: plugin.name, encapsulate: true }))
  }
  await app.after()
  refuse()
}

/** What is declared twice, as problems. */
function duplicates(
  declared: ReadonlyArray<{ from: string; name: string }>,
  kind: string,
  core: readonly string[]
): string[] {
  const owners = new Map(core.map(name => [name, 'the core']))
  return declared.flatMap(({ from, name }) => {
    const owner = owners.get(name)
    owners.set(name, `plugins.${from}`)
    return owner === undefined
      ? []
      : [`plugins.${from}: the ${kind} '${name}' is taken by ${owner}: choose another name`]
  })
}

/** The plugins that those that are on use when they are on, too. */
const optionalOf = (plugins: readonly Plugin[]) => [
  ...new Map(plugins.flatMap(({ dependencies }) => dependencies.optional).map(other => [other.name, other])).values()
]

function originOf(app: App, { host: given, port: configured }: Configuration['settings']): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : configured
  const host = ['0.0.0.0', '::'].includes(given) ? '127.0.0.1' : given
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
