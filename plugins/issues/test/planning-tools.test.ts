import t from 'tap'
import { mcpAgent, type McpAgent } from '../../../test/mcp-client.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

/* Due dates, estimates, cycles and relations in the tools of agents, and the relations of REST that they use. */

interface Row {
  key: string
  relations?: string[]
  state?: string
}
interface Listed {
  tasks: Row[]
  total: number
}

const NEW = {
  description: 'The column is empty in every export, and nobody noticed.',
  acceptanceCriteria: ['It is not']
}
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

let server: TestServer
let agent: McpAgent
t.before(async () => {
  server = await testServer()
  await server.ok('/v1/cycles', {
    body: { name: 'Week 2', teamId: 'ENG', startsAt: '2026-01-12T00:00:00Z', endsAt: '2026-01-19T00:00:00Z' }
  })
  agent = await mcpAgent(server, (await server.agent('Planner')).token)
})
t.teardown(() => server.close())

const file = (title: string, more: object = {}) => agent.ok<Row>('create_task', { ...NEW, title, ...more })
const list = async (filters: object) =>
  (await agent.ok<Listed>('list_tasks', filters)).tasks.map(({ key }) => key).sort()

t.test('a task has a due date, an estimate and a cycle, which rows show and none clears', async t => {
  const { key } = await file('planned', { due: '+3d', estimate: 2.5, cycle: 'week 2' })
  const planned = { dueDate: dayIn(3), estimate: 2.5, cycle: 'Week 2' }
  t.match(await agent.ok('list_tasks', { cycle: 'Week 2' }), { tasks: [{ key, ...planned }], total: 1 })
  t.match(await agent.ok('get_task', { task: key }), planned)
  const cleared = await agent.ok('update_task', { task: key, due: 'none', estimate: 'none', cycle: null })
  for (const name of Object.keys(planned)) t.notOk(name in cleared, name)
  t.strictSame(await list({ cycle: 'Week 2' }), [])
})

t.test('tasks are listed by the day by which they are due, and by their estimate', async t => {
  const { key: late } = await file('late', { due: 'yesterday', estimate: 8 })
  const { key: soon } = await file('soon', { due: 'tomorrow' })
  const { key: some } = await file('some day')
  t.strictSame(await list({ due: 'today' }), [late])
  t.strictSame(await list({ due: '+1w' }), [late, soon])
  t.ok((await list({ due: 'none' })).includes(some))
  t.strictSame(await list({ estimate: 8 }), [late])
  t.match(await agent.refused('list_tasks', { due: 'soon' }), /^arguments\.due 'soon' is no day: send YYYY-MM-DD/)
  const forms = /^arguments\.due .*soon.*YYYY-MM-DD.*today.*\+3d/
  t.match(await agent.refused('create_task', { ...NEW, title: 'x', due: 'soon' }), forms)
  t.match(await agent.refused('update_task', { task: some, due: 'soon' }), forms)
})

t.test('relations are added and removed with a task, each seen from it, and are found', async t => {
  const { key: first } = await file('first')
  const { key: second, relations } = await file('second', { relations: [`BLOCKED ${first}`] })
  t.strictSame(relations, [`BLOCKED ${first}`])
  const { key: third } = await file('third', { relations: [`DUPLICATE_OF ${first}`, `RELATED ${second}`] })
  t.match(await agent.ok('update_task', { task: first, relations: [`BLOCKS ${third}`, `BLOCKS ${third}`] }), {
    relations: [`BLOCKS ${second}`, `DUPLICATE ${third}`, `BLOCKS ${third}`]
  })
  t.strictSame(await list({ relations: ['BLOCKED'] }), [second, third])
  t.strictSame(await list({ relations: [`blocked by ${first}`, `RELATED ${third}`] }), [second, third])
  t.strictSame(await list({ relations: [`BLOCKED ${second}`] }), [])
  t.strictSame(await list({ relations: [`RELATED ${second}`] }), [third])
  t.strictSame(await list({ relations: ['DUPLICATE', 'DUPLICATE_OF'] }), [first, third])
  t.match(await agent.refused('list_tasks', { relations: ['none'] }), /^arguments\.relations 'none' is no relation/)
  t.match(await agent.refused('update_task', { task: first, relations: [`BLOCKED ${third}`] }), /blocked by itself/)

  // All relations between two tasks go at once, and the histories of both say so.
  t.notOk(
    'relations' in (await agent.ok<Row>('update_task', { task: third, relations: [`none ${first}`, `none ${second}`] }))
  )
  t.strictSame(await list({ relations: [`BLOCKED ${first}`] }), [second])
  const { relations: rest } = await agent.ok<Row>('update_task', { task: first, relations: [`BLOCKS ${second}`] })
  t.strictSame(rest, [`BLOCKS ${second}`], 'the other one')
  t.notOk('relations' in (await agent.ok<Row>('update_task', { task: first, title: 'First' })), 'what is not sent')
  const events = await server.ok<{
    events: Array<{ data: { changes: Array<{ field: string; from: string | null }> } }>
  }>(`/v1/events?types=issue.updated&limit=1000`)
  const removed = events.events
    .flatMap(({ data }) => data.changes)
    .filter(({ field, from }) => field === 'relation' && from)
  t.strictSame([...new Set(removed.map(({ from }) => from))].sort(), [
    `${first} BLOCKS ${third}`,
    ...[`${second} RELATED ${third}`, `${third} DUPLICATE_OF ${first}`].sort()
  ])
})

