import t from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { deadlocksOf } from '../../../test/lock-pairs.ts'
import { transferOf } from '../../../test/transfer.ts'

// The embedded database has one connection, so nothing races there: the promises are the same, the proof is
// PostgreSQL's.
const times = onPostgres ? 1 : 0.1
interface Issue {
  id: string
  key: string
  number: number
  assigneeId: string | null
  descriptionMarkdown: string
  rev: number
}

t.test('concurrent creates in a team get distinct numbers, and none is lost', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const n = 1000 * times
  const issues: Issue[] = []
  const titles = Array.from({ length: n }, (_, i) => `race ${i}`).values()
  // Ten for each connection: a slow database would refuse the last of a thousand as too many.
  const clients = Array.from({ length: 100 }, async () => {
    for (const title of titles) issues.push(await server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title } }))
  })
  await Promise.all(clients)
  t.equal(issues.length, n)
  t.equal(new Set(issues.map(i => i.number)).size, n)
  t.equal((await server.ok<Issue[]>('/v1/issues/filter', { body: {} })).length, n)
  t.equal(
    (await server.ok<{ total: number }>('/v1/issues/filter', { body: { page: 1 } })).total,
    n,
    'the kept total too'
  )
})

t.test('of concurrent pick-ups, over two replicas, exactly one wins', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const replica = onPostgres ? await testServer({ on: server }) : server
  if (replica !== server) t.teardown(() => replica.close())
  const agents = await Promise.all(Array.from({ length: 10 }, (_, i) => server.agent(`Agent ${i}`)))
  for (let round = 0; round < 10 * times; round++) {
    const { key } = await server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: `round ${round}` } })
    const answers = await Promise.all(
      agents.map(({ token }, i) =>
        (i % 2 ? server : replica).call(`/v1/issues/${key}/pick_up`, { token, method: 'POST', body: {} })
      )
    )
    t.strictSame(answers.map(a => a.statusCode).sort(), [200, ...Array.from({ length: 9 }, () => 409)])
    const winner = agents[answers.findIndex(a => a.statusCode === 200)]!
    t.match(await server.ok<Issue>(`/v1/issues/${key}`), { assigneeId: winner.id, rev: 2 })
    t.ok(
      answers
        .filter(a => a.statusCode === 409)
        .every(a => a.json<{ holder: { id: string } }>().holder.id === winner.id),
      'the others learn who'
    )
  }
})

t.test('no concurrent tick is lost', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const n = 40
  const { key } = await server.ok<Issue>('/v1/issues', {
    body: {
      teamId: 'ENG',
      title: 'ticks',
      descriptionMarkdown: Array.from({ length: n }, (_, i) => `- [ ] item ${i}`).join('\n')
    }
  })
  await Promise.all(
    Array.from({ length: n }, (_, i) => server.ok(`/v1/issues/${key}/criteria`, { body: { met: [`item ${i}`] } }))
  )
  const { descriptionMarkdown, rev } = await server.ok<Issue>(`/v1/issues/${key}`)
  t.notOk(descriptionMarkdown.includes('[ ]'))
  t.equal(rev, n + 1)
})

t.test('concurrent changes of one issue each count, and of those that name a revision one wins', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const { key } = await server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'changes' } })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      server.call(`/v1/issues/${key}`, { body: { title: `by ${i}` }, headers: { 'if-match': '"1"' } })
    )
  )
  t.strictSame(answers.map(a => a.statusCode).sort(), [200, ...Array.from({ length: 11 }, () => 412)])
  await Promise.all(
    Array.from({ length: 12 }, (_, i) => server.ok(`/v1/issues/${key}`, { body: { title: `then ${i}` } }))
  )
  t.equal((await server.ok<Issue>(`/v1/issues/${key}`)).rev, 14)
})

t.test('concurrent changes make no circle of parents or blockers', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const file = () => server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'circle' } })
  const [a, b, c] = [await file(), await file(), await file()]
  const parents = await Promise.all(
    [
      [a, b],
      [b, c],
      [c, a]
    ].map(([child, parent]) => server.call(`/v1/issues/${child!.key}`, { body: { parentId: parent!.key } }))
  )
  t.strictSame(parents.map(p => p.statusCode).sort(), [200, 200, 409])
  const blocks = await Promise.all(
    [
      [a, b],
      [b, c],
      [c, a]
    ].map(([from, to]) =>
      server.call('/v1/issue_relations', { body: { issueId: from!.key, type: 'BLOCKS', relatedIssueId: to!.key } })
    )
  )
  t.strictSame(blocks.map(p => p.statusCode).sort(), [201, 201, 409])
})

t.test('changes of the parent that tick criteria, too, deadlock with none', { skip: !onPostgres }, async t => {
  const server = await testServer({ settings: { databasePool: 30 } })
  t.teardown(() => server.close())
  const file = () =>
    server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'Ticked', descriptionMarkdown: '- [ ] it works' } })
  const [issue, one, two] = [await file(), await file(), await file()]
  const changes = [0, 1, 2, 3].flatMap(n => [
    server.ok(`/v1/issues/${issue.key}`, {
      body: { parentId: n % 2 ? one.id : two.id, criteria: n % 2 ? { met: [1] } : { unmet: [1] } }
    }),
    server.ok('/v1/issue_relations', { body: { issueId: issue.id, relatedIssueId: one.id, type: 'BLOCKS' } })
  ])
  await Promise.all(changes)
  await server.close()
  t.equal(await deadlocksOf(server.databaseUrl!), 0, 'those tried again included')
})

t.test(
  'an import that changes issues in any order deadlocks with no other change of them',
  { skip: !onPostgres },
  async t => {
    const server = await testServer({ settings: { databasePool: 30 } })
    t.teardown(() => server.close())
    const { readAs } = await transferOf(server)
    const board = (round: number) =>
      ['d', 'c', 'b', 'a'].flatMap(externalId => [
        { kind: 'issue', externalId, team: 'ENG', state: 'Todo', title: `${externalId} ${round}` }
      ])
    // The ids of the issues are in the other order.
    await readAs('elsewhere', board(0).reverse())
    const issues = await server.ok<Issue[]>('/v1/issues/filter', { body: {} })
    const changes = (n: number) => issues.map(({ id }) => ({ issueId: id, priority: n % 5 }))
    for (let round = 1; round <= 10; round++) {
      const bulk = [0, 1, 2].map(n => server.ok('/v1/issues/bulk_change', { body: { issues: changes(round + n) } }))
      const [report] = await Promise.all([readAs('elsewhere', board(round)), ...bulk])
      t.strictSame(report.skipped, [])
    }
    await server.close()
    t.equal(await deadlocksOf(server.databaseUrl!), 0, 'those tried again included')
  }
)
