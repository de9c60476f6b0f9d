import { readFile, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { contract } from '../../../core/api/contract.ts'
import { definePlugin, dependsOn } from '../../../core/api/plugin.ts'
import { newToken } from '../../../core/auth/tokens.ts'
import { migratedDatabase } from '../../../test/runner/empty-database.ts'
import { onPostgres, TEST_DATABASE_URL } from '../../../test/runner/harness.ts'
import { ownPostgres } from '../../../test/runner/own-postgres.ts'
import { onlyPlugins, startProcess } from '../../../test/runner/process.ts'
import { onNodes } from '../../../test/runner/templates.ts'
import { contextSections, issues } from '../../issues/contract.ts'
import {
  delegate,
  getRun,
  gone,
  isAlive,
  isOver,
  liveTokens,
  READY,
  reaches,
  readyIssue,
  says,
  serverWith,
  type RunAnswer
} from './helpers.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

/* After a fault: no run past its lease, no second concurrent run, no valid token, no process. */

const plugins = onlyPlugins('workspace', 'agents', 'issues', 'delegation')

const onRealPostgres = { skip: !onPostgres && 'needs TEST_DATABASE_URL: several servers share one database' }

t.test(
  'a run whose server is killed is begun again by another, after all of the first attempt is dead',
  onRealPostgres,
  async t => {
    const dir = temporaryFolder(t)
    const database = await migratedDatabase(TEST_DATABASE_URL)
    t.teardown(database.remove)
    const token = newToken()
    // The first attempt stores its process ids and its token. The second checks whether they still run, by the token: a
    // dead process may still be listed, and its id be reused.
    const script = `cd ${dir}
if [ -f pids ]; then
  for pid in $(cat pids); do grep -qs -- "$(cat token)" /proc/$pid/environ && echo overlap; done
  echo second; exit 0
fi
trap "" TERM; sleep 600 & echo "$$ $!" > part; printf %s "$TRACKER_TOKEN" > token; mv part pids; sleep 600`
    const env = {
      ...database.env,
      ...plugins,
      TRACKER_ADMIN_TOKEN: token,
      TRACKER_PLUGINS__DELEGATION__RUNNER: JSON.stringify({ command: ['sh', '-c', script] }),
      TRACKER_PLUGINS__DELEGATION__LEASE_SECONDS: '4',
      TRACKER_PLUGINS__DELEGATION__KILL_SECONDS: '1'
    }
    const ask = asking(token)
    const first = await startProcess(env)
    const { json: issue } = await ask<{ id: string }>(first.url, '/v1/issues', {
      teamId: 'ENG',
      title: 'A dead button',
      descriptionMarkdown: READY
    })
    const {
      json: { id }
    } = await ask<RunAnswer>(first.url, '/v1/agent_runs', { issueId: issue.id })
    const pids = async () =>
      (await readFile(join(dir, 'pids'), 'utf8').catch(() => '')).split(/\s+/).filter(Boolean).map(Number)
    while ((await pids()).length < 2) await sleep(50)
    const runToken = await readFile(join(dir, 'token'), 'utf8')
    t.equal((await ask(first.url, '/v1/users/me', undefined, runToken)).status, 200)
    await first.end('SIGKILL')

    const second = await startProcess(env)
    t.teardown(() => second.end('SIGTERM'))
    let run: RunAnswer
    do {
      await sleep(50)
      run = (await ask<RunAnswer>(second.url, `/v1/agent_runs/${id}`)).json
    } while (run.finishedAt === null)
    t.match(run, { status: 'SUCCEEDED', attempt: 2, summary: 'second' })
    t.notMatch(run.summary, /overlap/)
    t.equal(
      (await ask(second.url, '/v1/users/me', undefined, runToken)).status,
      401,
      'the first attempt’s token is dead'
    )
    for (const pid of await pids()) await gone(pid)
  }
)

t.test(
  'a database that is killed and comes back: the run is begun again, once, and nothing of the first attempt lives',
  onRealPostgres,
  async t => {
    const dir = temporaryFolder(t)
    const database = await ownPostgres()
    t.teardown(database.remove)
    const token = newToken()
    const ask = asking(token)
    // Each attempt records its processes and its token; the second checks whether the first's still run, then waits.
    const script = `cd ${dir}
for pid in $(cat pids 2>/dev/null); do grep -qs -- "$(head -n 1 tokens)" /proc/$pid/environ && echo overlap; done
trap "" TERM; sleep 600 & echo "$$ $!" >> pids; printf '%s\\n' "$TRACKER_TOKEN" >> tokens
while ! [ -f go ]; do sleep 0.1; done; kill -9 $!; echo attempts $(wc -l < pids)`
    const env = {
      DATABASE_URL: database.url,
      ...plugins,
      LOG_LEVEL: 'silent',
      TRACKER_ADMIN_TOKEN: token,
      TRACKER_PLUGINS__DELEGATION__RUNNER: JSON.stringify({ command: ['sh', '-c', script] }),
      TRACKER_PLUGINS__DELEGATION__LEASE_SECONDS: '4',
      TRACKER_PLUGINS__DELEGATION__KILL_SECONDS: '1'
    }
    const servers = [await startProcess(env), await startProcess(env)] as const
    t.teardown(() => Promise.all(servers.map(server => server.end('SIGTERM'))))
    const [{ url }] = servers
    const lines = async (file: string) =>
      (await readFile(join(dir, file), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean)

    const { json: issue } = await ask<{ id: string }>(url, '/v1/issues', {
      teamId: 'ENG',
      title: 'A dead button',
      descriptionMarkdown: READY
    })
    const {
      json: { id }
    } = await ask<RunAnswer>(url, '/v1/agent_runs', { issueId: issue.id })
    while ((await lines('tokens')).length < 1) await sleep(50)
    const pids = (await lines('pids'))[0]!.split(' ').map(Number)
    await database.kill()
    for (const pid of pids) await gone(pid)
    for (const server of servers) {
      t.equal((await fetch(`${server.url}/health/live`)).status, 200, 'the servers outlive their database')
    }
    await database.start()

    while ((await lines('tokens')).length < 2) await sleep(50)
    const [first, second] = await lines('tokens')
    t.equal((await ask(url, '/v1/users/me', undefined, first)).status, 401, 'the first attempt’s token is dead')
    t.equal((await ask(url, '/v1/users/me', undefined, second)).status, 200)
    const again = await Promise.all(servers.map(server => ask(server.url, '/v1/agent_runs', { issueId: issue.id })))
    t.strictSame(
      again.map(({ status }) => status),
      [409, 409],
      'the issue has its run'
    )
    await writeFile(join(dir, 'go'), '')
    let runs: RunAnswer[]
    do {
      await sleep(50)
      runs = (await ask<RunAnswer[]>(url, `/v1/agent_runs?issueId=${issue.id}`)).json
    } while (runs[0]?.finishedAt === null)
    t.equal(runs.length, 1)
    t.match(runs, [{ id, status: 'SUCCEEDED', attempt: 2 }])
    t.equal(runs[0]?.summary, 'attempts 2', 'and no overlap')
    t.equal((await ask(url, '/v1/users/me', undefined, second)).status, 401)
    for (const line of await lines('pids')) for (const pid of line.split(' ').map(Number)) await gone(pid)
  }
)

t.test(
  'without a database a command is dead before its lease is over, and the run fails after its last attempt',
  onRealPostgres,
  async t => {
    const observer = await serverWith('true', { settings: {}, delegation: { attempts: 1 } })
    t.teardown(() => observer.close())
    const proxy = await cuttable(observer.databaseUrl!)
    t.teardown(() => proxy.close())
    await observer.jobs.stop()
    const worker = await serverWith('trap "" TERM; sleep 600 & echo "pids $$ $!"; sleep 600', {
      on: { ...observer, databaseUrl: proxy.url },
      delegation: { attempts: 1 }
    })
    t.teardown(() => worker.close())
    const { id } = await delegate(worker, (await readyIssue(worker)).id)
    const [, ...pids] = await says(observer, id, /pids (\d+) (\d+)/)
    proxy.cut()
    const run = await isOver(observer, id)
    t.match(run, { status: 'FAILED', error: { reason: 'LEASE_EXPIRED' } })
    t.strictSame(pids.map(Number).filter(isAlive), [], 'no process outlives the lease')
    t.equal(await liveTokens(observer, run.agent.id), 0)
    proxy.mend()
    while ((await worker.call('/health/ready')).json().database?.state !== 'up') await sleep(100)
    t.match(await getRun(worker, id), { status: 'FAILED', attempt: 1 }, 'what comes back changes nothing')
  }
)

t.test(
  'a database that is away for less than the lease: a command that had to end is begun again',
  onRealPostgres,
  async t => {
    const dir = temporaryFolder(t)
    const observer = await serverWith('true')
    t.teardown(() => observer.close())
    const proxy = await cuttable(observer.databaseUrl!)
    t.teardown(() => proxy.close())
    await observer.jobs.stop()
    const worker = await serverWith(
      `cd ${dir}; [ ! -f began ] || exec echo again; touch began; echo "pid $$"; exec sleep 600`,
      { on: { ...observer, databaseUrl: proxy.url } }
    )
    t.teardown(() => worker.close())
    const { id } = await delegate(worker, (await readyIssue(worker)).id)
    const [, pid] = await says(observer, id, /pid (\d+)/)
    proxy.cut()
    await gone(Number(pid))
    proxy.mend()
    t.match(await isOver(observer, id), { status: 'SUCCEEDED', attempt: 2, summary: 'again' })
  }
)

t.test('two replicas share the work: every run happens once', onRealPostgres, async t => {
  const dir = temporaryFolder(t)
  const script = `echo "$TRACKER_ISSUE" >> ${dir}/runs; sleep 0.2`
  // On a busy machine a shorter lease may expire, and its run begins again.
  const delegation = { leaseSeconds: 60 }
  const one = await serverWith(script, { delegation, runner: { concurrency: 3 } })
  t.teardown(() => one.close())
  const two = await serverWith(script, { delegation, on: one, runner: { concurrency: 3 } })
  t.teardown(() => two.close())
  const issues = await Promise.all(Array.from({ length: 12 }, () => readyIssue(one)))
  const runs = await Promise.all(issues.map(({ id }, n) => delegate(n % 2 === 0 ? one : two, id)))
  for (const { id } of runs) t.match(await isOver(one, id), { status: 'SUCCEEDED', attempt: 1 })
  const keys = (await readFile(join(dir, 'runs'), 'utf8')).trim().split('\n')
  t.strictSame(keys.sort(), issues.map(issue => issue.key).sort())
})

t.test('requests to two replicas at once for one issue: one run', onRealPostgres, async t => {
  const one = await serverWith('sleep 600')
  t.teardown(() => one.close())
  const two = await serverWith('sleep 600', { on: one })
  t.teardown(() => two.close())
  const { id: issueId } = await readyIssue(one)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? one : two).call('/v1/agent_runs', { body: { issueId } }))
  )
  t.strictSame(answers.map(a => a.statusCode).sort(), [201, ...Array<number>(9).fill(409)])
})

