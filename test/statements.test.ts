import t from 'tap'
import { installed } from '../plugins/index.ts'
import { testServer, type Call, type TestServer } from './harness.ts'

let server: TestServer
let statements: string[] = []
// Delegation looks for lost runs by a timer of its own, whose statements would be counted among a request's.
const plugins = Object.keys(installed).filter(name => name !== 'delegation')
t.before(async () => {
  server = await testServer({ plugins, onStatement: sql => statements.push(sql), settings: { jobs: false } })
})
t.teardown(() => server.close())

/** The statements of one request, with those that look after jobs, events and tokens beside it left out. */
async function count(path: string, call?: Call): Promise<{ statements: number; status: number }> {
  statements = []
  const { statusCode: status } = await server.call(path, call)
  return {
    statements: statements.filter(sql => !/pgboss|last_used_at" = |from event_position|pg_notify/i.test(sql)).length,
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
  const labels = await server.ok<Array<{ id: string }>>('/v1/labels')
  const measure = async (size: number) => {
    const many = <T>(make: (i: number) => T) => Array.from({ length: size }, (_, i) => make(i))
    const made = await server.ok<{ key: string; id: string }>('/v1/issues', {
      body: { teamId: 'ENG', title: 'x', descriptionMarkdown: many(i => `- [ ] item ${i}`).join('\n') }
    })
    const bodies: Array<[string, Call]> = [
      [
        '/v1/issues',
        {
          body: {
            teamId: 'ENG',
            title: 'x',
            labelIds: labels.map(l => l.id),
            links: many(i => ({ url: `https://example.org/${i}`, title: 'x' })),
            subIssues: many(i => ({ title: `sub ${i}` }))
          }
        }
      ],
      ['/v1/issues/bulk', { body: { issues: many(i => ({ teamId: 'ENG', title: `bulk ${i}` })) } }],
      [`/v1/issues/${made.key}`, { body: { title: 'y', labelIds: labels.map(l => l.id), priority: 2 } }],
      [`/v1/issues/${made.key}/criteria`, { body: { met: many(i => i + 1) } }],
      [`/v1/issues/${made.key}/pick_up`, { body: {} }],
      [`/v1/issue_comments?issueId=${made.key}`, { body: { bodyMarkdown: many(i => `line ${i}`).join('\n') } }],
      [`/v1/issue_comments?issueId=${made.key}`, {}],
      ...[
        '/v1/users/me',
        '/v1/users',
        '/v1/users/agents',
        '/v1/users/pats',
        '/v1/teams',
        '/v1/ENG/workflows',
        '/v1/labels',
        '/v1/workspace',
        '/v1/projects',
        '/v1/cycles'
      ].map((path): [string, Call] => [path, {}]),
      ...['session-start', 'prompt', 'stop'].map((event): [string, Call] => [
        `/v1/agent-hooks/${event}?harness=codex`,
        { body: {} }
      ]),
      [`/v1/issues/${made.key}`, { method: 'DELETE' }]
    ]
    const counts: Array<[string, number]> = []
    for (const [path, call] of bodies) {
      const { statements: n, status } = await count(path, call)
      t.ok(status < 300, `${path} ${status}`)
      counts.push([`${call.method ?? ''} ${path.replace(made.key, ':key')}`, n])
    }
    return counts
  }
  await measure(2)
  const [few, more] = [await measure(2), await measure(40)]
  t.strictSame(more, few)
  for (const [path, n] of few) t.ok(n <= 11, `${path}: ${n}`)
})
