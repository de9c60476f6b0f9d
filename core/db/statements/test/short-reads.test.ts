import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import {
  onPostgres,
  runsOnCitus,
  testServer,
  TEST_DATABASE_URL,
  type TestServer
} from '../../../../test/runner/harness.ts'
import { noPgBouncer, ownPgBouncer } from '../../../../test/runner/own-pgbouncer.ts'
import { ownPostgres } from '../../../../test/runner/own-postgres.ts'
import { onNodes } from '../../../../test/runner/templates.ts'
import { configure } from '../../../config/config.ts'
import { makeDatabase, type Database } from '../../database.ts'
import { asShortRead } from '../statement.ts'
import { SHORT_READ_CONNECTIONS } from '../../limits.ts'

const onRealPostgres = { skip: !onPostgres && 'needs a PostgreSQL server' }
const plugins = ['workspace', 'issues']

async function serverWith(t: Test, settings: Record<string, unknown> = {}): Promise<TestServer> {
  const server = await testServer({ plugins, settings: { jobs: false, ...settings } })
  t.teardown(() => server.close())
  return server
}

function databaseAt(t: Test, url: string, answerTimeoutMs = 10_000): Database {
  const database = makeDatabase({ url, poolSize: 2, shortReadTimeouts: { statementTimeoutMs: 500, answerTimeoutMs } })
  t.teardown(() => database.close())
  return database
}

async function clientOf(t: Test, connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {}) // its server is killed by some of these tests
  await client.connect()
  t.teardown(() => client.end())
  return client
}

async function untilWaiting({ databaseUrl }: TestServer, n: number): Promise<void> {
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await onNodes(databaseUrl!, waiting)).length < n) await sleep(10)
}

/** A short read that takes the given time. */
const pause = ({ db }: Database, seconds: number) =>
  sql`select pg_sleep(${seconds}) as ${sql.ref(MARK)}`.execute(asShortRead(db))
/** Marks this process's statements. */
const MARK = `paused_by_${process.pid}`
const one = async ({ db }: Database) =>
  (await sql<{ n: number }>`select ${1}::int as n`.execute(asShortRead(db))).rows[0]?.n

/** The outcome of each: the error's SQLSTATE, else its message; 'answered' without an error. */
const outcomes = async (reads: Promise<unknown>[]) =>
  (await Promise.allSettled(reads)).map(result =>
    result.status === 'fulfilled' ? 'answered' : ((result.reason as { code?: string }).code ?? String(result.reason))
  )

t.test(
  'a busy process has so few connections by default that five fit into the 100 of PostgreSQL',
  onRealPostgres,
  async t => {
    const { settings } = await configure({}, {})
    const server = await serverWith(t, { databasePool: settings.databasePool })
    const other = await clientOf(t, TEST_DATABASE_URL!)
    const work = Array.from({ length: 60 }, (_, n) =>
      server.ok('/v1/issues', { body: { teamId: 'ENG', title: `Issue ${n}` } })
    )
    await Promise.all(work)
    const { rows } = await other.query<{ connections: number }>(
      // Without those between the nodes of Citus.
      `select count(*)::int as connections from pg_stat_activity
      where datname = $1 and backend_type = 'client backend' and application_name not like 'citus\\_internal%'`,
      [new URL(server.databaseUrl!).pathname.slice(1)]
    )
    const { connections } = rows[0]!
    t.ok(connections > 12, 'it uses its pool')
    // Three are reserved for superusers.
    t.ok(5 * connections <= 97, `${connections} connections`)
  }
)

t.test('issues are read while every connection of the pool is taken by changes that wait', onRealPostgres, async t => {
  const server = await serverWith(t, { databasePool: 2 })
  const { id } = await server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Locked' } })
  const other = await clientOf(t, server.databaseUrl!)
  await other.query('begin')
  const { id: workspace } = await server.database.db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  await other.query('select from issue where workspace_id = $1 for update', [workspace])
  const changes = [1, 2].map(n => server.call(`/v1/issues/${id}`, { body: { title: `Changed ${n}` } }))
  await untilWaiting(server, 2)

  for (const path of [`/v1/issues/${id}/context`, `/v1/issues/${id}`, '/v1/users/me', '/v1/teams']) {
    t.equal((await server.call(path)).statusCode, 200, path)
  }
  t.equal((await server.call('/v1/issues/filter', { body: { view: 'list' } })).statusCode, 200, 'a page of the board')
  await other.query('rollback')
  for (const change of changes) t.equal((await change).statusCode, 200)
})

