import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { runsOnCitus, testServer, type TestServer } from '../../../../test/runner/harness.ts'
import { withConnection } from '../../../../test/runner/templates.ts'
import { statement } from '../../statements/statement.ts'
import type { CoreTables, Id } from '../../../api/database/types.ts'
import { makeWorkers, type WorkerConnections, type Workers, type WorkersOptions } from '../workers.ts'

const skip = !(await runsOnCitus()) && 'needs TEST_DATABASE_URL of a Citus cluster'
const PATIENCE_MS = 10_000

/** The client connected to the worker: Citus has a name of its own. */
const client = statement<{ workspaceId: Id }, { name: string; pid: number }>(
  import.meta,
  'client',
  ({ workspaceId }) => sql`
  select current_setting('application_name') as name, pg_backend_pid() as pid from workspace where id = ${workspaceId}`
)

async function serverOf(t: Test): Promise<{ server: TestServer; workspaceId: Id }> {
  const server = await testServer({ plugins: ['workspace', 'issues'], settings: { jobs: false } })
  t.teardown(() => server.close())
  const { id } = await server.database.db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  return { server, workspaceId: id }
}

/** Reads until a read was sent to the worker itself. @returns the process there */
async function readDirectly({ database }: TestServer, workspaceId: Id): Promise<number> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
    const [read] = await client(database.db, { workspaceId })
    if (read?.name === 'tracker') return read.pid
  }
  throw new Error('No read went to the worker')
}

async function workerUrls({ databaseUrl, database }: TestServer): Promise<string[]> {
  const { rows } = await sql<{ host: string; port: number }>`
    select nodename as host, nodeport as port from pg_dist_node where groupid <> 0`.execute(database.db)
  return rows.map(({ host, port }) => Object.assign(new URL(databaseUrl!), { hostname: host, port: String(port) }).href)
}

t.test('short reads of a workspace go to its worker', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  await t.resolves(readDirectly(server, workspaceId))
})

t.test('reads in a transaction go through the coordinator, which has the transaction', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  await readDirectly(server, workspaceId)
  await server.database.db.transaction().execute(async trx => {
    t.match(await client(trx, { workspaceId }), [{ name: /^citus/ }])
  })
})

