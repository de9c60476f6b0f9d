import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { transferOf } from '../../../test/transfer.ts'

interface Issue {
  id: string
  key: string
  stateId: string
  stateCategory: string
  assigneeId: string | null
  labelIds: string[]
  priority: number
  projectId: string | null
  cycleId: string | null
  parentId: string | null
  teamId: string
}

let server: TestServer
let ids: Record<string, string>
const create = (body: object) => server.ok<Issue>('/v1/issues', { body: { title: 'Named', ...body } })
const update = (key: string, body: object) => server.ok<Issue>(`/v1/issues/${key}`, { body })
async function refusal(path: string, body: object): Promise<{ statusCode: number; message: string; field?: string }> {
  return (await server.call(path, { body })).json()
}

t.before(async () => {
  server = await testServer()
  const { teams, labels } = await server.ok<{
    teams: Array<{ id: string; states: Array<{ id: string; name: string }> }>
    labels: Array<{ id: string; name: string }>
  }>('/v1/workspace')
  const me = await server.ok<{ id: string }>('/v1/users/me')
  const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Stability' } })
  const cycle = await server.ok<{ id: string }>('/v1/cycles', {
    body: { teamId: 'ENG', name: 'May', startsAt: '2026-05-01T00:00:00Z', endsAt: '2026-06-01T00:00:00Z' }
  })
  await server.ok('/v1/users', { body: { email: 'ada@example.com', fullname: 'Ada Lovelace', role: 'MEMBER' } })
  for (const email of ['sam@example.com', 'sam@example.org']) {
    await server.ok('/v1/users', { body: { email, fullname: `Sam of ${email.slice(-3)}`, role: 'MEMBER' } })
  }
  // Names that earlier versions accepted.
  const { db } = server.database
  await db.updateTable('account').set({ fullname: 'Sam' }).where('fullname', 'like', 'Sam of %').execute()
  const named = [...teams[0]!.states, ...labels].map(({ id, name }) => [name, id])
  ids = { ...Object.fromEntries(named), team: teams[0]!.id, me: me.id, project: project.id, cycle: cycle.id }
})
t.teardown(() => server.close())

t.test('an issue is filed with names in the place of ids', async t => {
  const body = { team: 'engineering', state: 'in progress', assignee: 'me', labels: ['bug', 'Docs'], priority: 'High' }
  t.match(await create({ ...body, project: 'stability', cycle: 'May' }), {
    teamId: ids['team'],
    stateId: ids['In Progress'],
    assigneeId: ids['me'],
    labelIds: [ids['Bug'], ids['Docs']].sort(),
    priority: 2,
    projectId: ids['project'],
    cycleId: ids['cycle']
  })
})

t.test('without a team an issue is filed in that of its parent, or in the only one', async t => {
  const { key } = await create({})
  t.match(key, /^ENG-/)
  const other = await testServer({ plugins: ['workspace', 'issues'] })
  t.teardown(() => other.close())
  await other.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const refused = await other.call('/v1/issues', { body: { title: 'Where' } })
  t.match(refused.json(), { statusCode: 400, message: /name the team, one of ENG \(Engineering\), OPS \(Operations\)/ })
  const parent = await other.ok<Issue>('/v1/issues', { body: { title: 'Parent', team: 'ops' } })
  const child = await other.ok<Issue>('/v1/issues', { body: { title: 'Child', parent: parent.key } })
  t.match(child, { parentId: parent.id, teamId: parent.teamId })
})

t.test('several issues with sub-issues are filed with names', async t => {
  const { issues } = await server.ok<{ issues: Issue[] }>('/v1/issues/bulk', {
    body: { issues: [{ title: 'One', team: 'ENG', subIssues: [{ title: 'Part', labels: ['Bug'] }], state: 'Done' }] }
  })
  t.match(issues, [{ stateId: ids['Done'] }])
  const [part] = await server.ok<Issue[]>('/v1/issues/filter', {
    body: { filters: { parent: { filterType: 'IS', value: [issues[0]!.key] } } }
  })
  t.strictSame(part?.labelIds, [ids['Bug']])
})

t.test('an issue is changed with names in the place of ids', async t => {
  const { key } = await create({})
  t.match(await update(key, { state: 'Done', assignee: 'ada@example.com', priority: 'urgent', project: 'Stability' }), {
    stateId: ids['Done'],
    assigneeId: /./,
    priority: 1,
    projectId: ids['project']
  })
  t.match(await update(key, { labels: ['Bug'], addLabels: ['docs'] }), { labelIds: { length: 2 } })
  t.strictSame((await update(key, { removeLabels: ['BUG'] })).labelIds, [ids['Docs']])
  t.match(await update(key, { assignee: null, project: null }), { assigneeId: null, projectId: null })
})

t.test('a state is named by its category, too: the first of it is meant', async t => {
  const { key } = await create({})
  t.match(await update(key, { state: 'STARTED' }), { stateId: ids['In Progress'] })
})

