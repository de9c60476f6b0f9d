import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { decodeCursor, encodeCursor } from '../queries/filter/cursor.ts'

interface Row {
  id: string
  key: string
  title: string
  updatedAt: string
  stateCategory: string
  [field: string]: unknown
}
interface Page {
  issues: Row[]
  page: number
  perPage: number
  total: number
  nextCursor: string | null
}

let server: TestServer
let states: Record<string, string>
let labels: Record<string, string>
const keys: string[] = []
const newKeys: string[] = []
const filter = (body: object) => server.ok<Page>('/v1/issues/filter', { body: { perPage: 200, ...body } })
const titles = async (filters: object) =>
  (await filter({ filters })).issues
    .map(i => i.title)
    .sort()
    .join('')

t.before(async () => {
  let time = Date.parse('2026-01-01T00:00:00Z')
  server = await testServer({ now: () => new Date((time += 1000)) })
  const directory = await server.ok<{
    teams: Array<{ states: Array<{ id: string; name: string }> }>
    labels: Array<{ id: string; name: string }>
  }>('/v1/workspace')
  states = Object.fromEntries(directory.teams[0]!.states.map(s => [s.name, s.id]))
  labels = Object.fromEntries(directory.labels.map(l => [l.name, l.id]))
  const me = await server.ok<{ id: string }>('/v1/users/me')
  const add = async (title: string, body = {}) =>
    keys.push((await server.ok<Row>('/v1/issues', { body: { teamId: 'ENG', title, ...body } })).key)
  const ready = 'A description that says enough.\n\n- [ ] done'
  await add('a', {
    priority: 1,
    labelIds: [labels['Bug'], labels['Docs']],
    dueDate: '2026-03-01',
    estimate: 2,
    descriptionMarkdown: ready
  })
  await add('b', {
    priority: 2,
    labelIds: [labels['Bug']],
    stateId: states['In Progress'],
    assigneeId: me.id,
    parentId: keys[0]
  })
  await add('c', {
    stateId: states['Done'],
    dueDate: '2026-04-01',
    estimate: 5,
    issueRelation: { type: 'BLOCKS', relatedIssueId: keys[0] }
  })
  await add('d', { issueRelation: { type: 'BLOCKS', relatedIssueId: keys[1] }, descriptionMarkdown: ready })
})
t.teardown(() => server.close())

t.test('a time without a zone is UTC, wherever the server is', async t => {
  const { TZ } = process.env
  t.teardown(() => {
    if (TZ === undefined) delete process.env['TZ']
    else process.env['TZ'] = TZ
  })
  const { createdAt } = await server.ok<{ createdAt: string }>(`/v1/issues/${keys[1]}`)
  const withoutZone = createdAt.replace('Z', '')
  for (const zone of ['Pacific/Auckland', 'America/Los_Angeles']) {
    process.env['TZ'] = zone
    for (const value of [createdAt, withoutZone, withoutZone.replace('T', ' ')]) {
      t.equal(await titles({ createdAt: { filterType: 'LTE', value } }), 'ab', `${value} in ${zone}`)
    }
  }
})

t.test('every key and type selects what it says', async t => {
  for (const [filters, expected] of [
    [{}, 'abcd'],
    [{ state: { filterType: 'IS', value: [states['Done'], states['In Progress']] } }, 'bc'],
    [{ status: { filterType: 'IS_NOT', value: [states['Done']] } }, 'abd'],
    [{ stateCategory: { filterType: 'IS', value: ['COMPLETED', 'STARTED'] } }, 'bc'],
    [{ stateCategory: { filterType: 'IS_NOT', value: ['COMPLETED'] } }, 'abd'],
    [{ team: { filterType: 'IS', value: ['eng'] } }, 'abcd'],
    [{ team: { filterType: 'IS_NOT', value: ['ENG'] } }, ''],
    [{ assignee: { filterType: 'DEFINED' } }, 'b'],
    [{ assignee: { filterType: 'UNDEFINED' } }, 'acd'],
    [{ label: { filterType: 'INCLUDES', value: [labels['Bug'], labels['Docs']] } }, 'ab'],
    [{ label: { filterType: 'INCLUDES_ALL', value: [labels['Bug'], labels['Docs']] } }, 'a'],
    [{ label: { filterType: 'EXCLUDES', value: [labels['Docs']] } }, 'bcd'],
    [{ label: { filterType: 'UNDEFINED' } }, 'cd'],
    [{ label: { filterType: 'DEFINED' } }, 'ab'],
    [{ priority: { filterType: 'IS', value: [0] } }, 'cd'],
    [{ priority: { filterType: 'GTE', value: 1 } }, 'ab'],
    [{ estimate: { filterType: 'GT', value: 2 } }, 'c'],
    [{ estimate: { filterType: 'IS_NOT', value: [2] } }, 'bcd'],
    [{ dueDate: { filterType: 'LT', value: '2026-03-15' } }, 'a'],
    [{ dueDate: { filterType: 'UNDEFINED' } }, 'bd'],
    [{ createdAt: { filterType: 'GT', value: '2020-01-01T00:00:00Z' } }, 'abcd'],
    [{ updatedAt: { filterType: 'LTE', value: '2020-01-01T00:00:00Z' } }, ''],
    [{ parent: { filterType: 'IS', value: [keys[0]!.toLowerCase()] } }, 'b'],
    [{ parent: { filterType: 'UNDEFINED' } }, 'acd'],
    [{ project: { filterType: 'UNDEFINED' } }, 'abcd'],
    [{ cycle: { filterType: 'DEFINED' } }, ''],
    [{ isParent: true }, 'a'],
    [{ isSubIssue: { filterType: 'IS', value: [true] } }, 'b'],
    [{ isBlocked: true }, 'b'],
    [{ isBlocking: true }, 'd'],
    [{ isReady: true }, 'd'],
    [{ isReady: false }, 'abc'],
    [{ priority: { filterType: 'IS', value: [1, 2] }, isSubIssue: false }, 'a']
  ] as const) {
    t.equal(await titles(filters), expected, JSON.stringify(filters))
  }
})

