import { sql } from 'kysely'
import t from 'tap'
import { mcpAgent } from '../../../test/mcp-client.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { carryOver } from '../../../test/transfer.ts'

interface View {
  id: string
  name: string
  [field: string]: unknown
}
interface Row {
  id: string
  key: string
  title: string
}
interface Events {
  events: Array<{ type: string; subject: { id: string }; data: { changes?: Array<{ field: string }> } }>
}

let server: TestServer
let member: string
let other: string
let urgent: Row
const URGENT = { priority: { filterType: 'IS', value: ['urgent'] } }

/** A person who is no administrator. @returns their token */
const addMember = async (email: string, fullname: string): Promise<string> =>
  (await server.ok<{ token: string }>('/v1/users', { body: { email, fullname } })).token
const save = (body: object, token?: string) => server.ok<View>('/v1/views', { body, ...(token && { token }) })
const list = (token?: string) => server.ok<View[]>('/v1/views', token ? { token } : {})
const titlesOf = async (viewId: string, more: object = {}, token?: string) => {
  const body = { viewId, ...more }
  const { issues } = await server.ok<{ issues: Row[] }>('/v1/issues/filter', { body, ...(token && { token }) })
  return issues.map(({ title }) => title)
}

t.before(async () => {
  server = await testServer()
  member = await addMember('mia@example.org', 'Mia')
  other = await addMember('noa@example.org', 'Noa')
  const add = (title: string, body: object = {}) =>
    server.ok<Row>('/v1/issues', { body: { teamId: 'ENG', title, ...body } })
  urgent = await add('urgent', { priority: 'urgent', labels: ['Bug'] })
  await add('high', { priority: 'high', labels: ['Bug'] })
  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'of Mia', assignee: 'me' }, token: member })
})
t.teardown(() => server.close())

t.test('a view has what was saved, and what it has not is absent', async t => {
  const saved = await save({
    name: 'All of it',
    icon: '🔥',
    filters: URGENT,
    orderBy: 'urgency',
    groupBy: 'assignee',
    subGroupBy: 'label',
    layout: 'list',
    properties: ['key', 'labels'],
    hiddenGroups: ['none'],
    collapsedGroups: ['x'],
    closedWithinDays: 14,
    teamId: 'eng'
  })
  t.match(saved, { icon: '🔥', filters: URGENT, groupBy: 'assignee', subGroupBy: 'label', closedWithinDays: 14 })
  t.match(saved, { isShared: false, owner: { fullname: 'Administrator' }, teamId: /^[0-9a-f-]{36}$/ })
  const cleared = { icon: null, groupBy: null, subGroupBy: null, closedWithinDays: null, teamId: null }
  const changed = await server.ok<View>(`/v1/views/${saved.id}`, { body: cleared })
  for (const field of Object.keys(cleared)) t.notOk(field in changed, field)
  t.match(changed, { filters: URGENT, layout: 'list', properties: ['key', 'labels'] }, 'what is not sent stays')
  const bare = await save({ name: 'Bare' })
  t.match(bare, { filters: {}, orderBy: 'updatedAt', layout: 'board', properties: [], hiddenGroups: [] })
  for (const { id } of [saved, bare]) await server.ok(`/v1/views/${id}`, { method: 'DELETE' })
})

t.test('filters are checked when they are saved', async t => {
  for (const [filters, message] of [
    [{ colour: { filterType: 'IS', value: ['red'] } }, /colour is not a filter; the filters are: /],
    [{ label: { filterType: 'IS', value: ['Bag'] } }, /did you mean 'Bug'/],
    [{ text: { filterType: 'INCLUDES', value: Array.from({ length: 20 }, () => 'x'.repeat(900)) } }, /at most 16384/]
  ] as const) {
    t.match((await server.call('/v1/views', { body: { name: 'No', filters } })).json(), { statusCode: 400, message })
  }
  t.equal((await server.call('/v1/views', { body: { name: 'none' } })).statusCode, 400, 'a name that means none')
})