t.test('where an id and a name are sent, the id wins', async t => {
  const { key } = await create({ stateId: ids['Todo'], state: 'Done' })
  t.match(await update(key, { stateId: ids['In Progress'], state: 'Done', assigneeId: null, assignee: 'me' }), {
    stateId: ids['In Progress'],
    assigneeId: null
  })
})

t.test('an unknown name is a 400 that lists those that there are, the nearest first', async t => {
  const { key } = await create({})
  for (const [body, field, message] of [
    [{ state: 'in progres' }, 'state', /no state 'in progres'; did you mean 'In Progress'\? There are: In Progress, /],
    [{ labels: ['bugs'] }, 'labels', /did you mean 'Bug'\? There are: Bug, /],
    [{ assignee: 'ada' }, 'assignee', /did you mean 'Ada Lovelace'\?/],
    [{ project: 'stabilty' }, 'project', /did you mean 'Stability'\?/],
    [{ priority: 'hihg' }, 'priority', /no priority 'hihg'.* high, /]
  ] as const) {
    t.match(await refusal(`/v1/issues/${key}`, body), { statusCode: 400, field, message }, JSON.stringify(body))
    t.match(await refusal('/v1/issues', { title: 'x', team: 'ENG', ...body }), { statusCode: 400, field, message })
  }
  t.match(await refusal('/v1/issues', { title: 'x', team: 'EGN' }), { statusCode: 400, message: /ENG \(Engineering\)/ })
})

t.test('the error for an unknown name lists at most twenty names', async t => {
  for (let n = 0; n < 25; n++) await server.ok('/v1/labels', { body: { name: `area ${n}`, color: '#123456' } })
  const { message } = await refusal('/v1/issues', { title: 'x', team: 'ENG', labels: ['area x'] })
  t.equal(message.match(/area \d+/g)?.length, 21, 'twenty, and the nearest once more')
  t.match(message, / and \d+ more\.$/)
})

t.test('a name that several have is refused with their ids', async t => {
  t.match(await refusal('/v1/issues', { title: 'x', team: 'ENG', assignee: 'sam' }), {
    statusCode: 400,
    message: /More than one member is called 'Sam': send the id of the one you mean, [0-9a-f-]{36} or [0-9a-f-]{36}\./
  })
})

t.test('a write answers with names instead of ids when it is asked to', async t => {
  const issue = await server.ok<Record<string, unknown>>('/v1/issues?view=named', {
    body: { title: 'Shown', team: 'ENG', labels: ['Bug'], project: 'Stability' }
  })
  t.match(issue, { title: 'Shown', state: 'Todo', labels: ['Bug'], project: 'Stability' })
  t.notOk('id' in issue)
})

t.test('the answer to ticking or closing lists unmet criteria', async t => {
  const { key } = await create({ descriptionMarkdown: '- [ ] first\n- [ ] second' })
  t.match(await update(key, { criteria: { met: ['first'] } }), { unmet: ['second'] })
  t.match(await update(key, { state: 'Done' }), { unmet: ['second'] })
  t.notOk('unmet' in (await update(key, { title: 'Renamed' })))
})

t.test(
  'a comment moves the issue on by the name of a state, ticks criteria, and answers those still unmet',
  async t => {
    const { key } = await create({ descriptionMarkdown: '- [ ] first\n- [ ] second' })
    const answer = await server.ok<object>(`/v1/issue_comments?issueId=${key}`, {
      body: { bodyMarkdown: 'Mended.', state: 'Done', met: [1] }
    })
    t.match(answer, { bodyMarkdown: 'Mended.', issue: { key, state: { name: 'Done' } }, unmet: ['second'] })
  }
)

t.test('a comment that cannot move its issue on is not added', async t => {
  const { key } = await create({ descriptionMarkdown: '- [ ] first' })
  for (const change of [
    { state: 'Dome' },
    { state: 'Todo', stateCategory: 'COMPLETED' },
    { state: 'Done', met: [2] }
  ]) {
    const answer = await server.call(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'No.', ...change } })
    t.equal(answer.statusCode, 400, answer.body)
  }
  t.match(await server.ok(`/v1/issues/${key}/context`), { comments: [], state: { name: 'Todo' } })
})

t.test('an issue that was moved is found by its former key wherever a request names it', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const file = async (fields = {}) =>
    (await server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'x', ...fields } })).key
  const former = await file()
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const { key } = await server.ok<{ key: string }>(`/v1/issues/${former}/move`, { body: { teamId: 'OPS' } })
  const context = (issue: string) => server.ok(`/v1/issues/${issue}/context`)

  const child = await file({ parentId: former.toLowerCase(), blockedByIds: [former] })
  t.match(await context(child), { parent: { key }, relations: [{ type: 'BLOCKED', issue: { key } }] })
  const related = await file({ issueRelation: { type: 'RELATED', relatedIssueId: former } })
  t.match(await context(related), { relations: [{ type: 'RELATED', issue: { key } }] })
  await server.ok(`/v1/issues/${related}`, { body: { parentId: former, addBlockedByIds: [former] } })
  const filters = { parent: { filterType: 'IS', value: [former] } }
  const { issues } = await server.ok<{ issues: Array<{ key: string }> }>('/v1/issues/filter', {
    body: { filters, page: 1, orderBy: 'number' }
  })
  t.same(
    issues.map(issue => issue.key),
    [related, child]
  )
  const unknown = await server.call('/v1/issues', { body: { teamId: 'ENG', title: 'x', blockedByIds: ['ENG-999'] } })
  t.match(unknown.json(), { statusCode: 404, message: /^There is no issue 'ENG-999'/ })
})

