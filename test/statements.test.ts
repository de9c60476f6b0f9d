import t from 'tap'
import { installed } from '../plugins/index.ts'
import { runsOnCitus, testServer, type Call, type TestServer } from './harness.ts'
import { readSamples } from './samples.ts'

const isOnCitus = await runsOnCitus()

let server: TestServer
let statements: string[] = []
// Delegation looks for lost runs by a timer of its own, whose statements would be counted among a request's.
const plugins = Object.keys(installed).filter(name => name !== 'delegation')
t.before(async () => {
  server = await testServer({ plugins, onStatement: sql => statements.push(sql), settings: { jobs: false } })
})
t.teardown(() => server.close())

/** Of jobs, of the last use of a token, and of events: each change appends one. */
const BESIDE = /pgboss|last_used_at" = |from event_position|pg_notify|^\s*insert into event /i
/** By which the embedded database cleans itself, once a minute. */
const CLEANING = /from pg_control_checkpoint|from pg_stat_user_tables|^\s*(vacuum|checkpoint)/i

/** The statements of one request, with those that others send beside it left out. */
async function count(path: string, call?: Call): Promise<{ statements: number; status: number }> {
  statements = []
  const { statusCode: status } = await server.call(path, call)
  return {
    statements: statements.filter(sql => !BESIDE.test(sql) && !CLEANING.test(sql)).length,
    status
  }
}

t.test('a context and a list cost two round trips, whatever their size', async t => {
  const file = (body = {}) =>
    server.ok<{ key: string; id: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Big', ...body } })
  const { key } = await file({ subIssues: Array.from({ length: 100 }, (_, i) => ({ title: `sub ${i}` })) })
  const small = await count(`/v1/issues/${key}/context`)
  t.match(small, { statements: 2, status: 200 })
  for (let i = 0; i < 60; i++) {
    await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: `comment ${i}` } })
    await server.ok(`/v1/issues/${key}`, { body: { priority: i % 5, estimate: i } })
  }
  t.match(await count(`/v1/issues/${key}/context`), { statements: 2, status: 200 })
  t.match(await count(`/v1/issues/${key}`), { statements: 2, status: 200 })
  for (const body of [
    { view: 'list' },
    { view: 'full', perPage: 200 },
    { page: 2, perPage: 10 },
    { filters: { isReady: true }, perPage: 5 },
    {}
  ]) {
    t.match(await count('/v1/issues/filter', { body }), { statements: 2, status: 200 }, JSON.stringify(body))
  }
})

t.test('no request asks more the more there is', async t => {
  const samples = await readSamples()
  const measure = async (size: number) => {
    const criteria = Array.from({ length: size }, (_, i) => `- [ ] item ${i}`).join('\n')
    const issue = await server.ok<{ key: string; id: string }>('/v1/issues', {
      body: { teamId: 'ENG', title: 'x', descriptionMarkdown: criteria }
    })
    const counts: Array<[string, number]> = []
    for (const { requests } of samples) {
      for (const [path, call] of (await requests?.(issue, size, server)) ?? []) {
        const { statements: n, status } = await count(path, call)
        t.ok(status < 300, `${path} ${status}`)
        counts.push([
          `${call.method ?? ''} ${path.replace(/\b[A-Z]+-\d+/, ':key').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':id')}`,
          n
        ])
      }
    }
    return counts
  }
  await measure(2)
  const [few, more] = [await measure(2), await measure(40)]
  t.ok(few.length > 0)
  t.strictSame(more, few)
  // The parts of a change are one statement, but not on Citus.
  const most = isOnCitus ? 13 : 11
  for (const [path, n] of few) t.ok(n <= most, `${path}: ${n}`)
})
