import t, { type Test } from 'tap'
import { mcpAgent, type McpAgent } from '../../../test/mcp-client.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

/* Filters by several values, negation, days in words, texts and criteria; the same keys in the tools of agents. */

interface Row {
  key: string
  title: string
}
const NOW = '2026-05-15T12:00:00.000Z'

let server: TestServer
let agent: McpAgent
let now = NOW
const filter = async (filters: object, token?: string) => {
  const body = { filters, perPage: 200 }
  const { issues } = await server.ok<{ issues: Row[] }>('/v1/issues/filter', { body, ...(token && { token }) })
  return issues
    .map(({ title }) => title[0])
    .sort()
    .join('')
}
const checkAll = async (t: Test, cases: ReadonlyArray<readonly [object, string]>) => {
  for (const [filters, expected] of cases) t.equal(await filter(filters), expected, JSON.stringify(filters))
}

t.before(async () => {
  server = await testServer({ now: () => new Date(now) })
  const add = async (day: string, body: { title: string; descriptionMarkdown?: string; [field: string]: unknown }) => {
    now = `${day}T12:00:00.000Z`
    return (await server.ok<Row>('/v1/issues', { body: { teamId: 'ENG', ...body } })).key
  }
  await add('2026-05-01', { title: 'a Log in fails', assignee: 'me', labels: ['Bug'], dueDate: '2026-05-10' })
  await add('2026-05-08', { title: 'b LOGIN page', labels: ['Bug', 'Docs'], dueDate: '2026-05-15', priority: 'high' })
  await add('2026-05-14', { title: 'c Über uns', descriptionMarkdown: '- [x] one\n- [ ] two', dueDate: '2026-05-22' })
  await add('2026-05-15', { title: 'd 100% done', descriptionMarkdown: '- [x] one', priority: 'urgent', estimate: 3 })
  now = NOW
  agent = await mcpAgent(server, (await server.agent('Reader')).token)
})
t.teardown(() => server.close())

t.test('null among the values is none, and negation is the rest', t =>
  checkAll(t, [
    [{ assignee: { filterType: 'IS', value: ['me', null] } }, 'abcd'],
    [{ assignee: { filterType: 'IS_NOT', value: ['me', null] } }, ''],
    [{ assignee: { filterType: 'IS_NOT', value: [null] } }, 'a'],
    [{ label: { filterType: 'IS', value: ['docs', null] } }, 'bcd'],
    [{ label: { filterType: 'IS_NOT', value: ['docs', null] } }, 'a'],
    [{ label: { filterType: 'EXCLUDES', value: ['bug'] } }, 'cd'],
    [{ estimate: { filterType: 'IS', value: ['3', null] } }, 'abcd'],
    [{ priority: { filterType: 'IS', value: ['URGENT', '2'] } }, 'bd'],
    [{ stateCategory: { filterType: 'IS_NOT', value: ['completed'] } }, 'abcd']
  ])
)

t.test('several conditions of one key all hold', async t => {
  const label = (value: string) => ({ filterType: 'IS', value: [value] })
  await checkAll(t, [
    [{ label: [label('bug'), label('docs')] }, 'b'],
    [
      {
        dueDate: [
          { filterType: 'GT', value: 'yesterday' },
          { filterType: 'LT', value: '+7d' }
        ]
      },
      'b'
    ]
  ])
  for (const conditions of [[], Array.from({ length: 21 }, () => label('bug'))]) {
    const answer = await server.call('/v1/issues/filter', { body: { filters: { label: conditions } } })
    t.match(answer.json(), { statusCode: 400, message: /list of 1 to 20/, field: 'filters.label' })
  }
})

