import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Database } from '../../db/database.ts'
import type { EventLog } from '../../events/log.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Metrics } from '../../api/points.ts'
import { diskMetrics, type DiskMetricsOptions } from './disk-metrics.ts'
import { eventMetrics, serverMetrics } from './server-metrics.ts'

/** Milliseconds in which a metric is read; Prometheus waits for 10 seconds by default. */
const COLLECT_TIMEOUT_MS = 5_000
/** Metrics of prom-client that sum over the labels of others, with a suffix that is for counters. */
const NOT_COUNTERS = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

interface MetricsOptions {
  database: Database
  jobs: Jobs
  events: EventLog
  publicMetrics: boolean
  disks: DiskMetricsOptions
  contributed: () => readonly Metrics[]
  /** Sends the metrics to a collector, too. */
  exports?: ((registry: Registry) => void) | undefined
}

/** `GET /metrics`, in the text format of Prometheus; a registry per server. */
export const metricsRoute = fp<MetricsOptions>(
  async (app, { database, jobs, events, disks, publicMetrics, contributed, exports }) => {
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    for (const name of NOT_COUNTERS) registry.removeSingleMetric(name)
    const duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from request to answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry]
    })
    const own = [...serverMetrics(database, jobs), ...eventMetrics(events), ...diskMetrics(disks)]
    for (const metric of own) registry.registerMetric(metric)
    // The pattern of the route, never the path: paths are unbounded and contain names.
    app.addHook('onResponse', (request, reply, done) => {
      duration.observe(
        { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
        reply.elapsedTime / 1000
      )
      done()
    })
    app.addHook('onReady', async () => {
      for (const add of contributed()) add(registry)
      exports?.(registry)
    })
    app.get(
      '/metrics',
      { config: { public: publicMetrics }, schema: { tags: ['operations'], summary: 'Metrics for Prometheus' } },
      async (_request, reply) => reply.type(registry.contentType).send(await textOf(registry))
    )
  },
  { name: 'metrics' }
)

/**
 * The metrics of a registry. One that fails or takes too long is left out: while the database is down, or has no free
 * connection, the others tell so.
 */
async function textOf(registry: Registry): Promise<string> {
  const timer = new AbortController()
  const late = sleep(COLLECT_TIMEOUT_MS, '', { signal: timer.signal })
  const texts = await Promise.all(
    registry
      .getMetricsAsArray()
      .map(({ name }) => Promise.race([registry.getSingleMetricAsString(name), late]).catch(() => ''))
  )
  timer.abort()
  await late.catch(() => {})
  return `${texts.filter(text => text !== '').join('\n\n')}\n`
}