t.test('a view is its owner’s alone, or shared; the owner or an administrator changes what is shared', async t => {
  const { id } = await save({ name: 'Of Mia' }, member)
  const statuses = async (token?: string) => {
    const as = token === undefined ? {} : { token }
    return [
      (await server.call(`/v1/views/${id}`, { body: { icon: '⭐' }, ...as })).statusCode,
      (await server.call('/v1/issues/filter', { body: { viewId: id }, ...as })).statusCode
    ]
  }
  t.strictSame(
    [await statuses(member), await statuses(), await statuses(other)],
    [
      [200, 200],
      [404, 404],
      [404, 404]
    ]
  )
  t.notOk((await list()).some(view => view.id === id))
  await server.ok(`/v1/views/${id}`, { body: { isShared: true }, token: member })
  t.strictSame(
    [await statuses(member), await statuses(), await statuses(other)],
    [
      [200, 200],
      [200, 200],
      [403, 200]
    ]
  )
  t.ok((await list(other)).some(view => view.id === id))
  t.equal((await server.call(`/v1/views/${id}`, { method: 'DELETE', token: other })).statusCode, 403)
  t.equal((await server.call(`/v1/views/${id}`, { body: { isShared: false } })).statusCode, 403, 'nobody else takes it')
  const { token } = await server.otherWorkspace()
  t.strictSame(await statuses(token), [404, 404])
  await server.ok(`/v1/views/${id}`, { method: 'DELETE' })
  t.strictSame(await statuses(member), [404, 404])
})

t.test('a person and a workspace have a maximum of views', async t => {
  const full = await testServer()
  t.teardown(() => full.close())
  const asMia = (await full.ok<{ token: string }>('/v1/users', { body: { email: 'mia@example.org', fullname: 'Mia' } }))
    .token
  const { id } = await full.ok<View>('/v1/views', { body: { name: 'One', isShared: true } })
  const copies = (count: number) =>
    sql`insert into saved_view
      select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid()))).*
      from saved_view v, generate_series(1, ${count}::int) where v.id = ${id}`.execute(full.database.db)
  const refusal = async (path: string, body: object, token?: string) =>
    (await full.call(path, { body, ...(token && { token }) })).json<object>()
  await copies(198)
  const { id: last } = await full.ok<View>('/v1/views', { body: { name: 'The last' } })
  t.match(await refusal('/v1/views', { name: 'One more' }), { statusCode: 409, message: /at most 200 views: remove/ })
  const { id: mine } = await full.ok<View>('/v1/views', { body: { name: 'Of another' }, token: asMia })
  await copies(301)
  const tooMany = { statusCode: 409, message: /at most 500 shared views: remove/ }
  t.match(await refusal('/v1/views', { name: 'Shared', isShared: true }, asMia), tooMany)
  t.match(await refusal(`/v1/views/${mine}`, { isShared: true }, asMia), tooMany)
  await full.ok(`/v1/views/${id}`, { body: { isShared: true, name: 'Renamed' } })
  await full.ok(`/v1/views/${last}`, { method: 'DELETE' })
  t.equal((await full.ok<View[]>('/v1/views', { token: asMia })).length, 501, 'all are listed')
})

