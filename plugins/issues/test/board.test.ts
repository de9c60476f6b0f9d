import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Issue {
  id: string
  key: string
  stateId: string
  priority: number
  labelIds: string[]
  parentId: string | null
  rev: number
}
interface Page {
  issues: Array<Record<string, unknown>>
}
interface Named {
  id: string
  name: string
}

let server: TestServer
let states: Named[]
const file = (title: string, fields: object = {}) =>
  server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, ...fields } })
const read = (key: string) => server.ok<Issue>(`/v1/issues/${key}`)
const bulkChange = (issues: object[]) => server.call('/v1/issues/bulk_change', { body: { issues } })

t.before(async () => {
  server = await testServer({
    settings: { jobs: false, plugins: { delegation: { runner: { command: ['true'] } } } }
  })
  states = await server.ok<Named[]>('/v1/ENG/workflows')
})
t.teardown(() => server.close())

t.test('a row of the board has all that a card shows, and nothing that the issue has not', async t => {
  const { id: me } = await server.ok<{ id: string }>('/v1/users/me')
  const blocker = await file('Blocker')
  const { id, key } = await file('Shown', {
    descriptionMarkdown: 'What is wanted here, and why it is wanted.\n\n- [x] one\n- [ ] two',
    assigneeId: me,
    estimate: 3
  })
  await server.ok('/v1/agent_runs', { body: { issueId: id } })
  await server.ok(`/v1/issues/${id}`, { body: { addBlockedByIds: [blocker.id] } })
  await server.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown: 'Noted.' } })
  const { issues } = await server.ok<Page>('/v1/issues/filter', { body: { view: 'board', orderBy: 'number' } })
  const row = issues.find(issue => issue['key'] === key)
  t.match(row, {
    id,
    title: 'Shown',
    assigneeId: me,
    assignedAt: /^20.*Z$/,
    estimate: 3,
    sortOrder: Number,
    criteria: { met: 1, total: 2 },
    isBlocked: true,
    commentCount: 1,
    runStatus: 'QUEUED'
  })
  t.notHas(row, { description: null, descriptionMarkdown: '' })
  t.strictSame(Object.keys(issues.find(issue => issue['key'] === blocker.key)!).toSorted(), [
    ...['id', 'key', 'labelIds', 'priority', 'rev', 'sortOrder', 'stateCategory', 'stateId', 'title', 'updatedAt']
  ])
})

t.test('the manual order is ascending, and a moved issue keeps its position', async t => {
  const label = await server.ok<Named>('/v1/labels', { body: { name: 'By hand' } })
  const rows: Issue[] = []
  for (const title of ['a', 'b', 'c']) rows.push(await file(title, { labelIds: [label.id], sortOrder: rows.length }))
  await server.ok(`/v1/issues/${rows[2]!.id}`, { body: { sortOrder: 0.5 } })
  const filters = { label: { filterType: 'IS', value: [label.id] } }
  const { issues } = await server.ok<Page>('/v1/issues/filter', { body: { filters, orderBy: 'sortOrder' } })
  t.strictSame(
    issues.map(({ title }) => title),
    ['a', 'c', 'b']
  )
})

t.test('many issues are changed by one request, each as the request says', async t => {
  const [one, two, three] = [await file('one'), await file('two'), await file('three')]
  const [label] = await server.ok<Named[]>('/v1/labels')
  const answer = await bulkChange([
    { issueId: one.key, stateId: states[2]!.id, addLabelIds: [label!.id] },
    { issueId: two.id, priority: 'high' },
    { issueId: three.key.toLowerCase(), parentId: one.key }
  ])
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { issues: [one, two, three].map(({ id, key }) => ({ id, key })) })
  t.match(await read(one.key), { stateId: states[2]!.id, labelIds: [label!.id], rev: 2 })
  t.match(await read(two.key), { priority: 2, rev: 2 })
  t.match(await read(three.key), { parentId: one.id, rev: 2 })
})

t.test('of changes of which one is refused, none is made', async t => {
  const [one, two] = [await file('first'), await file('second')]
  const circle = await bulkChange([
    { issueId: one.key, parentId: two.key },
    { issueId: two.key, parentId: one.key }
  ])
  t.match(circle.json(), { statusCode: 409 })
  t.equal((await bulkChange([{ issueId: one.key, priority: 1 }, { issueId: 'ENG-9999' }])).statusCode, 404)
  t.match(await read(one.key), { parentId: null, priority: 0, rev: 1 })
})

t.test('an agent without the scope, and another workspace, change nothing in bulk', async t => {
  const { key, id } = await file('kept')
  const reader = await server.agent('Reader', ['read'])
  const other = await server.otherWorkspace()
  const body = { issues: [{ issueId: id, priority: 1 }] }
  t.equal((await server.call('/v1/issues/bulk_change', { token: reader.token, body })).statusCode, 403)
  t.equal((await server.call('/v1/issues/bulk_change', { token: other.token, body })).statusCode, 404)
  t.match(await read(key), { priority: 0 })
})
