import type { AwilixContainer } from 'awilix'
import type { FastifyBaseLogger } from 'fastify'
import type { Counter, Registry } from 'prom-client'
import type { Configuration, Settings } from '../config/config.ts'
import { reloadSettings, type Reloaded } from '../config/reload.ts'
import type { Contribution, Point } from '../api/contract.ts'
import type { BackupSource } from '../backup/backup.ts'
import { backupCommands } from '../backup/commands.ts'
import { addCoreJobs } from './core-jobs.ts'
import { addCoreRoutes } from './core-routes.ts'
import { makeDatabase, runExclusively, type Database, type DatabaseOptions } from '../db/database.ts'
import { distributeCommand } from '../db/distribute-command.ts'
import { distributeNewTables } from '../db/distributed.ts'
import { migrateAll, type Owner } from '../db/migrate/migrate.ts'
import { upgradeCommand } from '../db/migrate/upgrade-command.ts'
import { accountEvents } from '../events/account-events.ts'
import { deadLetterCommands } from '../events/consumers/commands.ts'
import type { EventLog } from '../events/log.ts'
import { makeHttp, trackHandlers } from '../http/http.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { makeKernel, type Kernel } from './kernel.ts'
import { makeLogger } from '../http/logger.ts'
import { addServicesAndRoutes, registerAll } from './phases.ts'
import type { App, Plugin } from '../api/plugin.ts'
import { backupFolders, commands, eventTypes, examinations, metrics } from '../api/points.ts'
import { coreExaminations } from '../doctor/examinations.ts'
import { makeSlowStatements } from '../db/statements/slow.ts'
import { doctorCommand } from '../doctor/command.ts'
import { explainMigrationError } from '../db/start-errors.ts'
import { telemetryCommand } from '../telemetry/command.ts'
import { telemetryExamination } from '../telemetry/examination.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

export interface BuildOptions {
  configuration: Configuration
  /** For tests: services that replace a plugin's (which is not registered), and singletons by `plugin/name`. */
  fakes?: Record<string, object>
  /** For tests: replaces the clocks of the process and of the database. */
  now?: () => Date
  logger?: FastifyBaseLogger
  database?: Partial<DatabaseOptions>
  /** True if the database is opened while the routes are built. Migrations wait for the routes. */
  preparesEarly?: boolean
  loadTelemetry?: (log: FastifyBaseLogger) => Promise<Telemetry | undefined>
  leaseSeconds?: number
}

export interface Server {
  readonly app: App
  readonly database: Database
  readonly jobs: Jobs
  readonly events: EventLog
  /** The services, by plugin, and the singletons, as `plugin/name`. */
  readonly container: AwilixContainer
  contributions<T>(point: Point<string, T>): ReadonlyArray<Contribution<T>>
  /** Opens and migrates the database, with the tables of pg-boss, which is started for that. */
  migrate(): Promise<void>
  /** Migrates, runs the plugins' start hooks and starts background work; await it before listening. */
  start(): Promise<void>
  reload(configuration: Configuration): Reloaded
  close(): Promise<void>
}

/** Takes the plugins through the phases (see plugin.ts). @throws StartError with every problem of a phase */
export async function build(options: BuildOptions): Promise<Server> {
  const { configuration, loadTelemetry } = options
  const { settings, plugins } = configuration
  const logger = options.logger ?? (await makeLogger({ level: settings.logLevel }))
  for (const warning of configuration.warnings) logger.warn(warning)
  const telemetry = settings.telemetry ? await loadTelemetry?.(logger) : undefined
  const slowStatements = makeSlowStatements(settings, logger)
  const database = makeDatabase({
    onMaintenanceError: error => logger.error({ err: error }, 'the maintenance of the database failed'),
    onReadOnly(isReadOnly, freeBytes) {
      if (isReadOnly) logger.error({ freeBytes }, 'the disk is nearly full: writes are refused until space is freed')
      else logger.info({ freeBytes }, 'the disk has space again: writes are taken')
    },
    onUnreachableWorker: (worker, error) =>
      logger.warn({ worker, err: error }, 'a worker is not reached from here: its workspaces are read more slowly'),
    url: settings.databaseUrl,
    dataDir: settings.dataDir,
    lowMemory: settings.lowMemory,
    poolSize: settings.databasePool,
    plainStatements: settings.plainStatements,
    slowStatements,
    onAnswer: telemetry?.addStatement,
    ...options.database
  })
  try {
    return await assemble(options, plugins, { database, logger, slowStatements, telemetry })
  } catch (error) {
    await database.close()
    throw error
  }
}

interface Parts {
  database: Database
  logger: FastifyBaseLogger
  slowStatements: ReturnType<typeof makeSlowStatements>
  telemetry: Telemetry | undefined
}

