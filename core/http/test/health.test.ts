import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import pg from 'pg'
import { TEST_DATABASE_URL, testServer } from '../../../test/runner/harness.ts'
import { contract } from '../../api/contract.ts'
import { version } from '../../../lib/packages/version.ts'
import { definePlugin, dependsOn } from '../../api/plugin.ts'
import { healthChecks } from '../../api/points.ts'

t.test('without its database the process lives and is not ready', async t => {
  const server = await testServer({ plugins: ['workspace'] })
  t.teardown(() => server.close())
  t.match((await server.call('/health/ready', { token: null })).json(), {
    status: 'ready',
    database: { state: 'up' },
    migrations: { state: 'done' },
    jobs: { state: 'up' },
    events: { state: 'up', consumers: {} }
  })
  await server.events.stop()
  await server.jobs.stop()
  await server.database.db.destroy()
  const ready = await server.call('/health/ready', { token: null })
  t.equal(ready.statusCode, 503)
  t.strictSame(ready.json(), {
    ui: { state: 'off' },
    status: 'not ready',
    version,
    database: { state: 'down', kind: server.database.kind },
    migrations: { state: 'done' },
    jobs: { state: 'down' },
    events: { state: 'down' }
  })
  t.equal((await server.call('/health/live', { token: null })).statusCode, 200)
})

t.test(
  'requests during an outage of PostgreSQL are told to come back, and those after it are answered',
  { skip: !TEST_DATABASE_URL && 'needs a PostgreSQL server' },
  async t => {
    const server = await testServer({ plugins: ['workspace'] })
    t.teardown(() => server.close())
    const name = new URL(server.databaseUrl!).pathname.slice(1)
    const admin = new pg.Client({ connectionString: TEST_DATABASE_URL })
    await admin.connect()
    t.teardown(() => admin.end())

    await admin.query(`alter database ${name} with allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    const ready = await server.call('/health/ready', { token: null })
    t.equal(ready.statusCode, 503)
    t.strictSame(ready.json().database, { state: 'down', kind: 'postgres' })
    const answer = await server.call('/v1/users/me')
    t.equal(answer.statusCode, 503)
    t.match(answer.json(), { code: 'OVERLOADED', message: /^The database of the server cannot be reached/ })
    t.match(answer.headers, { 'retry-after': String })

    await admin.query(`alter database ${name} with allow_connections true`)
    const isReady = async () => (await server.call('/health/ready', { token: null })).statusCode === 200
    // The server may notice only now that a connection was cut.
    for (let n = 0; n < 100 && !(await isReady()); n++) await sleep(50)
    t.ok(await isReady())
    t.equal((await server.call('/v1/users/me')).statusCode, 200)
  }
)

t.test('a check that fails shows its state and not why', async t => {
  const failing = definePlugin(dependsOn(contract()('failing')), {
    summary: 'Fails',
    register(ctx) {
      ctx.contribute(healthChecks, async () => {
        throw new Error('connect ECONNREFUSED 10.1.2.3:5432')
      })
    }
  })
  const server = await testServer({ plugins: ['workspace'], also: { failing: async () => ({ default: failing }) } })
  t.teardown(() => server.close())
  const ready = await server.call('/health/ready', { token: null })
  t.equal(ready.statusCode, 200, 'the rest of the server works')
  t.match(ready.json(), { status: 'degraded', failing: { state: 'down' } })
  t.strictSame(ready.json().failing, { state: 'down' })
})
