import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'

const server = await testServer({ settings: { jobs: false, plugins: { mcp: { rateLimit: 0 } } } })
t.teardown(() => server.close())
const agent = await server.agent('Builder')

interface Item {
  n: number
  text: string
  by: string
  evidence: string
}
interface Issue {
  id: string
  key: string
  rev: number
  descriptionMarkdown: string
  state: { category: string }
  definitionOfDone: { met: number; total: number; items?: Item[] }
  history: Array<{ change: string; to: string | null }>
}
interface Refusal {
  code: string
  message: string
  unmet?: string[]
  unproven?: string[]
}

const words = 'The exporter loses the time zone of every date in the file.'
const open = `${words}\n\n- [ ] dates keep their zone\n- [ ] a test says so`
const ticked = open.replaceAll('[ ]', '[x]')
let teams = 0
async function team(criteria: 'ANY' | 'MET' | 'PROVEN'): Promise<string> {
  const identifier = `P${++teams}`
  await server.ok('/v1/teams', { body: { identifier, name: identifier } })
  await server.ok(`/v1/teams/${identifier}`, { body: { closing: { criteria } } })
  return identifier
}
const file = (teamId: string, fields: object = {}) =>
  server.ok<Issue>('/v1/issues', { body: { teamId, title: 'Zones', descriptionMarkdown: open, ...fields } })
const context = (key: string) => server.ok<Issue>(`/v1/issues/${key}/context`)
const change = (key: string, body: object, token = agent.token) => server.call(`/v1/issues/${key}`, { token, body })
const close = (key: string, more: object = {}, token = agent.token) =>
  server.call(`/v1/issue_comments?issueId=${key}`, {
    token,
    body: { bodyMarkdown: 'Done.', stateCategory: 'COMPLETED', ...more }
  })
const prove = (criterion: number | string, evidence = `seen ${criterion}`) => ({ criterion, evidence })

t.test('the context has evidence with its author, and no field without evidence', async t => {
  const { key } = await file(await team('ANY'))
  await change(key, { criteria: { met: [1] } })
  t.strictSame((await context(key)).definitionOfDone, { met: 1, total: 2 })
  await change(key, { criteria: { met: [prove('A TEST  says so', 'test/zones.test.ts')] } })
  const { definitionOfDone, rev } = await context(key)
  t.match(definitionOfDone, {
    met: 2,
    total: 2,
    items: [{ n: 2, text: 'a test says so', met: true, by: 'Builder', evidence: 'test/zones.test.ts' }]
  })
  t.equal(definitionOfDone.items?.length, 1)
  await change(key, { criteria: { met: [prove(1)] } })
  t.match(await context(key), { rev: rev + 1, definitionOfDone: { items: [{ n: 1 }, { n: 2 }] } }, 'also afterwards')
})

t.test(
  'evidence stays with its criterion when others are added and the order changes, and goes with its tick',
  async t => {
    const { key } = await file(await team('ANY'))
    await change(key, { criteria: { met: [prove(2, 'here')] } })
    const moved = `${words}\n\n- [x] A test says so\n- [ ] dates keep their zone\n- [ ] it is fast`
    await change(key, { descriptionMarkdown: moved })
    t.match((await context(key)).definitionOfDone, { total: 3, items: [{ n: 1, evidence: 'here' }] })
    await change(key, { criteria: { unmet: [1] } })
    t.notOk('items' in (await context(key)).definitionOfDone)
  }
)

t.test('evidence is at most 2,000 characters', async t => {
  const { key } = await file(await team('ANY'))
  t.equal((await change(key, { criteria: { met: [prove(1, 'x'.repeat(2001))] } })).statusCode, 400)
})

t.test('what is wrong with evidence is said, and not that a number was meant', async t => {
  const { key } = await file(await team('ANY'))
  for (const [met, message] of [
    [{ criterion: 1, evidence: 'x'.repeat(2_001) }, /^body\.met\.0\.evidence must NOT have more than 2000/],
    [{ criterion: 1 }, /^body\.met\.0\.evidence is missing/],
    [{ criterion: 1, evidence: 'x', by: 'me' }, /^body\.met\.0\.by is not a field/]
  ] as const) {
    const refusal = await server.call(`/v1/issues/${key}/criteria`, { body: { met: [met] } })
    t.match(refusal.json(), { statusCode: 400, message })
  }
})

