import type { AwilixContainer } from 'awilix'
import type { FastifyBaseLogger } from 'fastify'
import type { Configuration } from './config.ts'
import type { Contribution, Point } from './contract.ts'
import { addCoreJobs } from './core-jobs.ts'
import { addCoreRoutes } from './core-routes.ts'
import { exclusively, makeDatabase, type Database, type DatabaseOptions } from './db/database.ts'
import { distributeCommand } from './db/distribute-command.ts'
import { distributeNewTables } from './db/distribute.ts'
import { migrateAll } from './db/migrate.ts'
import { coreTables, placementsOf } from './db/placement.ts'
import { accountEvents } from './events/account-events.ts'
import { eventCommands } from './events/commands.ts'
import type { EventLog } from './events/log.ts'
import { trackHandlers } from './handlers.ts'
import { makeHttp } from './http.ts'
import type { Jobs } from './jobs.ts'
import { makeKernel, type Kernel } from './kernel.ts'
import { makeLogger } from './logger.ts'
import { addServicesAndRoutes, registerAll } from './phases.ts'
import type { App, Plugin } from './plugin.ts'
import { commands, eventTypes } from './points.ts'
import { resolve, StartError } from './resolve.ts'

export interface BuildOptions {
  configuration: Configuration
  /** For tests: services that replace those of a plugin (which is not registered), and singletons by `plugin/name`. */
  fakes?: Record<string, object>
  now?: () => Date
  logger?: FastifyBaseLogger
  database?: Partial<DatabaseOptions>
  /** Opens and looks at the database, and prepares the queue, while the routes are made, instead of in `start`. */
  preparesEarly?: boolean
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
  /** What the plugins that are on have contributed to a point of any owner. */
  contributions<T>(point: Point<string, T>): ReadonlyArray<Contribution<T>>
  /** Opens the database and brings its tables up to date, those of the queue too, which counts as started. */
  migrate(): Promise<void>
  /** Migrates, starts background work and what the plugins start; to be awaited before listening. */
  start(): Promise<void>
  close(): Promise<void>
}

/**
 * The composition root: takes the plugins that are on through the phases (see plugin.ts).
 * @throws StartError with every problem of a phase, before any migration.
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
  { configuration: { settings }, fakes = {}, now = () => new Date(), leaseSeconds, preparesEarly }: BuildOptions,
  plugins: readonly Plugin[],
  database: Database,
  logger: FastifyBaseLogger
): Promise<Server> {
  const app = await makeHttp({ ...settings, logger })
  const handlersEnd = trackHandlers(app)
  const kernel = makeKernel({ app, database, settings, plugins, fakes, leaseSeconds, now })
  const { jobs, events, points, singletons } = kernel
  let started = false

  await addCoreRoutes(kernel, { settings, plugins, started: () => started })
  addCoreJobs(kernel, settings)
  contributeCore(kernel, plugins)
  // Before the plugins' own hooks: a job that one of them gives back is not for this process.
  app.addHook('preClose', async () => jobs.stopFetching())
  const registered = await registerAll(kernel, plugins, fakes)
  const routed = addServicesAndRoutes(kernel, plugins, registered).then(async () => {
    app.addHook('onClose', () => handlersEnd().then(singletons.stop))
    await app.ready()
  })
  let migrated: Promise<void> | undefined
  const migrateOnce = () => (migrated ??= migrate(kernel, plugins, routed))
  // Whoever starts the server hears of an error.
  if (preparesEarly) migrateOnce().catch(() => {})
  try {
    await routed
  } catch (error) {
    await migrated?.then(singletons.stop, () => {})
    throw error
  }

  return {
    app,
    database,
    jobs,
    events,
    container: singletons.container,
    contributions: points.read,
    migrate: migrateOnce,
    async start() {
      try {
        await migrateOnce()
        for (const hook of kernel.startHooks) await hook()
        events.start()
        await database.guardDisk()
        // Last: each worker fetches jobs at once, and no start waits for them.
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

function contributeCore({ points, database, events, items, now }: Kernel, plugins: readonly Plugin[]): void {
  points.add(eventTypes, 'core', () => accountEvents)
  points.add(commands, 'core', () => [
    ...eventCommands({ db: database.db, events, types: () => items(eventTypes), now }),
    distributeCommand(database, placementsOfAll(plugins))
  ])
}

/** Brings the database up to date; what is new in it waits for the routes, which may have problems. */
async function migrate(
  { database, singletons }: Kernel,
  plugins: readonly Plugin[],
  routed: Promise<void>
): Promise<void> {
  await database.open()
  await exclusively(database, async () => {
    await migrateAll(
      database.db,
      [
        { name: 'core', migrations: coreMigrations },
        ...plugins.flatMap(({ name, spec }) => (spec.migrations ? [{ name, migrations: spec.migrations }] : []))
      ],
      routed
    )
    if (database.kind === 'postgres' && (await distributeNewTables(database.db, placementsOfAll(plugins)))) {
      database.beDistributed()
    }
    await singletons.get<Jobs>('core/jobs').prepare()
    await singletons.get<EventLog>('core/events').prepare()
  })
}

const placementsOfAll = (plugins: readonly Plugin[]) =>
  placementsOf([coreTables, ...plugins.map(({ spec }) => spec.tables)])

const coreMigrations = {
  '001_accounts': () => import('./db/migrations/001_accounts.ts'),
  '002_confined_tokens': () => import('./db/migrations/002_confined_tokens.ts'),
  '003_sessions': () => import('./db/migrations/003_sessions.ts'),
  '004_events': () => import('./db/migrations/004_events.ts'),
  '005_idempotency_keys': () => import('./db/migrations/005_idempotency_keys.ts'),
  '006_consumer_attempts': () => import('./db/migrations/006_consumer_attempts.ts')
}