t.test('an account that starts an issue while the worker prepares it keeps it', onRealPostgres, async t => {
  const server = await serverWith('true')
  t.teardown(() => server.close())
  await server.jobs.stop()
  const { id: issueId } = await readyIssue(server)
  const { id } = await delegate(server, issueId)
  const { id: me } = await server.ok<{ id: string }>('/v1/users/me')
  const { id: started } = (await server.ok<Array<{ id: string; category: string }>>('/v1/ENG/workflows')).find(
    ({ category }) => category === 'STARTED'
  )!
  const person = new pg.Client(server.databaseUrl!)
  await person.connect()
  t.teardown(() => person.end())
  await person.query('begin')
  await person.query('update issue set assignee_id = $1, state_id = $2 where id = $3', [me, started, issueId])
  const worker = await serverWith('true', { on: server })
  t.teardown(() => worker.close())
  // On separate connections: within a transaction, statistics of other connections do not change.
  const waiting = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  while ((await onNodes(server.databaseUrl!, waiting)).length === 0) await sleep(20)
  await person.query('commit')
  t.match(await isOver(server, id), {
    status: 'FAILED',
    error: { reason: 'NOT_READY', message: /Administrator works on/ }
  })
  t.match(await server.ok(`/v1/issues/${issueId}`), { assigneeId: me })
})