t.test('a request that is sent again with its key has one effect', async t => {
  const headers = { 'idempotency-key': 'one view' }
  const [first, again] = [
    await server.call('/v1/views', { body: { name: 'Once' }, headers }),
    await server.call('/v1/views', { body: { name: 'Once' }, headers })
  ]
  t.strictSame([again.json(), again.headers['idempotency-replayed']], [first.json(), 'true'])
  const { id } = first.json<View>()
  const set = (favourites: object[], key: string) =>
    server.call('/v1/favourites', { method: 'PUT', body: { favourites }, headers: { 'idempotency-key': key } })
  const starred = [{ type: 'view', id }]
  t.equal((await set(starred, 'starred')).statusCode, 200)
  await set([], 'none')
  t.match((await set(starred, 'starred')).headers, { 'idempotency-replayed': 'true' })
  t.strictSame(await server.ok('/v1/favourites'), [], 'a late repetition does not undo what came after it')
  t.match((await set([], 'starred')).json(), { statusCode: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
  await server.ok(`/v1/views/${id}`, { method: 'DELETE' })
})

t.test('a change of what somebody else has changed meanwhile is refused', async t => {
  const { id } = await save({ name: 'First', filters: URGENT })
  await server.ok(`/v1/views/${id}`, { body: { name: 'Second', previous: { name: 'First', filters: URGENT } } })
  const late = await server.call(`/v1/views/${id}`, { body: { name: 'Third', previous: { name: 'First' } } })
  t.match(late.json(), { statusCode: 412, current: { name: 'Second' } })
  await server.ok(`/v1/views/${id}`, { method: 'DELETE' })
})

t.test('its issues are listed by its id or name, in its order, and narrowed by other filters', async t => {
  const bug = { label: { filterType: 'IS', value: ['Bug'] } }
  const { id } = await save({ name: 'Bugs', filters: bug, orderBy: 'urgency', isShared: true, teamId: 'ENG' })
  t.strictSame(await titlesOf(id), ['urgent', 'high'])
  t.strictSame(await titlesOf('bugs', { orderBy: 'createdAt' }), ['high', 'urgent'])
  t.strictSame(await titlesOf('BUGS', { filters: URGENT }), ['urgent'])
  t.strictSame(await titlesOf(id, { filters: { label: { filterType: 'UNDEFINED' } } }), [], 'both conditions hold')
  const { nextCursor: cursor } = await server.ok<{ nextCursor: string }>('/v1/issues/filter', {
    body: { viewId: id, perPage: 1 }
  })
  t.strictSame(await titlesOf(id, { perPage: 1, cursor }), ['high'])

  const mine = await save({
    name: 'My work',
    filters: { assignee: { filterType: 'IS', value: ['me'] } },
    isShared: true
  })
  t.strictSame([await titlesOf(mine.id), await titlesOf(mine.id, {}, member)], [[], ['of Mia']], 'me is the reader')

  await save({ name: 'Bugs' })
  const messageOf = async (viewId: string) =>
    (await server.call('/v1/issues/filter', { body: { viewId } })).json<{ message: string }>().message
  t.match(await messageOf('Bugs'), /More than one view is called 'Bugs': send the id/)
  t.match(await messageOf('Bogs'), /^There is no view 'Bogs'; did you mean 'Bugs'/)
})

t.test('agents list a view, and their other arguments narrow it', async t => {
  const { token } = await server.agent('Viewer')
  const agent = await mcpAgent(server, token)
  const { id } = await save({
    name: 'Closed, too',
    filters: { label: { filterType: 'IS', value: ['Bug'] } },
    isShared: true
  })
  const { key } = await server.ok<Row>('/v1/issues', {
    body: { teamId: 'ENG', title: 'closed', state: 'Done', labels: ['Bug'] }
  })
  const tasks = async (args: object) =>
    (await agent.ok<{ tasks: Row[] }>('list_tasks', args)).tasks.map(({ title }) => title).sort()
  t.strictSame(await tasks({ view: 'closed, too' }), ['closed', 'high', 'urgent'])
  t.strictSame(await tasks({ view: id, filter: '-priority:urgent -category:completed' }), ['high'])
  t.match(await agent.refused('list_tasks', { view: 'Bogs' }), /There is no view 'Bogs'/)
  await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
})

t.test('closed issues leave a view by their age', async t => {
  const day = { now: '2026-05-01T12:00:00.000Z' }
  const late = await testServer({ now: () => new Date(day.now) })
  t.teardown(() => late.close())
  await late.ok('/v1/issues', { body: { teamId: 'ENG', title: 'closed', state: 'Done' } })
  const { id: viewId } = await late.ok<View>('/v1/views', { body: { name: 'Fresh', closedWithinDays: 14 } })
  const count = async () => (await late.ok<{ total: number }>('/v1/issues/filter', { body: { viewId } })).total
  t.equal(await count(), 1)
  day.now = '2026-05-15T12:00:00.001Z'
  t.equal(await count(), 0)
})

t.test('events of a view reach only those who may read it', async t => {
  const { id } = await save({ name: 'Secret' }, member)
  const change = (body: object) => server.ok(`/v1/views/${id}`, { body, token: member })
  await change({ name: 'Secret 2' })
  await change({ isShared: true, icon: '⭐' })
  await change({ icon: '🔥' })
  await change({ isShared: false, name: 'Secret 3' })
  await server.ok(`/v1/views/${id}`, { method: 'DELETE', token: member })
  const shown = async (token: string) =>
    (await server.ok<Events>('/v1/events?limit=1000', { token })).events
      .filter(({ subject }) => subject.id === id)
      .map(({ type, data }) => [type, ...(data.changes ?? []).map(({ field }) => field)].join(' '))
  t.strictSame(await shown(other), ['view.updated isShared', 'view.updated icon', 'view.updated isShared'])
  t.strictSame(await shown(member), [
    'private_view.created',
    'private_view.updated name',
    'view.updated isShared',
    'private_view.updated icon',
    'view.updated icon',
    'view.updated isShared',
    'private_view.updated name',
    'private_view.deleted'
  ])
})

t.test('favourites are views, projects, cycles and issues in the order of their person', async t => {
  const { id: project } = await server.ok<Row>('/v1/projects', { body: { name: 'Launch' } })
  const view = await save({ name: 'Starred', isShared: true })
  const span = { startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-02-01T00:00:00.000Z' }
  const { id: cycle } = await server.ok<Row>('/v1/cycles', { body: { teamId: 'ENG', name: 'Sprint', ...span } })
  const set = (favourites: object[], token?: string) =>
    server.call('/v1/favourites', { method: 'PUT', body: { favourites }, ...(token && { token }) })
  const get = (token?: string) => server.ok<Array<{ name: string }>>('/v1/favourites', token ? { token } : {})
  const all = [
    { type: 'issue', id: urgent.id },
    { type: 'view', id: view.id },
    { type: 'project', id: project },
    { type: 'cycle', id: cycle }
  ]
  t.equal((await set(all)).statusCode, 200)
  t.strictSame(await get(), [
    { type: 'issue', id: urgent.id, name: 'urgent', key: urgent.key },
    { type: 'view', id: view.id, name: 'Starred' },
    { type: 'project', id: project, name: 'Launch' },
    { type: 'cycle', id: cycle, name: 'Sprint' }
  ])
  t.strictSame(await get(member), [], 'others have their own')
  await set(all.toReversed())
  t.strictSame(
    (await get()).map(({ name }) => name),
    ['Sprint', 'Launch', 'Starred', 'urgent']
  )

  const hidden = await save({ name: 'Hidden' }, member)
  for (const [favourites, statusCode] of [
    [[all[0], all[0]], 400],
    [[{ type: 'team', id: urgent.id }], 400],
    [[{ type: 'issue', id: project }], 404],
    [[{ type: 'view', id: hidden.id }], 404]
  ] as const) {
    t.equal((await set([...favourites] as object[])).statusCode, statusCode, JSON.stringify(favourites))
  }
  await server.ok(`/v1/issues/${urgent.key}`, { method: 'DELETE' })
  await server.ok(`/v1/views/${view.id}`, { method: 'DELETE' })
  await server.ok(`/v1/cycles/${cycle}`, { method: 'DELETE' })
  t.match(await get(), [{ name: 'Launch' }], 'what was removed is not listed')
  await set([{ type: 'project', id: project }])
  await server.ok(`/v1/issues/${urgent.key}/restore`, { body: {} })
  t.match(await get(), [{ name: 'Launch' }, { name: 'urgent' }], 'what is restored is in its place')

  const answers = await Promise.all(Array.from({ length: 4 }, () => set([all[0]!, all[2]!])))
  t.strictSame(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200],
    'one change at a time'
  )
})

t.test('favourites of a plugin that is off are not listed, and are back with it', async t => {
  const bare = ['workspace', 'issues', 'views']
  const first = await testServer({ plugins: [...bare, 'projects'] })
  const span = { startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-02-01T00:00:00.000Z' }
  const { id } = await first.ok<Row>('/v1/cycles', { body: { teamId: 'ENG', name: 'Sprint', ...span } })
  const { id: view } = await first.ok<View>('/v1/views', { body: { name: 'Mine' } })
  const mine = { type: 'view', id: view }
  const set = (server: TestServer, favourites: object[]) =>
    server.ok('/v1/favourites', { method: 'PUT', body: { favourites } })
  await set(first, [{ type: 'cycle', id }, mine])
  const without = await testServer({ on: first, plugins: bare })
  await first.close()
  await set(without, [mine])
  t.match(await without.ok('/v1/favourites'), { length: 1, 0: { name: 'Mine' } })
  const again = await testServer({ on: without, plugins: [...bare, 'projects'] })
  t.teardown(() => again.close())
  await without.close()
  t.match(await again.ok('/v1/favourites'), [{ name: 'Sprint' }, { name: 'Mine' }])
})

t.test('views are exported with names instead of ids, and imported', async t => {
  const [from, to] = [await testServer(), await testServer()]
  t.teardown(() => Promise.all([from.close(), to.close()]))
  const { teams, labels } = await from.ok<{
    teams: Array<{ id: string; states: Array<{ id: string; name: string }> }>
    labels: Array<{ id: string; name: string }>
  }>('/v1/workspace')
  const { id: me } = await from.ok<{ id: string }>('/v1/users/me')
  const { id: parent } = await from.ok<Row>('/v1/issues', { body: { teamId: 'ENG', title: 'Parent' } })
  const one = (value: unknown) => ({ filterType: 'IS', value: [value] })
  const { id: state } = teams[0]!.states.find(({ name }) => name === 'Todo')!
  const filters = {
    state: one(state),
    label: one(labels[0]!.id),
    team: one(teams[0]!.id),
    assignee: one(me),
    parent: one(parent),
    text: { filterType: 'INCLUDES', value: ['"a" \\ b'] }
  }
  const body = { name: 'Mine', filters, teamId: 'ENG', groupBy: 'label', closedWithinDays: 14, properties: ['key'] }
  await from.ok('/v1/views', { body })
  const { before, after, skipped } = await carryOver(from, to, 'view')
  t.strictSame([after, skipped], [before, []])
  t.match(before, [{ name: 'Mine', team: 'ENG', filters: { state: one('Todo'), label: one(labels[0]!.name) } }])
  t.match(before, [{ filters: { team: one('ENG'), parent: one('ENG-1'), text: filters.text } }])
})