t.test('REST takes relations with a new issue and with a change, all or nothing', async t => {
  const create = async (body: object) =>
    server.call('/v1/issues?view=named', { body: { teamId: 'ENG', title: 'x', ...body } })
  const { key: one } = (await create({})).json<Row>()
  const { key: two } = (await create({ relations: [{ type: 'SIMILAR', relatedIssueId: one }] })).json<Row>()
  const change = (body: object) => server.call(`/v1/issues/${two}?view=named`, { body })
  const both = [
    { type: 'BLOCKS', relatedIssueId: one },
    { type: 'BLOCKED', relatedIssueId: two }
  ]
  t.match((await create({ relations: both })).json(), { statusCode: 400, message: /not both/ })
  t.match((await create({ relations: [{ type: 'RELATED', relatedIssueId: 'ENG-999' }] })).json(), { statusCode: 404 })
  const wrong = { title: 'changed', removeRelations: [{ type: 'BLOCKS', relatedIssueId: one }] }
  t.match((await change(wrong)).json(), {
    statusCode: 400,
    field: 'removeRelations',
    message: new RegExp(`^${two} has no relation BLOCKS to ${one}; its context`)
  })
  t.match((await change({ addRelations: [{ type: 'RELATED', relatedIssueId: two }] })).json(), { statusCode: 400 })
  t.match(await server.ok(`/v1/issues/${two}?view=named`), { title: 'x', relations: [`SIMILAR ${one}`] })
  const swap = {
    addRelations: [{ type: 'RELATED', relatedIssueId: one }],
    removeRelations: [{ type: 'SIMILAR', relatedIssueId: one }]
  }
  t.match((await change(swap)).json(), { relations: [`RELATED ${one}`] })
  await server.ok(`/v1/issues/${one}`, { method: 'DELETE' })
  t.notOk('relations' in (await server.ok<object>(`/v1/issues/${two}?view=named`)), 'not to a removed issue')

  const filterBy = async (filter: object) =>
    (await server.call('/v1/issues/filter', { body: { page: 1, filters: { relation: filter } } })).json<object>()
  t.match(await filterBy({ filterType: 'IS', value: ['CAUSES'] }), {
    statusCode: 400,
    message: /^body\.filters\.relation\.value must hold relations: a type \(BLOCKS, .* 'CAUSES' is none\.$/
  })
  t.match(await filterBy({ filterType: 'IS', value: ['BLOCKED ENG-999'] }), { statusCode: 400, message: /no issue/ })
  t.match(await filterBy({ filterType: 'IS', value: [] }), { total: 0 })
  const { total } = await server.ok<{ total: number }>('/v1/issues/filter', { body: { page: 1 } })
  t.match(await filterBy({ filterType: 'IS_NOT', value: [] }), { total })
})

t.test('rows have times only where tasks are found or sorted by them, and labels only where by labels', async t => {
  const { key } = await file('timely', { labels: ['Bug'] })
  const rowOf = async (args: object) =>
    (await agent.ok<Listed>('list_tasks', { limit: 50, ...args })).tasks.find(row => row.key === key) ?? {}
  t.notOk('updatedAt' in (await rowOf({})))
  t.notOk('labels' in (await rowOf({})))
  t.notOk('labels' in (await rowOf({ limit: 5, orderBy: 'createdAt' })))
  for (const by of [{ labels: ['bug'] }, { filter: 'label:bug' }, { filter: '-label:docs' }]) {
    t.match(await rowOf(by), { labels: ['Bug'] }, JSON.stringify(by))
  }
  t.notOk('updatedAt' in (await agent.ok('update_task', { task: key, priority: 'low' })))
  t.ok('updatedAt' in (await rowOf({ orderBy: 'updatedAt' })))
  t.ok('updatedAt' in (await rowOf({ filter: 'updated:>-7d' })))
})

t.test('without projects there is no cycle, and the rest works', async t => {
  const small = await testServer({ plugins: ['workspace', 'agents', 'issues', 'mcp'] })
  t.teardown(() => small.close())
  const alone = await mcpAgent(small)
  t.match(await alone.ok('create_task', { ...NEW, title: 'x', due: '2030-12-24', estimate: 1 }), {
    dueDate: '2030-12-24',
    estimate: 1
  })
  t.match(await alone.refused('create_task', { ...NEW, title: 'x', cycle: 'x' }), /cycle is not an argument/)
})

t.test('the state that most rows of a list have is said once', async t => {
  const labels = ['Docs']
  const keys: string[] = []
  for (const title of ['one', 'two', 'three', 'four']) keys.push((await file(title, { labels })).key)
  const [key] = keys
  t.match(await agent.ok('pick_up_task', { task: key }), { state: 'In Progress' })
  const list = (args: object) => agent.ok<Listed & { state?: string }>('list_tasks', { labels, ...args })
  const { state, tasks } = await list({})
  t.equal(state, 'Todo')
  t.strictSame(
    tasks.map(row => [row.key, row.state]).sort(),
    keys.map(each => [each, each === key ? 'In Progress' : undefined]).sort()
  )
  const few = await list({ assignee: 'me' })
  t.notOk('state' in few)
  t.match(few.tasks, [{ key, state: 'In Progress' }])
})
