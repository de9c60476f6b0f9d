import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Database } from '../db/database.ts'
import type { EventLog } from '../events/log.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { version } from '../../lib/packages/version.ts'
import type { Contract, Contribution } from '../api/contract.ts'
import type { App } from '../api/plugin.ts'
import { answers, Closed } from '../api/schemas.ts'
import { readScope } from '../api/scopes.ts'
import type { HealthCheck } from '../api/points.ts'

interface HealthOptions {
  database: Database
  jobs: Jobs
  events: EventLog
  started: () => boolean
  checks: () => ReadonlyArray<Contribution<HealthCheck>>
  plugins: ReadonlyArray<{ name: string; summary: string }>
  /** Optional dependencies that are off, so that operators see them. */
  off: readonly Contract[]
}

const PluginState = Closed({
  name: Type.String(),
  summary: Type.String(),
  health: Type.Object({ state: Type.String() }, { additionalProperties: true })
})

/** `/health/live`: the process answers. `/health/ready`: 503 while a load balancer should send no requests. */
export const health = fp<HealthOptions>(
  async (app, options) => {
    app.get(
      '/health/live',
      {
        config: { public: true },
        schema: {
          tags: ['operations'],
          summary: 'Whether the process runs',
          response: { 200: Type.Object({ status: Type.String() }) }
        }
      },
      async () => ({ status: 'live' })
    )
    readyRoute(app as unknown as App, options)
    pluginsRoute(app as unknown as App, options)
  },
  { name: 'health' }
)

function readyRoute(app: App, options: HealthOptions): void {
  const { database, jobs, events, started, checks, off } = options
  app.get(
    '/health/ready',
    {
      config: { public: true },
      schema: {
        tags: ['operations'],
        summary: 'Whether it can serve requests, and how its parts are',
        description:
          'Answers 503 while it cannot: without its database, while tables are migrated, or when nothing can be ' +
          'stored. `status` is `degraded`, with 200, while only a part is down: background work, what a plugin ' +
          'needs, or some of the workers of a distributed database. `database.state` is `up`, `down`, or ' +
          '`read-only`: then nothing can be stored, with the embedded database because its disk is nearly full, and ' +
          'reading goes on. ' +
          '`events.consumers` tells how each consumer of the event log is: `up`, `behind`, `rebuilding` or ' +
          '`failing`; with a token, `events.lag` tells by how many events and seconds it is behind.'
      }
    },
    async (request, reply) => {
      const [databaseState, eventsState, ...others] = await Promise.all([
        databaseHealth(database),
        eventsHealth(events, () => isAuthenticated(app, request)),
        ...runChecks(checks(), app.log)
      ])
      const jobsState = jobs.health()
      const canServe = started() && databaseState.state === 'up'
      const isWhole = jobsState.state !== 'down' && others.every(({ state }) => state !== 'down')
      return reply.code(canServe ? 200 : 503).send({
        ...Object.fromEntries(off.map(({ name, healthWhenOff }) => [name, { state: 'off', ...healthWhenOff }])),
        ...Object.fromEntries(others.map(({ name, ...shown }) => [name, shown])),
        // Last: the plugin `events` has the name of the core's event log.
        status: !canServe ? 'not ready' : isWhole ? 'ready' : 'degraded',
        version,
        database: databaseState,
        migrations: { state: started() ? 'done' : 'running' },
        jobs: jobsState,
        events: eventsState
      })
    }
  )
}

function pluginsRoute(app: App, { checks, plugins }: HealthOptions): void {
  app.get(
    '/v1/plugins',
    {
      config: { scope: readScope },
      schema: {
        tags: ['operations'],
        summary: 'The plugins that are on, and how each is',
        response: answers(200, Type.Array(PluginState))
      }
    },
    async () => {
      const states = await Promise.all(runChecks(checks(), app.log))
      const health = new Map(states.map(({ name, ...health }) => [name, health]))
      return plugins.map(({ name, summary }) => ({ name, summary, health: health.get(name) ?? { state: 'on' } }))
    }
  )
}

const runChecks = (checks: ReadonlyArray<Contribution<HealthCheck>>, log: FastifyBaseLogger) =>
  checks.map(async ({ from: name, item: check }) => ({
    name,
    ...(await check().catch((error: unknown) => {
      log.warn({ err: error, check: name }, 'a health check failed')
      return { state: 'down' }
    }))
  }))

/** The event log's state, which does not decide readiness. @param mayKnow whether the caller may see the lag */
async function eventsHealth(events: EventLog, mayKnow: () => Promise<boolean>) {
  try {
    const lags = await events.lags()
    return {
      state: lags.every(({ state }) => state === 'up') ? 'up' : 'behind',
      consumers: Object.fromEntries(lags.map(({ name, state }) => [name, state])),
      ...((await mayKnow()) && {
        lag: Object.fromEntries(lags.map(({ name, events, seconds }) => [name, { events, seconds }]))
      })
    }
  } catch {
    return { state: 'down' }
  }
}

/** True if a request has a token that is not confined. */
async function isAuthenticated(app: App, request: FastifyRequest): Promise<boolean> {
  if (request.headers.authorization === undefined) return false
  return app.authenticate(request).then(
    ({ confinedTo }) => confinedTo === undefined,
    () => false
  )
}

async function databaseHealth({ db, kind }: Database) {
  try {
    // Raw: a setting, not a query.
    const {
      rows: [transaction]
    } = await sql<{ readOnly: string }>`
      select current_setting('transaction_read_only') as "readOnly"`.execute(db)
    return { state: transaction?.readOnly === 'on' ? 'read-only' : 'up', kind }
  } catch {
    return { state: 'down', kind }
  }
}