t.test('evidence is more than white space, and an error of it names it', async t => {
  const { key } = await file(await team('PROVEN'))
  const refusal = async (evidence: unknown) =>
    (await change(key, { criteria: { met: [{ criterion: 1, evidence }] } })).json<{ message: string; field: string }>()
  const field = 'criteria.met.0.evidence'
  t.match(await refusal(' \n'), { field, message: /does not fit: Markdown/ })
  t.match(await refusal('x'.repeat(2001)), { field, message: /must NOT have more than 2000 characters/ })
  t.match(await refusal(5), { field, message: /must be string/ })
})

t.test('only a person sets what a team asks', async t => {
  const name = await team('MET')
  const refused = await server.call(`/v1/teams/${name}`, {
    token: agent.token,
    body: { closing: { criteria: 'ANY' } }
  })
  t.equal(refused.statusCode, 403)
  t.match(await server.ok(`/v1/teams/${name}`), { closing: { criteria: 'MET' } })
})

t.test('under MET no way into COMPLETED is open while a criterion is not met', async t => {
  const name = await team('MET')
  const states = await server.ok<Array<{ id: string; name: string }>>(`/v1/${name}/workflows`)
  const review = states.find(state => state.name === 'In Review')!.id
  const draft = { teamId: name, title: 'Filed as done', descriptionMarkdown: open, state: 'Done' }
  const ways: Record<string, (key: string, token: string) => Promise<{ statusCode: number; body: string }>> = {
    'a comment': (key, token) => close(key, {}, token),
    'a comment that ticks some': (key, token) => close(key, { met: [1] }, token),
    'a change': (key, token) => change(key, { state: 'Done' }, token),
    filing: (_, token) => server.call('/v1/issues', { token, body: draft }),
    'filing many': (_, token) => server.call('/v1/issues/bulk', { token, body: { issues: [draft] } }),
    'a move': async (_, token) => {
      const { key } = await file(await team('ANY'))
      await server.ok(`/v1/issues/${key}`, { body: { state: 'Done' } })
      return server.call(`/v1/issues/${key}/move`, { token, body: { teamId: name } })
    },
    'a category': async (key, token) => {
      await server.ok(`/v1/issues/${key}`, { body: { stateId: review } })
      return server.call(`/v1/${name}/workflows/${review}`, { token, body: { category: 'COMPLETED' } })
    }
  }
  for (const [way, go] of Object.entries(ways)) {
    for (const token of [agent.token, server.token]) {
      const { key } = await file(name)
      const answer = await go(key, token)
      t.equal(answer.statusCode, 409, `${way}: ${answer.body}`)
      t.equal((JSON.parse(answer.body) as Refusal).code, 'CRITERIA_UNMET', way)
      t.not((await context(key)).state.category, 'COMPLETED', way)
    }
  }
  const { key } = await file(name)
  const { unmet } = (await close(key, { met: [1] })).json<Refusal>()
  t.strictSame(unmet, ['a test says so'], 'it lists what is not met, together with what the request ticks')
  t.match(await context(key), { definitionOfDone: { met: 0 } }, 'and nothing is ticked')
  const bare = await file(name, { descriptionMarkdown: words })
  t.match((await close(bare.key)).json<Refusal>().message, /it has no criteria/)
  t.equal((await close(key, { met: [1, 2] })).statusCode, 201, 'ticking and closing are one call')
})

t.test('under MET and PROVEN an agent does not get round the criteria', async t => {
  for (const rule of ['MET', 'PROVEN'] as const) {
    const name = await team(rule)
    const lax = await team('ANY')
    const { key } = await file(name)
    const tries: Record<string, [path: string, body: object]> = {
      removing: [`/v1/issues/${key}`, { descriptionMarkdown: `${words}\n\n- [ ] a test says so` }],
      'removing all': [`/v1/issues/${key}`, { descriptionMarkdown: null }],
      rewording: [`/v1/issues/${key}`, { descriptionMarkdown: open.replace('dates keep', 'some dates keep') }],
      'rewording and ticking': [
        `/v1/issues/${key}`,
        { descriptionMarkdown: open.replace('dates keep', 'some dates keep'), criteria: { met: [1] } }
      ],
      'filing with [x]': ['/v1/issues', { teamId: name, title: 'x', descriptionMarkdown: ticked }],
      'filing many with [x]': [
        '/v1/issues/bulk',
        { issues: [{ teamId: name, title: 'x', descriptionMarkdown: ticked }] }
      ],
      'filing part with [x]': [
        '/v1/issues',
        { teamId: name, title: 'x', subIssues: [{ title: 'y', descriptionMarkdown: ticked }] }
      ],
      moving: [`/v1/issues/${key}/move`, { teamId: lax }]
    }
    for (const [what, [path, body]] of Object.entries(tries)) {
      const answer = await server.call(path, { token: agent.token, body })
      t.equal(answer.statusCode, 409, `${rule}, ${what}: ${answer.body}`)
      t.equal(answer.json<Refusal>().code, 'CRITERIA_KEPT', what)
    }
    t.equal((await context(key)).descriptionMarkdown, open)
    const canceled = await file(name, { state: 'Canceled' })
    const move = (token: string) => server.call(`/v1/issues/${canceled.key}/move`, { token, body: { teamId: lax } })
    t.match((await move(agent.token)).json<Refusal>(), { code: 'CRITERIA_KEPT' }, 'it could be reopened there')
    t.equal((await move(server.token)).statusCode, 200)
    t.equal((await change(key, { descriptionMarkdown: `${open}\n- [ ] it is fast` })).statusCode, 200, 'it may add one')
    t.equal(
      (await change(key, { descriptionMarkdown: open }, server.token)).statusCode,
      200,
      'a person may do all of it'
    )
  }
})