t.test('any number of short reads at once share a few connections', onRealPostgres, async t => {
  const { database } = await serverWith(t)
  const pid = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(asShortRead(database.db))).rows[0]!.pid
  t.equal(new Set(await Promise.all(Array.from({ length: 100 }, pid))).size, SHORT_READ_CONNECTIONS)
})

t.test('a short read of a transaction is sent in the transaction', onRealPostgres, async t => {
  const { database } = await serverWith(t)
  await database.db.transaction().execute(async trx => {
    const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`
    t.strictSame((await pid.execute(asShortRead(trx))).rows, (await pid.execute(trx)).rows)
  })
})

t.test('a statement takes the connection with the fewest in flight', onRealPostgres, async t => {
  const server = await serverWith(t)
  const other = await clientOf(t, server.databaseUrl!)
  await other.query('select pg_advisory_lock(1)')
  const waiting = Array.from({ length: SHORT_READ_CONNECTIONS - 1 }, () =>
    sql`select pg_advisory_lock_shared(1)`.execute(asShortRead(server.database.db))
  )
  await untilWaiting(server, waiting.length)
  for (let n = 0; n < 5; n++) t.equal(await one(server.database), 1)
  await other.query('select pg_advisory_unlock(1)')
  await Promise.all(waiting)
})

const isOnCitus = await runsOnCitus()
const sharing = isOnCitus ? { skip: 'on Citus, each goes to a connection of its own' } : onRealPostgres
t.test('reads that are sent together share the connection with the fewest in flight', sharing, async t => {
  const server = await serverWith(t)
  const { database } = server
  const other = await clientOf(t, server.databaseUrl!)
  await other.query('select pg_advisory_lock(1)')
  const pids = async () => {
    const together = database.readsTogether()
    const pid = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid from pg_advisory_lock_shared(1)`.execute(together))
        .rows[0]!.pid
    return new Set(await Promise.all([pid(), pid(), pid()]))
  }
  const reading = pids()
  await untilWaiting(server, 1)
  const readingToo = pids()
  await untilWaiting(server, 2)
  await other.query('select pg_advisory_unlock(1)')
  const [some, others] = await Promise.all([reading, readingToo])
  t.equal(some.size, 1)
  t.equal(others.size, 1)
  t.not([...others][0], [...some][0])
})

const onlyOnCitus = { skip: !isOnCitus && 'needs TEST_DATABASE_URL of a Citus cluster' }
t.test('on Citus, reads that are sent together go to several connections', onlyOnCitus, async t => {
  const { database } = await serverWith(t)
  const together = database.readsTogether()
  const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(together)).rows[0]!.pid
  t.equal(new Set(await Promise.all([pid(), pid()])).size, 2)
})

t.test('what writes is refused', onRealPostgres, async t => {
  const { database } = await serverWith(t)
  await t.rejects(sql`update account set fullname = 'x'`.execute(asShortRead(database.db)), { code: '25006' })
})

t.test('a statement that hangs is cancelled, and those behind it are answered', onRealPostgres, async t => {
  const database = databaseAt(t, TEST_DATABASE_URL!)
  const hanging = Array.from({ length: SHORT_READ_CONNECTIONS }, () => pause(database, 60))
  const behind = Array.from({ length: 20 }, () => one(database))
  t.strictSame(new Set(await outcomes(hanging)), new Set(['57014']))
  t.strictSame(new Set(await Promise.all(behind)), new Set([1]))
})

t.test('a server of its own', onRealPostgres, async t => {
  const own = await ownPostgres()
  t.teardown(own.remove)

  t.test('that answers no more: every read fails, and the next one after it goes on is answered', async t => {
    const database = databaseAt(t, own.url, 1_000)
    await Promise.all(Array.from({ length: SHORT_READ_CONNECTIONS }, () => pause(database, 0.1)))
    await own.pause()
    const results = await outcomes(Array.from({ length: 20 }, () => one(database)))
    t.notOk(results.includes('answered'))
    await own.resume()
    t.equal(await one(database), 1)
  })

  t.test('that is killed amid reads: each fails, and after its restart they are answered', async t => {
    const database = databaseAt(t, own.url)
    t.equal(await one(database), 1)
    const results = outcomes(Array.from({ length: 20 }, () => pause(database, 60)))
    await sleep(50)
    await own.kill()
    t.notOk((await results).includes('answered'))
    t.strictSame(await outcomes([one(database), one(database)]), ['ECONNREFUSED', 'ECONNREFUSED'])
    await own.start()
    t.equal(await one(database), 1)
  })
})

