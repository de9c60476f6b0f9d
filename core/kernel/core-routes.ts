import { auth } from '../auth/auth.ts'
import type { Configuration } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { afterCommit } from '../db/transactions/request-transaction.ts'
import { health } from '../http/health.ts'
import { idempotency } from '../http/idempotency/index.ts'
import type { Kernel } from './kernel.ts'
import { metricsRoute } from '../http/metrics/metrics.ts'
import { openapi } from '../http/openapi.ts'
import type { Plugin } from '../api/plugin.ts'
import {
  callerHeaders,
  confinedTokens,
  eventCursors,
  healthChecks,
  loginMethods,
  metrics,
  problems,
  requestListeners,
  tokenAudiences
} from '../api/points.ts'
import { sessionRoutes } from '../auth/session-routes.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

interface CoreRoutesOptions {
  settings: Configuration['settings']
  plugins: readonly Plugin[]
  started: () => boolean
  telemetry: Telemetry | undefined
}

export async function addCoreRoutes(kernel: Kernel, options: CoreRoutesOptions): Promise<void> {
  const { app, database, sessions, tokens, points, list, now } = kernel
  const { db } = database
  const { settings } = options
  await app.register(auth, {
    tokens,
    sessions,
    refusals: kernel.refusals,
    publicUrl: settings.publicUrl,
    loginMethods: list(loginMethods),
    callerHeaders: list(callerHeaders),
    confinedTokens: () => points.read(confinedTokens),
    tokenAudiences: () => points.read(tokenAudiences),
    requestListeners: list(requestListeners)
  })
  await app.register(idempotency, {
    db,
    committed: afterCommit,
    pluginHeaders: list(callerHeaders),
    now
  })
  await app.register(openapi, {
    publicDocs: settings.publicDocs,
    confinedTokens: list(confinedTokens),
    problems: list(problems)
  })
  await app.register(sessionRoutes, {
    sessions,
    db,
    transaction: kernel.transaction,
    eventCursors: list(eventCursors)
  })
  app.addHook('onClose', () => sessions.close())
  await addOperationRoutes(kernel, options)
}

async function addOperationRoutes(kernel: Kernel, options: CoreRoutesOptions): Promise<void> {
  const { settings, plugins, started, telemetry } = options
  const { app, database, jobs, events, points, list, on, now } = kernel
  await app.register(health, {
    database,
    jobs,
    events,
    started,
    checks: () => points.read(healthChecks),
    plugins: plugins.map(({ name, spec: { summary } }) => ({ name, summary })),
    off: optionalOf(plugins).filter(({ name }) => !on.has(name))
  })
  await app.register(metricsRoute, {
    database,
    jobs,
    events,
    disks: disksOf(settings, database.kind, now),
    publicMetrics: settings.publicMetrics,
    contributed: list(metrics),
    exports: telemetry?.exportMetrics
  })
}

const optionalOf = (plugins: readonly Plugin[]) => [
  ...new Map(plugins.flatMap(({ dependencies }) => dependencies.optional).map(other => [other.name, other])).values()
]

/** The folders of a server whose disks may become full: PostgreSQL watches its own. */
function disksOf(settings: Configuration['settings'], kind: Database['kind'], now: () => Date) {
  const { dataDir, backupFolder } = settings
  if (kind !== 'embedded') return { folders: {}, backups: undefined }
  if (backupFolder === undefined) return { folders: { data: dataDir }, backups: undefined }
  const newest = async () => {
    // Here, because a start needs none of its libraries.
    const { newestBackup } = await import('../backup/schedule.ts')
    return newestBackup(backupFolder, now())
  }
  return {
    folders: { data: dataDir, backups: backupFolder },
    backups: { newest, everyHours: () => settings.backupEveryHours }
  }
}