t.test('canceling on one replica ends the processes on the other', onRealPostgres, async t => {
  const worker = await serverWith('echo "pid $$"; sleep 600')
  t.teardown(() => worker.close())
  const other = await serverWith('true', { on: worker })
  t.teardown(() => other.close())
  await other.jobs.stop()
  const { id } = await delegate(other, (await readyIssue(other)).id)
  const [, pid] = await says(other, id, /pid (\d+)/)
  await other.ok(`/v1/agent_runs/${id}/cancel`, { method: 'POST' })
  await gone(Number(pid))
  t.match(await getRun(other, id), { status: 'CANCELED', attempt: 1 })
})

t.test('a server that is stopped gives its runs back, and leaves no process', onRealPostgres, async t => {
  const one = await serverWith('trap "" TERM; echo "pid $$"; sleep 600')
  const { id } = await delegate(one, (await readyIssue(one)).id)
  const [, pid] = await says(one, id, /pid (\d+)/)
  await one.close()
  t.notOk(isAlive(Number(pid)))
  const two = await serverWith('echo again', { on: one })
  t.teardown(() => two.close())
  t.match(await isOver(two, id), { status: 'SUCCEEDED', attempt: 2, summary: 'again' })
})

t.test(
  'a database that is away for a moment while a run is prepared fails nothing: the run is begun again',
  async t => {
    // A section of the context that cannot be read during the first attempt, as if the database were starting up.
    const blip = definePlugin(dependsOn(contract()('blip'), { requires: [issues] }), {
      summary: 'Fails once',
      register(ctx) {
        ctx.contribute(contextSections, { name: 'blip', json: () => sql`blip()` })
      }
    })
    const server = await serverWith('echo done', { also: { blip: async () => ({ default: blip }) } })
    t.teardown(() => server.close())
    await sql`
      create function blip() returns json language plpgsql as $$
      begin
        if (select max(attempt) from agent_run) = 1 then raise 'starting up' using errcode = '57P03'; end if;
        return 'null';
      end $$`.execute(server.database.db)
    const { id } = await delegate(server, (await readyIssue(server)).id)
    t.match(await isOver(server, id), { status: 'SUCCEEDED', attempt: 2, summary: 'done' })
  }
)