t.test('a read that a worker fails to answer is answered through the coordinator', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  await readDirectly(server, workspaceId)
  for (const url of await workerUrls(server)) {
    await withConnection(url, other =>
      other.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'tracker' and datname = current_database() and pid <> pg_backend_pid()`)
    )
  }
  const reads = Array.from({ length: 20 }, () => client(server.database.db, { workspaceId }))
  for (const answer of await Promise.all(reads)) t.equal(answer.length, 1)
})

const teams = statement<{ workspaceId: Id; name: string }, { identifier: string; isNamed: boolean }>(
  import.meta,
  'teams',
  ({ workspaceId, name }) => sql`
  with recursive own as (select * from team where workspace_id = ${workspaceId})
  select own.identifier, own.name = ${name} as "isNamed" from own order by own.identifier`
)
/** The statements that a session of the worker has prepared. */
const prepared = statement<{ workspaceId: Id }, { text: string }>(
  import.meta,
  'prepared',
  ({ workspaceId }) => sql`select statement as text from pg_prepared_statements where ${workspaceId}::uuid is not null`
)

t.test('a session of the worker keeps the plan of a read, of the tables of the shard', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { db } = server.database
  await readDirectly(server, workspaceId)
  for (let n = 0; n < 4; n++) {
    t.strictSame(await teams(db, { workspaceId, name: 'Engineering' }), [{ identifier: 'ENG', isNamed: true }])
  }
  const texts = (await prepared(db, { workspaceId })).map(({ text }) => text)
  const ofTeams = texts.filter(text => text.includes('own.identifier'))
  t.equal(ofTeams.length, 1)
  t.match(ofTeams[0], /^with "team" as not materialized \(select \* from team_\d+\) select \* from \(/)
})

t.test('the same session reads each workspace in its own shard', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { db } = server.database
  for (const { id } of [await server.otherWorkspace(), await server.otherWorkspace()]) {
    await readDirectly(server, id)
    t.strictSame(await teams(db, { workspaceId: id, name: 'x' }), [])
  }
  await readDirectly(server, workspaceId)
  t.strictSame(await teams(db, { workspaceId, name: 'x' }), [{ identifier: 'ENG', isNamed: false }])
})

t.test('a workspace that has moved to another worker is read there from then on', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { db } = server.database
  await readDirectly(server, workspaceId)
  // Raw: functions of Citus and its catalogue.
  await sql`
    select citus_move_shard_placement(p.shardid, own.nodename, own.nodeport, other.nodename, other.nodeport,
      'block_writes')
    from pg_dist_placement p
    join pg_dist_node own on own.groupid = p.groupid
    join pg_dist_node other on other.groupid <> p.groupid and other.shouldhaveshards
    where p.shardid = get_shard_id_for_distribution_column('workspace', ${workspaceId}::uuid)`.execute(db)
  await db.updateTable('workspace').set({ name: 'Moved' }).where('id', '=', workspaceId).execute()
  const [read] = await named(db, { workspaceId })
  t.strictSame(read, { name: 'Moved' }, 'at once')
  await t.resolves(readDirectly(server, workspaceId))
  t.strictSame(await named(db, { workspaceId }), [{ name: 'Moved' }])
})
const named = statement<{ workspaceId: Id }, { name: string }>(
  import.meta,
  'named',
  ({ workspaceId }) => sql`select name from workspace where id = ${workspaceId}`
)

t.test(
  'a read that is wrong fails as through the coordinator, and the next ones go to the worker',
  { skip },
  async t => {
    const { server, workspaceId } = await serverOf(t)
    await readDirectly(server, workspaceId)
    await t.rejects(halved(server.database.db, { workspaceId, n: 0 }), { code: '22012' })
    t.strictSame(await halved(server.database.db, { workspaceId, n: 2 }), [{ half: 4 }])
    await t.resolves(readDirectly(server, workspaceId))
  }
)
const halved = statement<{ workspaceId: Id; n: number }, { half: number }>(
  import.meta,
  'halved',
  ({ workspaceId, n }) => sql`select 8 / ${n}::integer as half from workspace where id = ${workspaceId}`
)

/** The workers of a server. @param connect to the URL of one */
function workersOf(
  t: Test,
  { databaseUrl, database }: TestServer,
  connect: (url: string) => WorkerConnections['reads']
) {
  const failed: unknown[] = []
  const options: WorkersOptions = {
    url: databaseUrl!,
    coordinator: database.db,
    connect: url => ({ reads: connect(url), inFlight: () => 0, close: async () => {} }),
    onUnreachable: (worker, error) => failed.push([worker, error]),
    lookUpEveryMs: 0
  }
  const workers = makeWorkers(options)
  t.teardown(() => workers.close())
  return { workers, failed }
}

/** Reads the name of the client's session; undefined: not directly. */
const clientOf = async (workers: Workers, { database: { db } }: TestServer, workspaceId: Id) => {
  const query = sql<{ name: string }>`
    select current_setting('application_name') as name from workspace where id = ${workspaceId}`.compile(db)
  return (await workers.read(workspaceId, query))?.[0]?.name
}

t.test('another server that answers under the name of a worker is not used, which is told once', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { server: other } = await serverOf(t)
  const { workers, failed } = workersOf(t, server, () => other.database.db)
  for (let n = 0; n < 3; n++) {
    t.equal(await clientOf(workers, server, workspaceId), undefined)
    await workers.close()
  }
  t.match(failed, [[/^\S+:\d+$/, { message: 'Another server answers there' }]])
  t.equal(failed.length, 1)
})

t.test('a worker that has failed is used again after it was looked up again', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  let isAway = false
  const { workers, failed } = workersOf(t, server, url => {
    const pool = new pg.Pool({ connectionString: url, application_name: 'direct' })
    const connect = () => (isAway ? Promise.reject(new Error('away')) : pool.connect())
    t.teardown(() => pool.end())
    return new Kysely<CoreTables>({
      dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } })
    })
  })
  t.equal(await clientOf(workers, server, workspaceId), undefined, 'not known yet')
  await workers.close()
  t.equal(await clientOf(workers, server, workspaceId), 'direct')
  await workers.close()
  isAway = true
  t.equal(await clientOf(workers, server, workspaceId), undefined)
  await workers.close()
  t.match(failed, [[/^\S+:\d+$/, { message: 'away' }]])
  isAway = false
  t.equal(await clientOf(workers, server, workspaceId), undefined, 'not looked up again yet')
  await workers.close()
  t.equal(await clientOf(workers, server, workspaceId), 'direct')
})