t.test('filters accept names as well as ids', async t => {
  for (const [filters, expected] of [
    [{ state: { filterType: 'IS', value: ['done', 'In Progress'] } }, 'bc'],
    [{ state: { filterType: 'IS_NOT', value: ['COMPLETED'] } }, 'abd'],
    [{ team: { filterType: 'IS', value: ['Engineering'] } }, 'abcd'],
    [{ assignee: { filterType: 'IS', value: ['me'] } }, 'b'],
    [{ assignee: { filterType: 'IS_NOT', value: ['Administrator'] } }, 'acd'],
    [{ createdBy: { filterType: 'IS', value: ['me'] } }, 'abcd'],
    [{ label: { filterType: 'INCLUDES_ALL', value: ['bug', labels['Docs']] } }, 'a'],
    [{ priority: { filterType: 'IS', value: ['High', 1] } }, 'ab']
  ] as const) {
    t.equal(await titles(filters), expected, JSON.stringify(filters))
  }
})

t.test('a row of the view `named` has names instead of ids, and nothing that the issue has not', async t => {
  const { issues } = await filter({ view: 'named', filters: { assignee: { filterType: 'DEFINED' } } })
  t.match(issues, [
    {
      key: keys[1],
      title: 'b',
      state: 'In Progress',
      stateCategory: 'STARTED',
      assignee: 'Administrator',
      priority: 'high',
      labels: ['Bug'],
      updatedAt: String
    }
  ])
  t.notOk('project' in issues[0]!)
})

t.test('a value that cannot be written as text, or is nested deeply, is a 400', async t => {
  const deep = '['.repeat(9_000) + ']'.repeat(9_000)
  for (const key of [
    'state',
    'stateCategory',
    'team',
    'parent',
    'label',
    'priority',
    'dueDate',
    'createdAt',
    'isReady'
  ]) {
    for (const value of ['{"toString":1}', deep]) {
      const answer = await server.call('/v1/issues/filter', {
        body: `{"filters":{"${key}":{"filterType":"IS","value":[${value}]}}}`
      })
      t.match(answer.json(), { statusCode: 400, message: new RegExp(`^body\\.filters\\.${key}\\.value must `) }, key)
    }
  }
})

