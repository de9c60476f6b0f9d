import t from 'tap'
import { onPostgres, testServer, type Call } from './runner/harness.ts'
import { post } from './samples.ts'
import { withConnection } from './runner/templates.ts'
import { assertNoDeadlocks, deadlocksOf, locks, samples, statesOf } from './lock-pairs.ts'

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
// All pairs are tried at night: they take nine minutes.
t.test('no two routes that write to one issue deadlock, every tenth pair', { skip, timeout: 1_500_000 }, t =>
  assertNoDeadlocks(t, 10)
)

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