async function assemble(
  options: BuildOptions,
  plugins: readonly Plugin[],
  { database, logger, slowStatements, telemetry }: Parts
): Promise<Server> {
  const { configuration, fakes = {}, now, leaseSeconds, preparesEarly } = options
  const { settings } = configuration
  const app = await makeHttp({ ...settings, logger })
  telemetry?.observeRequests(app)
  const handlersEnd = trackHandlers(app)
  const kernel = makeKernel({ app, logger, database, settings, plugins, fakes, leaseSeconds, telemetry, now })
  const { jobs, events, points, singletons } = kernel
  let started = false
  await addCoreRoutes(kernel, { settings, plugins, started: () => started, telemetry })
  contributeCore(kernel, plugins, options, slowStatements.counter, () => migrateOnce())
  // Before the plugins' own hooks: this process must not fetch a job again that one of them returns to the queue.
  app.addHook('preClose', async () => jobs.stopFetching())
  const registered = await registerAll(kernel, plugins, fakes)
  const routed = addServicesAndRoutes(kernel, plugins, registered).then(async () => {
    app.addHook('onClose', () => handlersEnd().then(singletons.stop))
    await app.ready()
  })
  let migrated: Promise<void> | undefined
  const migrateOnce = () => (migrated ??= migrate(kernel, plugins, routed))
  // `start` awaits the same promise, and reports its error.
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
        await app.close().catch((err: unknown) => app.log.error({ err }, 'the server could not be closed'))
        throw error
      }
    },
    reload: configuration => reload(kernel, settings, configuration),
    close: () => app.close().finally(telemetry?.stop)
  }
}

function reload({ setLogLevel }: Kernel, running: Settings, configuration: Configuration): Reloaded {
  const reloaded = reloadSettings(running, configuration)
  if (reloaded.changed.includes('logLevel')) setLogLevel(running.logLevel)
  return reloaded
}

function contributeCore(
  kernel: Kernel,
  plugins: readonly Plugin[],
  options: BuildOptions,
  slowStatements: Counter,
  migrate: () => Promise<void>
): void {
  const { app, points, database, events, list, now } = kernel
  const { settings } = options.configuration
  const folders = list(backupFolders)
  const source = (): BackupSource => ({
    database,
    folders: folders(),
    now,
    migrate,
    openEmbedded: dataDir => openEmbedded(options, dataDir)
  })
  addCoreJobs(kernel, settings, source)
  points.add(eventTypes, 'core', () => accountEvents)
  points.add(metrics, 'core', () => [(registry: Registry) => registry.registerMetric(slowStatements)])
  points.add(examinations, 'core', () => [
    ...coreExaminations({ database, events, settings, now }),
    ...(settings.telemetry ? [telemetryExamination] : [])
  ])
  points.add(commands, 'core', () => [
    ...deadLetterCommands({ db: database.db, events, now }),
    ...backupCommands(source),
    distributeCommand(database, tablesOf(plugins)),
    doctorCommand(list(examinations)),
    telemetryCommand(),
    upgradeCommand({ database, owners: ownersOf(plugins), log: app.log, migrate })
  ])
}

async function openEmbedded(options: BuildOptions, dataDir: string): ReturnType<BackupSource['openEmbedded']> {
  const { settings, ...rest } = options.configuration
  const { databaseUrl: _, ...others } = settings
  const server = await build({
    ...options,
    configuration: { ...rest, settings: { ...others, dataDir, jobs: false, telemetry: false } },
    database: {},
    preparesEarly: false
  })
  try {
    await server.migrate()
  } catch (error) {
    await server.close()
    throw error
  }
  return server
}

/** Migrates the database after `routed`: a problem with a route stops the start before the database is changed. */
async function migrate(
  { app, database, singletons }: Kernel,
  plugins: readonly Plugin[],
  routed: Promise<void>
): Promise<void> {
  await database.open()
  await runExclusively(database, async () => {
    await migrateAll(database.db, ownersOf(plugins), app.log, routed)
    if (database.kind === 'postgres' && (await distributeNewTables(database.db, tablesOf(plugins)))) {
      await database.markDistributed()
    }
    await singletons.get<Jobs>('core/jobs').prepare()
    await singletons.get<EventLog>('core/events').prepare()
  }).catch((error: unknown) => {
    const explained = explainMigrationError(error)
    throw explained === undefined ? error : new Error(explained, { cause: error })
  })
}

export const ownersOf = (plugins: readonly Plugin[]): Owner[] => [
  { name: 'core', migrations: coreMigrations },
  ...plugins.flatMap(({ name, spec: { migrations } }) => (migrations ? [{ name, migrations }] : []))
]

const tablesOf = (plugins: readonly Plugin[]) => plugins.map(({ spec }) => spec.tables)

const coreMigrations = {
  '001_accounts': () => import('../db/migrations/001_accounts.ts'),
  '002_confined_tokens': () => import('../db/migrations/002_confined_tokens.ts'),
  '003_sessions': () => import('../db/migrations/003_sessions.ts'),
  '004_events': () => import('../db/migrations/004_events.ts'),
  '005_idempotency_keys': () => import('../db/migrations/005_idempotency_keys.ts'),
  '006_consumer_attempts': () => import('../db/migrations/006_consumer_attempts.ts'),
  '007_consumer_crashes': () => import('../db/migrations/007_consumer_crashes.ts'),
  '008_job_crashes': () => import('../db/migrations/008_job_crashes.ts'),
  '009_sign_in_places': () => import('../db/migrations/009_sign_in_places.ts')
}