t.test('a run that nobody renews does not stay RUNNING', async t => {
  const server = await serverWith('sleep 600', { delegation: { attempts: 1 } })
  t.teardown(() => server.close())
  const { id } = await delegate(server, (await readyIssue(server)).id)
  await reaches(server, id, 'RUNNING')
  // Simulates a dead server: another lease, in the past.
  await server.database.db
    .withTables<{ agentRun: { id: string; leaseId: string; leaseUntil: Date } }>()
    .updateTable('agentRun')
    .set({ leaseId: '00000000-0000-4000-8000-000000000000', leaseUntil: new Date(0) })
    .where('id', '=', id)
    .execute()
  const run = await isOver(server, id)
  t.match(run, { status: 'FAILED', error: { reason: 'LEASE_EXPIRED' } })
  t.equal(await liveTokens(server, run.agent.id), 0)
})

/** Requests to servers in processes of their own. */
const asking =
  (token: string) =>
  async <T>(url: string, path: string, body?: object, as = token): Promise<{ status: number; json: T }> => {
    const answer = await fetch(url + path, {
      headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) })
    })
    return { status: answer.status, json: (await answer.json()) as T }
  }

/** A proxy to a database that can be cut and restored. */
async function cuttable(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  let open = true
  const proxy = createServer(near => {
    if (!open) return near.destroy()
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near]
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(from)
          to.destroy()
        })
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const cut = () => {
    open = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut,
    mend() {
      open = true
    },
    close() {
      cut()
      proxy.close()
    }
  }
}