t.test('an unknown name is a 400 that lists the known ones', async t => {
  for (const [filters, message] of [
    [{ colour: { filterType: 'IS', value: [] } }, /colour is not a filter.*stateCategory/],
    [{ __proto__x: true }, /is not a filter/],
    [{ state: { filterType: 'LIKE', value: [] } }, /IS, IS_NOT/],
    [{ state: { filterType: 'IS', value: 'x' } }, /array/],
    [{ state: { filterType: 'IS', value: ['Dome'] } }, /no state 'Dome'; did you mean 'Done'\? There are: Done, /],
    [{ assignee: { filterType: 'IS', value: ['nobody'] } }, /no member 'nobody'; there are: .*Administrator/],
    [{ label: { filterType: 'INCLUDES', value: ['Bag'] } }, /no label 'Bag'; did you mean 'Bug'\?/],
    [{ priority: { filterType: 'IS', value: ['hgih'] } }, /no priority 'hgih'.* high, /],
    [{ stateCategory: { filterType: 'IS', value: ['DONE'] } }, /TRIAGE, BACKLOG/],
    [{ dueDate: { filterType: 'GT', value: 'soon' } }, /YYYY-MM-DD/],
    [{ priority: { filterType: 'GT', value: 1e9 } }, /priorities/],
    [{ isReady: 'yes' }, /filter types/],
    [{ team: { filterType: 'IS', value: ['ENG', 'NONE'] } }, /^There is no team 'NONE'.*ENG \(Engineering\)/],
    [{ parent: { filterType: 'IS_NOT', value: ['ENG-999'] } }, /^There is no issue 'ENG-999' in this workspace/],
    [{ state: { filterType: 'IS', value: [], more: 1 } }, /not a field of a filter/]
  ] as const) {
    const answer = await server.call('/v1/issues/filter', { body: { filters } })
    t.equal(answer.statusCode, 400, answer.body)
    t.match(answer.json<{ message: string }>().message, message)
    t.match(answer.json<{ field: string }>().field, /^filters\./, 'it names the field')
  }
  t.equal((await server.call('/v1/issues/filter', { body: { perPage: 201 } })).statusCode, 400)
  t.equal((await server.call('/v1/issues/filter', { body: { cursor: 'x' } })).statusCode, 400)
})

t.test('any of the four makes a page; none of them an array of full issues', async t => {
  const page = await server.ok<Page>('/v1/issues/filter', { body: { page: 1 } })
  t.match(page, { page: 1, perPage: 50, total: 4, nextCursor: null })
  t.strictSame(Object.keys(page.issues.find(({ title }) => title === 'd')!).sort(), [
    'assigneeId',
    'id',
    'key',
    'labelIds',
    'priority',
    'projectId',
    'stateCategory',
    'stateId',
    'title',
    'updatedAt'
  ])
  t.match((await server.ok<Page>('/v1/issues/filter', { body: { view: 'full' } })).issues[0], {
    descriptionMarkdown: String,
    rev: Number
  })
  const all = await server.ok<Row[]>('/v1/issues/filter', { body: {} })
  t.equal(all.length, 4)
  t.match(all[0], { descriptionMarkdown: String, createdById: String })
  t.equal(
    (await server.call('/v1/issues/filter', { token: (await server.agent('Reader', ['read'])).token, body: {} }))
      .statusCode,
    200,
    'it only reads'
  )
})

t.test('every order descends, and pages add up', async t => {
  for (const orderBy of ['updatedAt', 'createdAt', 'number', 'priority']) {
    const whole = (await filter({ orderBy, view: 'full' })).issues
    const values = whole.map(i => i[orderBy] as string | number)
    t.strictSame(
      values,
      [...values].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
      orderBy
    )
    const byPage = [
      ...(await filter({ orderBy, page: 1, perPage: 3 })).issues,
      ...(await filter({ orderBy, page: 2, perPage: 3 })).issues
    ]
    t.strictSame(
      byPage.map(i => i.id),
      whole.map(i => i.id)
    )
    const byCursor: string[] = []
    for (let cursor: string | null = null, first = true; first || cursor; first = false) {
      const page: Page = await filter({ orderBy, perPage: 1, ...(cursor && { cursor }) })
      byCursor.push(...page.issues.map(i => i.id))
      cursor = page.nextCursor
    }
    t.strictSame(
      byCursor,
      whole.map(i => i.id),
      `${orderBy} by cursor`
    )
  }
})

t.test('ordered by urgency, urgent ones are first and those without a priority last', async t => {
  const { id } = await server.ok<Row>('/v1/projects', { body: { name: 'Urgency' } })
  for (const priority of [0, 3, 1, 4, 2]) {
    await server.ok('/v1/issues', { body: { teamId: 'ENG', title: `${priority}`, priority, projectId: id } })
  }
  const { issues } = await filter({ orderBy: 'urgency', filters: { project: { filterType: 'IS', value: [id] } } })
  t.strictSame(
    issues.map(({ title }) => title),
    ['1', '2', '3', '4', '0']
  )
  for (const { key } of issues) await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
})

t.test('a cursor has so much of an id that no other one begins with it', t => {
  const listing = { orderBy: 'urgency', filters: {} }
  const idOf = (id: string) =>
    decodeCursor(listing, encodeCursor(listing, { since: '2026-01-01T00:00:00.000Z', at: '0', id })).id
  t.equal(idOf('019a3f2c-0d5e-7f0a-9a43-0c8d0f6f3a11'), '019a3f2c-0d5e-7f0a-9a43-0c0000000000')
  for (const id of ['5a1b7c52-0d5e-4f0a-9a43-0c8d0f6f3a11', '00000000-0000-4000-8000-000000000001']) {
    t.equal(idOf(id), id)
  }
  t.end()
})

