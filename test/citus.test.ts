import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { configure } from '../core/config/config.ts'
import { newId } from '../core/db/id.ts'
import { build, type Server } from '../core/kernel/server.ts'
import { newToken } from '../core/auth/tokens.ts'
import { installed } from '../plugins/index.ts'
import { addWorkspace } from '../plugins/workspace/bootstrap.ts'
import type { WorkspaceTables } from '../plugins/workspace/contract.ts'
import { emptyDatabase } from './runner/empty-database.ts'
import { onPostgres, TEST_DATABASE_URL } from './runner/harness.ts'
import { noCitus, ownCitus, type OwnCitus } from './runner/own-citus.ts'
import { onlyPlugins, TRACKER_COMMAND } from './runner/process.ts'
import { fillDataDirectory, withConnection } from './runner/templates.ts'

const run = promisify(execFile)

/** Plugins with tables of their own, and columns of issues. */
const LATER_PLUGINS = ['projects', 'knowledge']
/** Tables after which a run is killed: neither the first nor the last one. */
const KILL_AFTER_TABLES = 5

/** Runs `npm run tracker -- distribute …`. @param killAfter the number of reported tables after which it is killed */
function distribute(env: Record<string, string>, args: readonly string[] = [], killAfter = Infinity) {
  return new Promise<{ code: number | string; out: string; err: string }>(resolve => {
    const child = execFile(
      process.execPath,
      [...TRACKER_COMMAND, 'distribute', ...args],
      { cwd: new URL('..', import.meta.url), env: { PATH: process.env['PATH'], ...env } },
      (error, out, err) => resolve({ code: error?.signal ?? error?.code ?? 0, out, err })
    )
    let output = ''
    child.stderr?.on('data', (text: string) => {
      output += text
      if (output.split(' is distributed.\n').length > killAfter) child.kill('SIGKILL')
    })
  })
}

const distributedTables = (url: string): Promise<number> =>
  withConnection(url, async client => {
    const { rowCount } = await client.query('select from pg_dist_partition')
    return rowCount ?? 0
  })

async function startServer(
  databaseUrl: string,
  adminToken: string,
  plugins: readonly string[] = Object.keys(installed)
): Promise<Server> {
  const configuration = await configure(installed, {
    logLevel: 'silent',
    databaseUrl,
    databasePool: 5,
    maxEventLoopDelay: 0,
    plugins: {
      ...Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: plugins.includes(name) }])),
      embeddings: { enabled: true, download: false },
      workspace: { enabled: true, adminToken }
    }
  })
  const server = await build({ configuration, logger: pino({ level: 'silent' }) })
  await server.start()
  return server
}

const send = ({ app }: Server, token: string, url: string, body?: object) =>
  app.inject({
    url,
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}` },
    ...(body && { payload: body })
  })

t.test('the embedded database cannot be distributed', async t => {
  const dir = join(t.testdir(), 'data')
  await fillDataDirectory(dir)
  t.match(await distribute({ TRACKER_DATA_DIR: dir }), {
    code: 1,
    out: '',
    err: /^The embedded database cannot be distributed: set databaseUrl/
  })
})

t.test(
  'a PostgreSQL without Citus cannot be distributed',
  { skip: !onPostgres && 'needs a PostgreSQL server' },
  async t => {
    const database = await emptyDatabase(TEST_DATABASE_URL)
    t.teardown(() => database.remove())
    t.match(await distribute({ ...database.env }), { code: 1, out: '', err: /^This database has no Citus: install it/ })
  }
)

/** It starts its own cluster, whatever the suite runs on: once is enough. */
const skip = onPostgres ? (noCitus() ?? false) : 'runs with the suite on PostgreSQL'

t.test('on a Citus cluster', { skip }, async t => {
  const citus = await ownCitus()
  t.teardown(() => citus.remove())
  const plugins = Object.keys(installed).filter(name => !LATER_PLUGINS.includes(name))
  const env = { DATABASE_URL: citus.url, ...onlyPlugins(...plugins) }
  const token = newToken()

  await t.test('tables with data are distributed, by a second run where the first one was killed', async t => {
    const before = await startServer(citus.url, token, plugins)
    const issue = { teamId: 'ENG', title: 'Made before' }
    t.match(await send(before, token, '/v1/issues', issue), { statusCode: 201 })
    t.match(await distribute(env), { code: 1, err: /^Servers use this database: stop all of them first/ })
    await before.close()

    t.match(await distribute(env, ['--shards', '0']), { code: 1, err: /^--shards 0 is not possible/ })
    const shards = ['--shards', '4']
    t.match(await distribute(env, shards, KILL_AFTER_TABLES), { code: 'SIGKILL' })
    const half = await distributedTables(citus.url)
    t.ok(half >= KILL_AFTER_TABLES)
    const { code, out } = await distribute(env, shards)
    t.equal(code, 0)
    t.match(out, new RegExp(`^${await distributedTables(citus.url)} tables are distributed, `))
    t.ok(half < (await distributedTables(citus.url)))
    t.match(await distribute(env), { code: 0, out: / tables are distributed, 0 of them now; / })
  })

  await t.test('the server goes on with them, and distributes what a plugin adds that is turned on later', async t => {
    const server = await startServer(citus.url, token)
    t.teardown(() => server.close())
    t.match((await send(server, token, '/v1/issues/ENG-1')).json(), { title: 'Made before' })
    const project = (await send(server, token, '/v1/projects', { name: 'Later' })).json<{ id: string }>()
    const issue = { teamId: 'ENG', title: 'Made after', projectId: project.id }
    t.match((await send(server, token, '/v1/issues', issue)).json(), { key: 'ENG-2' })
    t.match((await send(server, token, '/v1/issues/ENG-2')).json(), { projectId: project.id })
    t.match((await send(server, token, '/v1/issues/filter', { view: 'list' })).json(), { total: 2 })

    const { rows } = await sql<{ table: string }>`
      select logicalrelid::text as table from pg_dist_partition
      where logicalrelid in ('project'::regclass, 'cycle'::regclass, 'knowledge_entry'::regclass)
      order by 1`.execute(server.database.db)
    t.strictSame(
      rows.map(({ table }) => table),
      ['cycle', 'knowledge_entry', 'project']
    )
  })

  await t.test('while a worker is away, the workspaces of the others are served', t => outage(t, citus, token))

  await t.test('a dump leads back to one PostgreSQL', async t => {
    const dump = join(t.testdir(), 'tracker.dump')
    const url = Object.assign(new URL(citus.url), { pathname: '/back' }).href
    await withConnection(citus.url, client => client.query('create database back'))
    await run('pg_dump', ['--format=custom', '--extension=vector', '--extension=pg_trgm', `--file=${dump}`, citus.url])
    await run('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${url}`, dump])
    const server = await startServer(url, token)
    t.teardown(() => server.close())
    t.match((await send(server, token, '/v1/issues/ENG-1')).json(), { title: 'Made before' })
    t.match(await send(server, token, '/v1/issues', { teamId: 'ENG', title: 'Back' }), { statusCode: 201 })
    t.match((await send(server, token, '/v1/issues/filter', { view: 'list' })).json(), { total: 3 })
  })
})