t.test('days are words, and spans of two; those of times are whole days of UTC', async t => {
  await checkAll(t, [
    [{ dueDate: { filterType: 'WITHIN', value: ['-7d'] } }, 'ab'],
    [{ dueDate: { filterType: 'WITHIN', value: ['+7d'] } }, 'bc'],
    [{ dueDate: { filterType: 'WITHIN', value: ['2026-05-12..2026-05-16', null] } }, 'bd'],
    [{ dueDate: { filterType: 'WITHIN', value: ['today..-5d', 'next friday..next friday'] } }, 'abc'],
    [{ dueDate: { filterType: 'NOT_WITHIN', value: ['-7d'] } }, 'cd'],
    [{ dueDate: { filterType: 'LT', value: 'today' } }, 'a'],
    [{ dueDate: { filterType: 'IS', value: ['today', '+1w'] } }, 'bc'],
    [{ createdAt: { filterType: 'WITHIN', value: ['-1d'] } }, 'cd'],
    [{ createdAt: { filterType: 'NOT_WITHIN', value: ['-1d'] } }, 'ab'],
    [{ createdAt: { filterType: 'IS', value: ['today', '2026-05-08'] } }, 'bd'],
    [{ createdAt: { filterType: 'IS_NOT', value: ['today'] } }, 'abc'],
    [{ createdAt: { filterType: 'GT', value: '-1d' } }, 'd'],
    [{ createdAt: { filterType: 'GTE', value: '-1d' } }, 'cd'],
    [{ createdAt: { filterType: 'LT', value: '-1d' } }, 'ab'],
    [{ createdAt: { filterType: 'LTE', value: '-1d' } }, 'abc']
  ])
  now = '2026-05-16T00:00:00.000Z'
  t.equal(await filter({ dueDate: { filterType: 'LT', value: 'today' } }), 'ab', 'another day, another answer')
  now = NOW
  for (const value of ['soon', 'a..b', 'today..', '1..2..3', 5, ['x']]) {
    const filters = { dueDate: { filterType: 'WITHIN', value: [value] } }
    const answer = await server.call('/v1/issues/filter', { body: { filters } })
    t.match(answer.json(), { statusCode: 400, message: /spans of days \(YYYY-MM-DD/ }, JSON.stringify(value))
  }
  for (const entry of [
    { filterType: 'LT', value: '2026-02-30' },
    { filterType: 'IS', value: ['2026-04-31'] }
  ]) {
    const answer = await server.call('/v1/issues/filter', { body: { filters: { dueDate: entry } } })
    t.match(answer.json(), { statusCode: 400, message: /must hold days \(YYYY-MM-DD.*'2026-0[24]-3[01]' is not/ })
  }
})

t.test('texts are found in titles, in any case, and in keys', async t => {
  await checkAll(t, [
    [{ text: { filterType: 'INCLUDES', value: 'login' } }, 'b'],
    [{ text: { filterType: 'INCLUDES', value: ['log in', 'LOGIN'] } }, 'ab'],
    [{ text: { filterType: 'INCLUDES_ALL', value: ['log', 'FAILS'] } }, 'a'],
    [{ text: { filterType: 'EXCLUDES', value: ['log'] } }, 'cd'],
    [{ text: { filterType: 'INCLUDES', value: ['über'] } }, 'c'],
    [{ text: { filterType: 'INCLUDES', value: ['%'] } }, 'd'],
    [{ text: { filterType: 'INCLUDES', value: ['_'] } }, ''],
    [{ text: { filterType: 'INCLUDES', value: ['eng-3'] } }, 'c'],
    [{ text: { filterType: 'INCLUDES', value: ['ENG-'] } }, 'abcd'],
    [{ text: { filterType: 'INCLUDES', value: ['#3'] } }, 'c'],
    [{ text: { filterType: 'INCLUDES', value: ['ops-1'] } }, ''],
    [{ text: { filterType: 'INCLUDES', value: ['2'] } }, 'b']
  ])
  for (const value of ['', ' ', 'x'.repeat(201), 5, Array.from({ length: 21 }, () => 'x')]) {
    const filters = { text: { filterType: 'INCLUDES', value } }
    t.equal((await server.call('/v1/issues/filter', { body: { filters } })).statusCode, 400)
  }
})

t.test('criteria are met, unmet or none', t =>
  checkAll(t, [
    [{ criteria: { filterType: 'IS', value: ['MET'] } }, 'd'],
    [{ criteria: { filterType: 'IS', value: ['unmet', 'NONE'] } }, 'abc'],
    [{ criteria: { filterType: 'IS_NOT', value: ['NONE'] } }, 'cd']
  ])
)

t.test('what was closed long ago is left out', async t => {
  now = '2026-05-01T12:00:00.000Z'
  const { key } = await server.ok<Row>('/v1/issues', { body: { teamId: 'ENG', title: 'e closed', state: 'Done' } })
  now = NOW
  t.equal(await filter({ closedWithinDays: { filterType: 'IS', value: 14 } }), 'abcde')
  t.equal(await filter({ closedWithinDays: { filterType: 'IS', value: '13' } }), 'abcd')
  for (const value of [-1, 'x', 3651, [1, 2]]) {
    const filters = { closedWithinDays: { filterType: 'IS', value } }
    t.equal((await server.call('/v1/issues/filter', { body: { filters } })).statusCode, 400)
  }
  await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
})

t.test('filters are typed, too, beside others; a mistake says where it is', async t => {
  const typed = (query: string, filters: object = {}) =>
    server.ok<{ issues: Row[] }>('/v1/issues/filter', { body: { query, filters, perPage: 200 } })
  const titlesOf = async (query: string, filters?: object) =>
    (await typed(query, filters)).issues.map(({ title }) => title[0]).toSorted()
  t.strictSame(await titlesOf('label:bug -label:docs due:<7d'), ['a'])
  t.strictSame(await titlesOf('log', { label: { filterType: 'IS', value: ['docs'] } }), ['b'])
  t.strictSame(await titlesOf(''), ['a', 'b', 'c', 'd'])
  const answer = await server.call('/v1/issues/filter', { body: { query: 'log label: -due:<7d' } })
  t.match(answer.json(), {
    statusCode: 400,
    field: 'query',
    message: /At character 5: label lacks a value.*At character 12/
  })
})

t.test('watching, claims and questions are filters of their plugins', async t => {
  const { token, id } = await server.agent('Worker')
  await server.ok('/v1/issues/ENG-4/pick_up', { body: {}, token })
  await server.ok('/v1/issue_comments?issueId=ENG-4', { body: { bodyMarkdown: 'Which one?', question: {} }, token })
  await checkAll(t, [
    [{ claim: { filterType: 'DEFINED' } }, 'd'],
    [{ claim: { filterType: 'UNDEFINED' } }, 'abc'],
    [{ claim: { filterType: 'IS', value: ['worker'] } }, 'd'],
    [{ claim: { filterType: 'IS', value: ['me', null] } }, 'abc'],
    [{ claim: { filterType: 'IS_NOT', value: [id] } }, 'abc'],
    [{ question: { filterType: 'IS', value: ['me'] } }, 'd'],
    [{ question: { filterType: 'IS', value: [id] } }, ''],
    [{ question: { filterType: 'UNDEFINED' } }, 'abc'],
    [{ run: { filterType: 'UNDEFINED' } }, 'abcd'],
    [{ run: { filterType: 'IS', value: ['failed'] } }, ''],
    [{ watching: true }, 'abcd']
  ])
  t.equal(await filter({ watching: true }, token), 'd', 'me is the reader')
  t.equal(await filter({ claim: { filterType: 'IS', value: ['me'] } }, token), 'd')
  const answer = await server.call('/v1/issues/filter', {
    body: { filters: { run: { filterType: 'IS', value: ['x'] } } }
  })
  t.match(answer.json(), { statusCode: 400, message: /QUEUED, RUNNING/ })
})

t.test('agents list tasks by the typed filter, in the same words', async t => {
  const list = async (text: string, args: object = {}) =>
    (await agent.ok<{ tasks: Row[] }>('list_tasks', { filter: text, ...args })).tasks
      .map(({ title }) => title[0])
      .sort()
      .join('')
  for (const [text, expected] of [
    ['label:bug -label:docs', 'a'],
    ['priority:urgent,high', 'bd'],
    ['assignee:none label:docs', 'b'],
    ['due:<7d', 'ab'],
    ['due:today..+7d', 'bc'],
    ['login', 'b'],
    ['-criteria:none', 'cd'],
    ['category:completed', '']
  ] as const) {
    t.equal(await list(text), expected, text)
  }
  t.equal(await list('label:bug', { labels: ['Docs'] }), 'b', 'other arguments hold, too')
  const { key } = await server.ok<Row>('/v1/issues', { body: { teamId: 'ENG', title: 'e closed', state: 'Done' } })
  t.equal(await list('-label:bug'), 'cd', 'open ones are meant')
  t.equal(await list('closedWithinDays:14'), 'abcde', 'unless the filter says which')
  await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
  t.match(await agent.refused('list_tasks', { filter: 'label:' }), /^arguments\.filter: label lacks a value/)
  t.match(await agent.refused('list_tasks', { filter: 'colour:red' }), /colour is not a filter; the filters are: /)
})
