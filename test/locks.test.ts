import t from 'tap'
import { onPostgres, testServer, type Call, type TestServer } from './runner/harness.ts'
import { post, readSamples, type LockRequest, type Make, type Names } from './samples.ts'
import { onNodes, withConnection } from './runner/templates.ts'

/** Concurrent requests to each route of a pair. */
const COPIES = 2
/** Concurrent pairs, each on issues of its own. */
const CONCURRENT_PAIRS = 6

const samples = await readSamples()
const locks: Record<string, readonly LockRequest[]> = Object.assign({}, ...samples.map(({ locks }) => locks))

t.test('every route that writes is known here', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const { paths } = await server.ok<{ paths: Record<string, Record<string, object>> }>('/openapi.json')
  const writing = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter(method => method !== 'get')
      .map(method => `${method.toUpperCase()} ${path}`)
  )
  t.strictSame(
    writing.sort(),
    [...Object.keys(locks), ...samples.flatMap(({ withoutLocks }) => withoutLocks ?? [])].sort(),
    'a new route joins `locks` in test/samples.ts of its plugin, with requests that lock much, or `withoutLocks`'
  )
})

/** Changes by each of the concurrent callers. */
const ROUNDS = 25

const skip = onPostgres ? false : 'the embedded database has one connection: nothing waits for a lock'
t.test('no two routes that write to one issue deadlock', { skip, timeout: 1_500_000 }, async t => {
  const server = await testServer({
    settings: { databasePool: 30, plugins: { delegation: { runner: { command: ['true'] } } } }
  })
  t.teardown(() => server.close())
  const states = await statesOf(server)
  const tokens = [server.token, (await server.agent('Second', ['read', 'write', 'delete'])).token]
  const requests = Object.entries(locks).flatMap(([route, list]) => list.map(request => ({ route, request })))
  const pairs = requests.flatMap((one, i) => requests.slice(i).map(two => [one, two] as const))
  const failed: string[] = []

  /** @returns the subject, unless a request has removed something of it */
  async function attempt([one, two]: (typeof pairs)[number], given: Names | undefined): Promise<Names | undefined> {
    const subject = given ?? (await subjectOn(server, states))
    const calls = Array.from({ length: 2 * COPIES }, (_, n) => {
      const [path, call] = (n % 2 ? two : one).request(subject, n >> 1)
      return server.call(path, { ...call, token: tokens[(n >> 1) % tokens.length]! })
    })
    for (const { statusCode, body } of await Promise.all(calls)) {
      if (statusCode >= 500) failed.push(`${one.route} with ${two.route}: ${body}`)
    }
    return [one, two].some(({ route }) => route.startsWith('DELETE')) ? undefined : subject
  }
  const waiting = pairs.values()
  await Promise.all(
    Array.from({ length: CONCURRENT_PAIRS }, async () => {
      let subject: Names | undefined
      for (const pair of waiting) subject = await attempt(pair, subject)
    })
  )
  await server.close()
  t.strictSame(failed, [])
  t.equal(await deadlocksOf(server.databaseUrl!), 0, 'deadlocks that the database counted, those tried again included')
})

t.test('issues that move together, through states whose category changes, do not deadlock', { skip }, async t => {
  const server = await testServer({ settings: { databasePool: 30 } })
  t.teardown(() => server.close())
  await countInOneShard(server.databaseUrl!)
  const states = await statesOf(server)
  const files = ['todo', 'backlog', 'inReview', 'done'].map(state =>
    server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: state, stateId: states[state] } })
  )
  const issues = (await Promise.all(files)).map(({ key }) => key)
  const names = ['todo', 'done', 'backlog', 'inReview']
  const failed: string[] = []
  const send = async (path: string, call: Call) => {
    const { statusCode, body } = await server.call(path, call)
    if (statusCode >= 500) failed.push(`${path}: ${body}`)
  }
  const stateOf = (n: number) => states[names[n % names.length]!]
  const callers = Array.from({ length: 12 }, async (_, caller) => {
    for (let n = caller; n < caller + ROUNDS; n++) {
      const changes = issues.map((issueId, at) => ({ issueId, stateId: stateOf(caller % 2 ? n + at : n + 4 - at) }))
      const category = n % 2 ? 'COMPLETED' : 'STARTED'
      if (caller % 3 === 0) await send('/v1/issues/bulk_change', post({ issues: changes }))
      else if (caller % 3 === 1) await send(`/v1/issues/${issues[n % 4]}`, post({ stateId: stateOf(n) }))
      else await send(`/v1/ENG/workflows/${states['inReview']}`, post({ category }))
    }
  })
  await Promise.all(callers)
  await server.close()
  t.strictSame(failed, [])
  t.equal(await deadlocksOf(server.databaseUrl!), 0, 'deadlocks that the database counted, those tried again included')
})

/** The states of the team ENG by name: `inReview`. Adds the team OPS. */
async function statesOf(server: TestServer): Promise<Names> {
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const states = await server.ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')
  const nameOf = (name: string) => name[0]!.toLowerCase() + name.slice(1).replaceAll(' ', '')
  return Object.fromEntries(states.map(({ id, name }) => [nameOf(name), id]))
}

let subjects = 0
let latest: Names = {}
/** An issue with everything that a route can name. */
async function subjectOn(server: TestServer, states: Names): Promise<Names> {
  const n = ++subjects
  const make: Make = (path, body) => server.ok(path, { body })
  const names = { ...latest, ...states }
  for (const { lockRecords } of samples) Object.assign(names, await lockRecords?.(make, names, n))
  return (latest = names)
}

/** Makes all connections count issues by state in one shard, so that they wait for each other there. */
const countInOneShard = (databaseUrl: string): Promise<unknown> =>
  withConnection(databaseUrl, client =>
    client.query(
      `create or replace function issue_tally_shard() returns smallint language plpgsql as $$
        begin
          perform pg_advisory_xact_lock(hashtext('issues.tally'), 0);
          return 0;
        end $$`
    )
  )

async function deadlocksOf(databaseUrl: string): Promise<number> {
  // A connection reports its counts when it ends; those between the nodes of Citus may still be open.
  await onNodes(
    databaseUrl,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
  )
  const rows = await onNodes<{ deadlocks: string }>(
    databaseUrl,
    'select deadlocks from pg_stat_database where datname = current_database()'
  )
  return rows.reduce((sum, { deadlocks }) => sum + Number(deadlocks), 0)
}
