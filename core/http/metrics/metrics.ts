import fp from 'fastify-plugin'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../../db/database.ts'
import type { EventLog } from '../../events/log.ts'
import type { EventStreams } from '../../events/http/streams.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Metrics } from '../../api/points.ts'

interface MetricsOptions {
  database: Database
  jobs: Jobs
  events: EventLog
  streams: EventStreams
  /** True if no token is required. */
  publicMetrics: boolean
  contributed: () => readonly Metrics[]
}

function eventMetrics(events: EventLog, streams: EventStreams): Gauge[] {
  const lag = (unit: 'events' | 'seconds', help: string) =>
    new Gauge({
      name: `tracker_event_consumer_lag_${unit}`,
      help,
      labelNames: ['consumer'],
      registers: [],
      async collect() {
        for (const { name: consumer, [unit]: value } of await events.lags()) this.set({ consumer }, value)
      }
    })
  return [
    lag('events', 'Positions of the event log that a consumer has not passed yet'),
    lag('seconds', 'Seconds since the oldest event happened that a consumer has not passed yet'),
    new Gauge({
      name: 'tracker_event_dead_letters',
      help: 'Events that consumers failed to handle, to be retried or discarded',
      registers: [],
      async collect() {
        this.set(await events.countDeadLetters())
      }
    }),
    new Gauge({
      name: 'tracker_event_streams',
      help: 'Event streams that clients have open to this process',
      registers: [],
      collect() {
        this.set(streams.size)
      }
    })
  ]
}

const serverMetrics = (database: MetricsOptions['database'], jobs: MetricsOptions['jobs']) => [
  new Gauge({
    name: 'tracker_database_connections',
    help: 'Connections to the database',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { waiting, used, most } = database.connections()
      this.set({ state: 'used' }, used)
      this.set({ state: 'most' }, most)
      this.set({ state: 'waited_for' }, waiting)
    }
  }),
  new Gauge({
    name: 'tracker_database_short_reads',
    help: 'Short reads that were sent to the database and not answered yet',
    registers: [],
    collect() {
      this.set(database.shortReadsInFlight())
    }
  }),
  new Gauge({
    name: 'tracker_jobs_pending',
    help: 'Jobs that wait or run',
    registers: [],
    async collect() {
      this.set(await jobs.pending())
    }
  })
]

/** `GET /metrics`, in the text format of Prometheus; a registry per server. */
export const metricsRoute = fp<MetricsOptions>(
  async (app, { database, jobs, events, streams, publicMetrics, contributed }) => {
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    const duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from request to answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry]
    })
    for (const metric of [...serverMetrics(database, jobs), ...eventMetrics(events, streams)]) {
      registry.registerMetric(metric)
    }
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
    })
    app.get(
      '/metrics',
      { config: { public: publicMetrics }, schema: { tags: ['operations'], summary: 'Metrics for Prometheus' } },
      async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics())
    )
  },
  { name: 'metrics' }
)