t.test('a person moves a completed issue to a stricter team all the same, and anybody to one as strict', async t => {
  const { key } = await file(await team('ANY'))
  await server.ok(`/v1/issues/${key}`, { body: { state: 'Done' } })
  const moveTo = async (teamId: string, override: boolean, token = server.token) =>
    (await server.call(`/v1/issues/${key}/move`, { token, body: { teamId, override } })).statusCode
  const strict = await team('MET')
  t.equal(await moveTo(strict, true, agent.token), 403)
  t.equal(await moveTo(strict, true), 200)
  t.equal(await moveTo(await team('MET'), false, agent.token), 200)
})

t.test("under PROVEN an agent's tick needs evidence, however it is set", async t => {
  const name = await team('PROVEN')
  const { key } = await file(name)
  const ways: Array<[path: string, body: object]> = [
    [`/v1/issues/${key}/criteria`, { met: [1] }],
    [`/v1/issues/${key}`, { criteria: { met: [1] } }],
    [`/v1/issues/${key}`, { descriptionMarkdown: ticked }],
    [`/v1/issue_comments?issueId=${key}`, { bodyMarkdown: 'x', met: [1] }]
  ]
  for (const [path, body] of ways) {
    const answer = await server.call(path, { token: agent.token, body })
    t.match(answer.json<Refusal>(), { statusCode: 409, code: 'EVIDENCE_REQUIRED' }, path)
  }
  await server.ok(`/v1/issues/${key}/criteria`, { body: { met: [1] } })
  const closed = await close(key, { met: [prove(2)] })
  t.equal(closed.statusCode, 201, 'what a person ticked needs none')
})

t.test(
  'ticks that an agent set before the team asked for evidence need some before the issue is completed',
  async t => {
    const name = await team('ANY')
    const { key } = await file(name)
    await change(key, { criteria: { met: [1, 2] } })
    await server.ok(`/v1/teams/${name}`, { body: { closing: { criteria: 'PROVEN' } } })
    const refused = await change(key, { state: 'Done' })
    t.match(refused.json<Refusal>(), {
      code: 'CRITERIA_UNMET',
      unmet: [],
      unproven: ['dates keep their zone', 'a test says so']
    })
    t.equal((await change(key, { state: 'Done', criteria: { met: [prove(1), prove(2)] } })).statusCode, 200)
  }
)

t.test('a person completes an issue all the same, and the history says so; an agent does not', async t => {
  const name = await team('MET')
  const ways: Array<(key: string, token: string) => Promise<{ statusCode: number }>> = [
    (key, token) => change(key, { state: 'Done', override: true }, token),
    (key, token) => close(key, { override: true }, token)
  ]
  for (const way of ways) {
    const { key } = await file(name)
    t.equal((await way(key, agent.token)).statusCode, 403)
    t.ok((await way(key, server.token)).statusCode < 300)
    const { history: shown, state } = await context(key)
    t.equal(state.category, 'COMPLETED')
    t.notMatch(shown, [{ change: 'override' }], 'a context has changes of its fields only')
    const history = await server.ok<Array<{ change: string; to: string | null }>>(`/v1/issues/${key}/history`)
    t.match(
      history.filter(entry => entry.change === 'override'),
      [{ to: '2 of 2 are not met: "dates keep their zone", "a test says so"' }]
    )
  }
})
