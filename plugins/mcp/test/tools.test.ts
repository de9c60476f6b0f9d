import t from 'tap'
import { testServer, type TestServer } from '../../../test/harness.ts'

interface Result {
  isError?: boolean
  content: Array<{ text: string }>
  structuredContent: Record<string, unknown>
}

let server: TestServer
const statements: string[] = []
async function call(name: string, args: object, token = server.token): Promise<Result> {
  const answer = await server.call('/v1/mcp', {
    token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    headers: { accept: 'application/json, text/event-stream' }
  })
  return answer.json<{ result: Result }>().result
}
const mistake = async (name: string, args: object): Promise<string> => {
  const { isError, content } = await call(name, args)
  return isError ? content[0]!.text : `no mistake: ${content[0]!.text}`
}
t.before(async () => {
  server = await testServer({
    onStatement: sql => {
      statements.push(sql)
    },
    settings: { plugins: { mcp: { rateLimit: 0 } } }
  })
})
t.teardown(() => server.close())

t.test('an agent gets work done with keys and names alone', async t => {
  t.match(await call('create_task', { title: 'Crash', description: 'It crashes.' }), {
    isError: true,
    content: [{ text: /acceptance criteria/ }]
  })
  await call('create_project', { name: 'Stability' })
  t.match(
    await call('create_task', {
      title: 'Crash',
      description: 'It crashes.',
      acceptanceCriteria: ['no crash', 'a test'],
      labels: ['bug'],
      project: 'stability'
    }),
    { structuredContent: { key: 'ENG-1', labels: ['Bug'] } }
  )
  t.match(await call('pick_up_task', { task: 'eng-1' }), { structuredContent: { state: 'In Progress' } })
  t.match(await call('update_task', { task: 'ENG-1', met: ['no crash'] }), { structuredContent: { unmet: ['a test'] } })
  t.match(await call('list_tasks', { assignee: 'me', project: 'Stability' }), {
    structuredContent: { total: 1, tasks: [{ key: 'ENG-1' }] }
  })
  await server.idle()
  t.match(await call('search_tasks', { query: 'crash' }), { structuredContent: { tasks: [{ key: 'ENG-1' }] } })
  t.match(await call('close_task', { task: 'ENG-1', resolution: 'Mended.' }), {
    structuredContent: { state: 'Done', unmet: ['a test'] }
  })
  t.match(await call('get_task', { task: 'ENG-1' }), {
    structuredContent: { state: { name: 'Done' }, priority: 'none', comments: [{ bodyMarkdown: 'Mended.' }] }
  })
})

t.test('who knows nothing is told what would be right', async t => {
  await server.ok('/v1/users', { body: { email: 'ada@example.com', fullname: 'Ada Lovelace', role: 'MEMBER' } })
  for (const email of ['sam@example.com', 'sam@example.org']) {
    await server.ok('/v1/users', { body: { email, fullname: 'Sam', role: 'MEMBER' } })
  }
  const task = { title: 'It fails', description: 'It fails every other time.', acceptanceCriteria: ['it does not'] }
  await call('create_task', task)
  for (const [name, args, message] of [
    [
      'list_tasks',
      { state: 'in progres' },
      /no state 'in progres'; did you mean 'In Progress'\? There are: Triage, Backlog/
    ],
    ['list_tasks', { state: 'started' }, /category.*stateCategory/],
    ['list_tasks', { labels: ['bugs'] }, /did you mean 'Bug'\?/],
    ['list_tasks', { assignee: 'ada' }, /did you mean 'Ada Lovelace'\?/],
    ['list_tasks', { assignee: 'sam' }, /More than one member is called 'Sam': send the id.* or /],
    ['list_tasks', { team: 'engine' }, /did you mean 'ENG \(Engineering\)'\?/],
    ['list_tasks', { project: 'stabilty' }, /did you mean 'Stability'\?/],
    ['list_tasks', { cursor: 'x' }, /^arguments\.cursor.*'next'/],
    [
      'list_tasks',
      { status: 'Todo' },
      /^arguments\.status is not an argument of this tool; its arguments are: team, assignee, state/
    ],
    ['get_task', { task: 'the crash' }, /no issue 'the crash'.*by its key, such as ENG-12, or search/],
    ['get_task', { task: 'ENG-999' }, /no issue 'ENG-999'/],
    ['get_task', { task: '..' }, /no task '\.\.': name it by its key/],
    ['get_task', { task: '' }, /no task '': name it by its key/],
    ['create_task', { ...task, title: 'two\nlines' }, /^arguments\.title does not fit: One line/],
    ['create_task', { ...task, description: ' ' }, /real description/],
    ['create_task', { ...task, description: task.title }, /real description/],
    ['create_task', { ...task, acceptanceCriteria: [' '] }, /criterion is empty/],
    [
      'create_task',
      { title: 'It fails', description: 'It fails.\n\n```\n- [ ] only an example\n```\n' },
      /needs acceptance criteria/
    ],
    ['create_task', { ...task, blockedBy: ['ENG-999'] }, /no issue 'ENG-999'/],
    ['update_task', { task: 'ENG-2' }, /nothing to change/],
    ['update_task', { task: 'ENG-2', met: ['it dos not'] }, /The criteria are: 1\. it does not/],
    ['update_task', { task: 'ENG-2', met: [0] }, /^arguments\.met\.0 must be >= 1/],
    ['add_note', { task: 'ENG-2', note: '' }, /^arguments\.note is missing/],
    ['close_task', { task: 'ENG-2', resolution: ' ' }, /needs a resolution/],
    [
      'close_task',
      { task: 'ENG-2', resolution: 'No.', state: 'Canceled' },
      /update_task sets it\. Close with one of: Done/
    ],
    ['find_similar_tasks', {}, /Send task or text/],
    ['create_project', { name: 'Stability' }, /a project 'Stability' already/],
    [
      'create_project',
      { name: 'Speed', team: 'EGN' },
      /no team 'EGN'; did you mean 'ENG|there are: ENG \(Engineering\)/
    ],
    ['remember', { content: 'One fact.', supersedes: 'that one' }, /^arguments\.supersedes does not fit: A UUID/]
  ] as const) {
    t.match(await mistake(name, args), message, `${name} ${JSON.stringify(args)}`)
  }
})

