import { asValue, createContainer, type AwilixContainer } from 'awilix'
import type { FastifyBaseLogger } from 'fastify'
import { auth } from './auth.ts'
import type { Configuration } from './config.ts'
import { exclusively, makeDatabase, transaction, type Database, type DatabaseOptions } from './db/database.ts'
import { migrateAll } from './db/migrate.ts'
import { health } from './health.ts'
import { makeHttp } from './http.ts'
import { makeJobs, type Jobs } from './jobs.ts'
import { makeLogger } from './logger.ts'
import { metricsRoute } from './metrics.ts'
import { openapi } from './openapi.ts'
import type { App, Context, Contract, Plugin } from './plugin.ts'
import { healthChecks, metrics } from './points.ts'
import { resolve, StartError } from './resolve.ts'

export interface BuildOptions {
  configuration: Configuration
  /** Services that stand in for a plugin's own; that plugin is not registered. For tests. */
  fakes?: Record<string, object>
  now?: () => Date
  logger?: FastifyBaseLogger
  database?: Partial<DatabaseOptions>
}

export interface Server {
  readonly app: App
  readonly database: Database
  readonly jobs: Jobs
  /** The services, one key per plugin. */
  readonly container: AwilixContainer
  contributions: Context<Contract, [], [], unknown>['contributions']
  /** Opens the database and brings its tables up to date. */
  migrate(): Promise<void>
  /** Migrates, starts background work and what the plugins start; to be awaited before listening. */
  start(): Promise<void>
  close(): Promise<void>
}

// What a plugin is typed with is known only inside it; to the kernel every context is this one.
type AnyContext = Parameters<Plugin['spec']['register']>[0]

/**
 * The composition root: resolves the plugins that are on, registers them, adds their routes.
 * @throws StartError with every problem, before the database is touched.
 */
export async function build({
  configuration,
  fakes = {},
  now = () => new Date(),
  logger: given,
  database: databaseOptions
}: BuildOptions): Promise<Server> {
  const { settings, plugins, installed } = configuration
  const { order, problems } = resolve(plugins, installed)
  if (problems.length > 0) throw new StartError(problems)

  const logger = given ?? (await makeLogger({ level: settings.logLevel }))
  const database = makeDatabase({
    onCleanError: error => logger.error({ err: error }, 'the database could not be cleaned up'),
    url: settings.databaseUrl,
    dataDir: settings.dataDir,
    poolSize: settings.databasePool,
    ...databaseOptions
  })
  try {
    return await assemble()
  } catch (error) {
    await database.close()
    throw error
  }

  async function assemble(): Promise<Server> {
    const app = await makeHttp({
      prefix: settings.prefix,
      trustProxy: settings.trustProxy,
      maxEventLoopDelay: settings.maxEventLoopDelay,
      logger
    })
    const jobs = makeJobs(database, app.log, settings.jobs)
    const container = createContainer({ strict: true })
    const points = new Map<string, unknown[]>()
    const subscribers = new Map<string, string[]>()
    const onStart: Array<() => Promise<void>> = []
    const onClose: Array<() => Promise<void>> = []
    let started = false

    const contributions = <T>(to: { id: string; item?: T }) => (points.get(to.id) ?? []) as readonly T[]

    function origin(): string {
      const address = app.server.address()
      const port = typeof address === 'object' && address !== null ? address.port : settings.port
      const host = ['0.0.0.0', '::'].includes(settings.host) ? '127.0.0.1' : settings.host
      return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    }

    function contextOf(plugin: Plugin): AnyContext {
      const { enabled: _, ...config } = settings.plugins[plugin.name] ?? {}
      const use = {}
      for (const { name } of [...(plugin.spec.requires ?? []), ...(plugin.spec.optional ?? [])]) {
        Object.defineProperty(use, name, {
          get: () => (container.hasRegistration(name) ? container.resolve(name) : undefined),
          enumerable: true
        })
      }
      return {
        config,
        log: app.log.child({ plugin: plugin.name }),
        db: database.db,
        shortReads: database.shortReads,
        use,
        origin,
        now,
        async transaction(work) {
          return transaction(database.db, async trx => ({ trx, result: await work(trx) })).then(({ trx, result }) => {
            jobs.committed(trx)
            return result
          })
        },
        contribute(to, item) {
          points.set(to.id, [...(points.get(to.id) ?? []), item])
        },
        contributions,
        async emit(trx, event, payloads) {
          // One change goes ahead of the many of an import.
          await jobs.enqueue(trx, subscribers.get(event.name) ?? [], payloads, {
            priority: payloads.length === 1 ? 1 : 0
          })
        },
        on(event, options, handler) {
          const queue = `${event.name}/${plugin.name}`
          subscribers.set(event.name, [...(subscribers.get(event.name) ?? []), queue])
          jobs.addWorker({ queue, keyed: false, options, handler: handler as (payloads: object[]) => Promise<void> })
        },
        enqueue: (db, { name }, payloads, options) => jobs.enqueue(db, [name], payloads, options),
        work(job, options, handler) {
          jobs.addWorker({
            queue: job.name,
            keyed: job.keyed,
            options,
            handler: handler as (payloads: object[], signal: AbortSignal) => Promise<void>
          })
        },
        schedule({ name }, cron) {
          jobs.addSchedule(name, cron)
        },
        onStart(hook) {
          onStart.push(hook)
        },
        onListen(hook) {
          app.addHook('onListen', async () => hook())
        },
        onClose(hook) {
          onClose.unshift(hook)
        }
      }
    }

    await app.register(openapi)
    await app.register(auth, { db: database.db, shortReads: database.shortReads, now })
    await app.register(health, { database, jobs, started: () => started, checks: () => contributions(healthChecks) })
    await app.register(metricsRoute, { database, jobs, contributed: () => contributions(metrics) })

    const contexts = new Map<Plugin, AnyContext>()
    for (const plugin of order) {
      const fake = fakes[plugin.name]
      const context = contextOf(plugin)
      if (!fake) contexts.set(plugin, context)
      try {
        container.register(plugin.name, asValue(fake ?? plugin.spec.register(context)))
      } catch (error) {
        problems.push(`plugins.${plugin.name}: ${(error as Error).message}`)
      }
    }
    if (problems.length > 0) throw new StartError(problems)
    for (const [plugin, context] of contexts) {
      await app.register(async scope => {
        try {
          await plugin.spec.routes?.(scope as unknown as App, context)
        } catch (error) {
          problems.push(`plugins.${plugin.name}: ${(error as Error).message}`)
        }
      })
    }
    app.addHook('onClose', async () => {
      await jobs.stop()
      for (const hook of onClose) await hook()
      await database.close()
    })
    await app.ready()
    if (problems.length > 0) throw new StartError(problems)

    async function migrateTables(): Promise<void> {
      await migrateAll(database.db, [
        { name: 'core', migrations: async () => ({ '001_accounts': await import('./db/migrations/001_accounts.ts') }) },
        ...order.flatMap(({ name, spec }) => (spec.migrations ? [{ name, migrations: spec.migrations }] : []))
      ])
    }

    return {
      app,
      database,
      jobs,
      container,
      contributions,
      async migrate() {
        await database.open()
        await exclusively(database, migrateTables)
      },
      async start() {
        await database.open()
        // The queue makes its tables, too.
        await exclusively(database, async () => {
          await migrateTables()
          await jobs.start()
        })
        for (const hook of onStart) await hook()
        started = true
      },
      close: () => app.close()
    }
  }
}