t.test('a connection that the server ends is replaced, by whatever was in flight', onRealPostgres, async t => {
  const { database } = await serverWith(t)
  const pids = (
    await Promise.all(
      Array.from({ length: SHORT_READ_CONNECTIONS }, () =>
        sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(asShortRead(database.db))
      )
    )
  ).map(({ rows }) => rows[0]!.pid)
  const results = outcomes(Array.from({ length: 3 * SHORT_READ_CONNECTIONS }, () => pause(database, 60)))
  await sleep(50)
  await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as pid`.execute(database.db)
  const ended = await results
  t.notOk(ended.includes('answered'))
  t.equal(ended.filter(outcome => outcome === '57P01').length, SHORT_READ_CONNECTIONS, 'what ran is told so')
  t.equal(await one(database), 1)
})

t.test('statements in flight do not rely on one that is being prepared and fails', onRealPostgres, async t => {
  const { database } = await serverWith(t)
  const fails = () => sql`select ${1}::int from there_is_no_such_table`.execute(asShortRead(database.db))
  t.strictSame(await outcomes([fails()]), ['42P01'])
  t.strictSame(new Set(await outcomes(Array.from({ length: 40 }, fails))), new Set(['42P01']))
})

t.test('a statement that repeats is prepared once per shared connection', onRealPostgres, async t => {
  const { database } = await serverWith(t)
  const marked = () => sql`select ${1}::int as marked_for_reads`.execute(asShortRead(database.db))
  await marked()
  for (let n = 0; n < 3; n++) await Promise.all(Array.from({ length: 40 }, marked))
  const counts = await Promise.all(
    Array.from({ length: SHORT_READ_CONNECTIONS }, () =>
      sql<{ n: number }>`
        select count(*) as n from pg_prepared_statements
        where statement like '%marked_for_reads%' and statement not like '%pg_prepared%'`.execute(
        asShortRead(database.db)
      )
    )
  )
  t.strictSame(
    counts.map(({ rows }) => rows[0]!.n),
    Array.from({ length: SHORT_READ_CONNECTIONS }, () => 1)
  )
})

t.test('PgBouncer in transaction mode', { skip: onRealPostgres.skip || noPgBouncer() || false }, async t => {
  const pooler = await ownPgBouncer(TEST_DATABASE_URL!)
  t.teardown(pooler.remove)
  const database = databaseAt(t, pooler.through(TEST_DATABASE_URL!))
  const admin = await clientOf(t, TEST_DATABASE_URL!)
  const number = async (n: number) =>
    (await sql<{ n: number }>`select ${n}::int as n`.execute(asShortRead(database.db))).rows[0]!.n
  const numbers = Array.from({ length: 200 }, (_, n) => n)

  t.test('gives each of many reads at once its own rows, again and again', async t => {
    for (let round = 0; round < 5; round++) t.strictSame(await Promise.all(numbers.map(number)), numbers)
  })

  t.test('a read that fails does not fail the others', async t => {
    const fails = () => sql`select ${1}::int / ${0}::int`.execute(asShortRead(database.db))
    const results = await outcomes(numbers.map(n => (n % 5 === 0 ? fails() : number(n))))
    t.strictSame(
      results,
      numbers.map(n => (n % 5 === 0 ? '22012' : 'answered'))
    )
  })

  t.test('that loses its server fails the reads in flight, and answers the next one', async t => {
    const results = outcomes(numbers.slice(0, 12).map(() => pause(database, 60)))
    await sleep(100)
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like $1`, [`%"${MARK}"%`])
    t.notOk((await results).includes('answered'))
    t.equal(await one(database), 1)
  })
})

t.test('the embedded database reads on its one connection', async t => {
  const database = makeDatabase({ poolSize: 20 })
  t.teardown(() => database.close())
  t.equal(await one(database), 1)
  t.equal(asShortRead(database.db), database.db)
  t.equal(database.connections().most, 1)
})
