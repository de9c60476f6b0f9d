import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { runsOnCitus, testServer, type TestServer } from '../../../../test/runner/harness.ts'
import { withConnection } from '../../../../test/runner/templates.ts'
import { commitInWorkspace, statement } from '../../statements/statement.ts'
import type { Id } from '../../../api/database/types.ts'
import { makeWorkers, type WorkersOptions } from '../workers.ts'

const skip = !(await runsOnCitus()) && 'needs TEST_DATABASE_URL of a Citus cluster'
const PATIENCE_MS = 10_000

/** The client connected to the worker: Citus has a name of its own. */
const client = statement<{ workspaceId: Id }, { name: string; pid: number }>(
  import.meta,
  'client',
  ({ workspaceId }) => sql`
  select current_setting('application_name') as name, pg_backend_pid() as pid from workspace where id = ${workspaceId}`,
  { name: 'text', pid: 'integer' }
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

const rename = statement<{ workspaceId: Id; name: string }, { client: string }>(
  import.meta,
  'rename',
  ({ workspaceId, name }) => sql`
  update workspace set name = ${name} where id = ${workspaceId}
  returning current_setting('application_name') as client`,
  { client: 'text' },
  commitInWorkspace
)

t.test('a write that is committed by itself goes to the worker', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  await readDirectly(server, workspaceId)
  await rename(server.database.db, { workspaceId, name: 'not seen before' })
  t.strictSame(await rename(server.database.db, { workspaceId, name: 'Renamed' }), [{ client: 'tracker' }])
  const workspace = server.database.db.selectFrom('workspace').select('name').where('id', '=', workspaceId)
  t.strictSame(await workspace.executeTakeFirst(), { name: 'Renamed' })
})

t.test('in a transaction it is a part of that', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  await readDirectly(server, workspaceId)
  const { db } = server.database
  const workspace = db.selectFrom('workspace').select('name').where('id', '=', workspaceId)
  const before = await workspace.executeTakeFirst()
  const undone = db.transaction().execute(async trx => {
    t.match(await rename(trx, { workspaceId, name: 'Never' }), [{ client: /^citus/ }])
    throw new Error('enough')
  })
  await t.rejects(undone, { message: 'enough' })
  t.strictSame(await workspace.executeTakeFirst(), before)
})

/** The workers of a server whose connections lead to `reads`. */
function workersOf(t: Test, { databaseUrl, database }: TestServer, reads: TestServer['database']['db']) {
  const failed: unknown[] = []
  const options: WorkersOptions = {
    url: databaseUrl!,
    coordinator: database.db,
    connect: () => ({ reads, writes: reads, inFlight: () => 0, close: async () => {} }),
    onUnreachable: (worker, error) => failed.push([worker, error]),
    lookUpEveryMs: 0
  }
  const workers = makeWorkers(options)
  t.teardown(() => workers.close())
  return { workers, failed }
}

t.test('another server that answers under the name of a worker is not used, which is told once', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { server: other } = await serverOf(t)
  const { workers, failed } = workersOf(t, server, other.database.db)
  for (let n = 0; n < 3; n++) {
    t.equal(workers.of(workspaceId), undefined)
    await workers.close()
  }
  t.match(failed, [[/^\S+:\d+$/, { message: 'Another server answers there' }]])
  t.equal(failed.length, 1)
})

t.test('a worker that has failed is used again after it was looked up again', { skip }, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { workers, failed } = workersOf(t, server, server.database.db)
  t.equal(workers.of(workspaceId), undefined, 'not known yet')
  await workers.close()
  t.ok(workers.of(workspaceId))
  await workers.close()
  workers.forget(workspaceId)
  t.equal(workers.of(workspaceId), undefined)
  await workers.close()
  t.ok(workers.of(workspaceId))
  t.strictSame(failed, [])
})