async function outage(t: Test, citus: OwnCitus, token: string): Promise<void> {
  const server = await startServer(citus.url, token)
  t.teardown(() => server.close())
  const { db } = server.database
  const workerOf = async (id: string): Promise<number> => {
    const { rows } = await sql<{ port: number }>`
      select nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
      where shardid = get_shard_id_for_distribution_column('workspace', ${id}::uuid)`.execute(db)
    return rows[0]!.port
  }
  /** The tokens of workspaces, by the port of their worker. */
  const tokens = new Map<number, string>()
  for (let n = 0; tokens.size < 2; n++) {
    const id = newId()
    const port = await workerOf(id)
    if (tokens.has(port)) continue
    const added = await db
      .withTables<Pick<WorkspaceTables, keyof WorkspaceTables>>()
      .transaction()
      .execute(trx => {
        const caller = { workspaceId: id, accountId: null, tokenId: null, scopes: [] }
        const named = { name: `Workspace ${n}`, adminEmail: 'admin@localhost' }
        return addWorkspace({ emit: async () => {} }, caller, trx, named)
      })
    tokens.set(port, added.token)
  }

  const over = new AbortController()
  const writers = [...tokens].map(([port, token]) => {
    const answers: Array<{ status: number; key?: string; mayRetry: boolean }> = []
    const reads = new Set<number>()
    const ended = (async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        const answer = await send(server, token, '/v1/issues', { teamId: 'ENG', title: `Issue ${n}` })
        const key = answer.statusCode === 201 ? { key: answer.json<{ key: string }>().key } : {}
        answers.push({ status: answer.statusCode, mayRetry: answer.headers['retry-after'] !== undefined, ...key })
        reads.add((await send(server, token, '/v1/issues/ENG-1/context')).statusCode)
      }
    })()
    const reached = async (status: number, more: number) => {
      const count = () => answers.filter(answer => answer.status === status).length
      const target = count() + more
      while (count() < target) await sleep(20)
    }
    return { port, token, answers, reads, ended, reached }
  })
  const [away, other] = writers as [(typeof writers)[number], (typeof writers)[number]]
  await Promise.all(writers.map(({ reached }) => reached(201, 3)))
  await citus.killWorker(away.port)
  await Promise.all([away.reached(503, 3), other.reached(201, 3)])
  await citus.start()
  await Promise.all(writers.map(({ reached }) => reached(201, 3)))
  over.abort()
  await Promise.all(writers.map(({ ended }) => ended))

  t.strictSame(new Set(other.answers.map(({ status }) => status)), new Set([201]), 'the others noticed nothing')
  t.strictSame(new Set(away.answers.map(({ status }) => status)), new Set([201, 503]))
  t.strictSame([other.reads, away.reads], [new Set([200]), new Set([200, 503])])
  t.ok(away.answers.every(({ status, mayRetry }) => status === 201 || mayRetry))
  for (const { token, answers } of writers) {
    const keys = answers.flatMap(({ key }) => key ?? [])
    const contexts = await Promise.all(keys.map(key => send(server, token, `/v1/issues/${key}`)))
    t.ok(keys.length > 3)
    t.ok(
      contexts.every(({ statusCode }) => statusCode === 200),
      'what was acknowledged is there'
    )
  }
}