t.test('what fails leaves nothing half done', async t => {
  const {
    structuredContent: { key, title }
  } = await call('create_task', { title: 'Whole', description: 'All or nothing.', acceptanceCriteria: ['whole'] })
  const { total } = (await call('list_tasks', {})).structuredContent
  await mistake('create_task', {
    title: 'Half',
    description: 'All or nothing.',
    acceptanceCriteria: ['x'],
    blockedBy: [key, 'ENG-999']
  })
  t.equal((await call('list_tasks', {})).structuredContent['total'], total, 'no task without its blockers')
  await mistake('update_task', { task: key, title: 'Half', met: ['nothing such'] })
  t.equal((await call('get_task', { task: key })).structuredContent['title'], title, 'no change without its criteria')
  const blocked = await call('create_task', {
    title: 'Blocked',
    description: 'Comes later.',
    acceptanceCriteria: ['later'],
    blockedBy: [key, key]
  })
  t.match((await call('get_task', { task: blocked.structuredContent['key'] })).structuredContent, {
    relations: [{ type: 'BLOCKED', issue: { key } }]
  })
})

t.test('a task that is too long for an agent is cut, and says what is missing and where it is', async t => {
  const { key } = await server.ok<{ key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Long', descriptionMarkdown: 'word '.repeat(10_000) }
  })
  for (let n = 0; n < 30; n++) {
    await server.ok(`/v1/issue_comments?issueId=${key}`, {
      body: { bodyMarkdown: `${n} ${'note '.repeat(n === 29 ? 5_000 : 150)}` }
    })
  }
  const { structuredContent, content } = await call('get_task', { task: key })
  const { descriptionMarkdown, comments, omitted } = structuredContent as {
    descriptionMarkdown: string
    comments: Array<{ bodyMarkdown: string }>
    omitted: { comments: number; all: string }
  }
  t.ok(content[0]!.text.length < 45_000)
  t.match(descriptionMarkdown, /… \(\d+ more characters\)$/)
  t.match(comments.at(-1)?.bodyMarkdown, /^29 note .*… \(\d+ more characters\)$/, 'the newest note is there')
  t.equal(comments.length + omitted.comments, 30)
  const all = await server.ok<{ comments: object[]; descriptionMarkdown: string }>(omitted.all.replace('GET ', ''))
  t.equal(all.comments.length, 30)
})

t.test('a call looks its token up once, and a revoked one is refused at once', async t => {
  const { id, token } = await server.agent('Once', ['read'])
  await call('get_task', { task: 'ENG-1' }, token)
  const before = statements.length
  t.match(await call('get_task', { task: 'ENG-1' }, token), { structuredContent: { key: 'ENG-1' } })
  t.equal(statements.slice(before).filter(sql => sql.includes('token.hash')).length, 1)
  await server.ok(`/v1/users/agents/${id}`, { method: 'DELETE' })
  const answer = await server.call('/v1/mcp', { token, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
  t.equal(answer.statusCode, 401)
})

t.test('list_tasks begins with what is most urgent, unless another order is asked for', async t => {
  const task = { title: 'Order', description: 'It is listed.', acceptanceCriteria: ['it is'], labels: ['docs'] }
  for (const priority of ['none', 'low', 'urgent']) await call('create_task', { ...task, title: priority, priority })
  const titles = async (args: object) =>
    (await call('list_tasks', { labels: ['docs'], ...args })).structuredContent['tasks'] as Array<{ title: string }>
  t.match(await titles({}), [{ title: 'urgent' }, { title: 'low' }, { title: 'none' }])
  t.match(await titles({ orderBy: 'priority' }), [{ title: 'low' }, { title: 'urgent' }, { title: 'none' }])
})