t.test('a cursor continues only the listing that it comes from, and another one says so', async t => {
  const filters = { priority: { filterType: 'IS', value: [0, 1] }, isSubIssue: false }
  const { nextCursor: cursor } = await filter({ filters, orderBy: 'priority', perPage: 1 })
  const refusal = async (body: object) => {
    const answer = await server.call('/v1/issues/filter', { body: { ...body, cursor } })
    t.equal(answer.statusCode, 400)
    return answer.json<{ message: string }>().message
  }
  t.match(await refusal({ filters, orderBy: 'urgency' }), /cursor is of a listing by priority, not by urgency: send/)
  t.match(await refusal({ orderBy: 'priority' }), /cursor is of a listing with other filters: send/)
  t.match(
    await refusal({ filters: { ...filters, isSubIssue: true }, orderBy: 'priority' }),
    /cursor is of a listing with other filters: send/
  )
  const same = { isSubIssue: false, priority: { value: [1, 0], filterType: 'IS' } }
  t.equal((await filter({ filters: same, orderBy: 'priority', perPage: 1, cursor })).issues.length, 1)
})

for (const orderBy of ['updatedAt', 'createdAt', 'number', 'priority', 'urgency', 'sortOrder']) {
  t.test(`by cursor in the order of ${orderBy} nothing repeats or vanishes while the board changes`, async t => {
    await server.ok('/v1/teams', { body: { identifier: `X${orderBy.slice(0, 8)}`, name: orderBy } })
    const expected = (await filter({ orderBy })).issues.map(({ title }) => title)
    const keysSoFar: string[] = []
    let cursor: string | null = null
    let turn = 0
    do {
      const page: Page = await filter({ orderBy, perPage: 1, ...(cursor && { cursor }) })
      keysSoFar.push(...page.issues.map(({ title }) => title))
      cursor = page.nextCursor
      // Before every next page, all existing issues are changed, and a new one is created.
      for (const [n, key] of keys.entries()) {
        await server.ok(`/v1/issues/${key}`, { body: { priority: (turn * 3 + n) % 5, sortOrder: (turn * 3 + n) % 5 } })
        const teamId = turn % 2 ? 'ENG' : `X${orderBy.slice(0, 8)}`
        await server.ok(`/v1/issues/${key}/move`, { body: { teamId } })
      }
      const added = { teamId: 'ENG', title: `new ${orderBy} ${turn}`, priority: turn++ % 5 }
      newKeys.push((await server.ok<Row>('/v1/issues', { body: added })).key)
    } while (cursor)
    t.strictSame(keysSoFar, expected)
    for (const key of newKeys.splice(0)) await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
  })
}

t.test('totals stay right through every kind of change', async t => {
  const count = async () => (await server.ok<{ n: number }[]>('/v1/issues/filter', { body: {} })).length
  const total = async (filters = {}) => (await filter({ filters, perPage: 1 })).total
  const counted = await server.ok<Row>('/v1/issues', { body: { teamId: 'ENG', title: 'counted' } })
  t.equal(await total(), await count())
  const done = { state: { filterType: 'IS', value: [states['Done']] } }
  const before = await total(done)
  await server.ok(`/v1/issues/${counted.key}`, { body: { stateId: states['Done'] } })
  t.equal(await total(done), before + 1)
  await server.ok(`/v1/issues/${counted.key}`, { method: 'DELETE' })
  t.equal(await total(done), before)
  t.equal(await total(), await count())
})

t.test('the array of all issues is streamed in batches, whole', async t => {
  for (let n = 0; n < 11; n++) {
    await server.ok('/v1/issues/bulk', {
      body: { issues: Array.from({ length: 100 }, (_, i) => ({ teamId: 'ENG', title: `many ${n * 100 + i}` })) }
    })
  }
  const all = await server.ok<Row[]>('/v1/issues/filter', { body: {} })
  t.equal(all.length, await filter({}).then(page => page.total))
  t.equal(new Set(all.map(i => i.id)).size, all.length)

  const byCursor: string[] = []
  for (let cursor: string | null = null, first = true; first || cursor; first = false) {
    const page: Page = await filter({ orderBy: 'number', ...(cursor && { cursor }) })
    byCursor.push(...page.issues.map(i => i.id))
    cursor = page.nextCursor
  }
  t.equal(new Set(byCursor).size, all.length, 'by cursor too, over numbers of several lengths')
  t.equal(byCursor.length, all.length)
})