t.test('an issue whose key an import says that another one had can be moved; both are found by that key', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Here' } })
  const record = { kind: 'issue', externalId: 'x', team: 'OPS', state: 'Todo', title: 'Imported', formerKeys: [key] }
  t.strictSame((await (await transferOf(server)).read([record])).skipped, [])
  const moved = await server.ok<{ key: string }>(`/v1/issues/${key}/move`, { body: { teamId: 'OPS' } })
  const answer = await server.call(`/v1/issues/${key}`)
  t.match(answer.json(), { statusCode: 409, candidates: [{ key: 'OPS-1' }, { key: moved.key }] })
})

t.test('an imported issue whose number is too long for a key gets the next one', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const { read } = await transferOf(server)
  const record = { kind: 'issue', team: 'ENG', state: 'Todo', title: 'Imported' }
  await read([{ ...record, externalId: 'x', number: 1_500_000_000 }])
  t.match(await server.ok('/v1/issues/ENG-1'), { title: 'Imported' })
})

t.test('a name that two teams have is refused, and names both', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  for (const identifier of ['OPS', 'OPT']) {
    await server.ok('/v1/teams', { body: { identifier, name: 'Operations' } })
  }
  const answer = await server.call('/v1/issues', { body: { team: 'operations', title: 'Where' } })
  const message = "More than one team is called 'Operations': send the id of the one you mean, OPS or OPT."
  t.match(answer.json(), { statusCode: 400, field: 'team', message })
})

t.test('a name is found in any case, width and form, an exact one first, also where it is stored so', async t => {
  const agent = await server.agent('Zo\u00E9')
  const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: ' QA ' } })
  for (const assignee of ['Zo\u00E9', ' zoe\u0301 ', 'ZO\u00C9', 'Zo\u200B\u00E9', 'Ｚｏ\u00E9']) {
    t.equal((await create({ assignee })).assigneeId, agent.id, JSON.stringify(assignee))
  }
  for (const name of ['QA', ' qa ', 'ＱＡ', 'Q\u00ADA']) {
    t.equal((await create({ project: name })).projectId, project.id, JSON.stringify(name))
  }
  await server.ok('/v1/labels', { body: { name: 'Ca\u00F1on' } })
  t.equal((await server.call('/v1/labels', { body: { name: ' can\u0303on\u200B' } })).statusCode, 409)
  t.equal((await create({ labels: ['CAN\u0303ON'] })).labelIds.length, 1)
  const { db } = server.database
  await db.updateTable('account').set({ fullname: 'Zoe\u0301' }).where('id', '=', agent.id).execute()
  t.equal((await create({ assignee: 'zo\u00E9' })).assigneeId, agent.id)
  const [small, large] = [await server.agent('small'), await server.agent('large')]
  await db.updateTable('account').set({ fullname: 'SMALL' }).where('id', '=', large.id).execute()
  t.equal((await create({ assignee: 'small' })).assigneeId, small.id)
  t.equal((await create({ assignee: ' SMALL ' })).assigneeId, large.id)
  t.match(await refusal('/v1/issues', { title: 'x', assignee: 'Small' }), { statusCode: 400, message: /More than one/ })
})

t.test('a name is found whose small letters the database writes otherwise, and one with a no-break space', async t => {
  const [turk, spaced] = [await server.agent('\u0130lker'), await server.agent('Robert\u00A0B')]
  for (const assignee of ['\u0130lker', '\u0130LKER', ' I\u0307lker ']) {
    t.equal((await create({ assignee })).assigneeId, turk.id, JSON.stringify(assignee))
  }
  t.match(await refusal('/v1/issues', { title: 'x', teamId: 'ENG', assignee: 'ilker' }), { field: 'assignee' })
  t.equal((await create({ assignee: 'robert b' })).assigneeId, spaced.id)
  await server.ok('/v1/ENG/workflows', { body: { name: '\u0130nceleme Bekliyor', category: 'STARTED' } })
  for (const state of ['\u0130nceleme Bekliyor', '\u0130NCELEME_BEKLIYOR']) {
    t.match(await create({ state }), { stateCategory: 'STARTED' }, state)
  }
})

t.test('a project and a cycle are not called as what says that there is none', async t => {
  for (const name of ['none', 'NULL', ' None ']) {
    t.match(await refusal('/v1/projects', { name }), { statusCode: 400, field: 'name' })
    const cycle = { teamId: 'ENG', startsAt: '2026-07-01T00:00:00Z', endsAt: '2026-08-01T00:00:00Z' }
    t.match(await refusal('/v1/cycles', { name, ...cycle }), { statusCode: 400, field: 'name' })
  }
})
