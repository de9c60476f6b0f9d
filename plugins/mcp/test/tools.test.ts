import t from 'tap'
import { statementOf, testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Result {
  isError?: boolean
  content: Array<{ text: string }>
  structuredContent: Record<string, unknown>
}

let server: TestServer
const statements: string[] = []
async function call(
  name: string,
  args: object,
  { token = server.token, meta, headers }: { token?: string; meta?: object; headers?: Record<string, string> } = {}
): Promise<Result> {
  const answer = await server.call('/v1/mcp', {
    token,
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, ...(meta && { _meta: meta }) }
    },
    headers: { accept: 'application/json, text/event-stream', ...headers }
  })
  return answer.json<{ result: Result }>().result
}
const mistake = async (name: string, args: object): Promise<string> => {
  const { isError, content } = await call(name, args)
  return isError ? content[0]!.text : `no mistake: ${content[0]!.text}`
}
t.before(async () => {
  server = await testServer({
    onStatement: (...sent) => {
      statements.push(statementOf(...sent))
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
  t.match(await call('update_task', { task: 'ENG-1', met: ['no crash'] }), { structuredContent: { unmet: [2] } })
  t.match(await call('list_tasks', { assignee: 'me', project: 'Stability' }), {
    structuredContent: { total: 1, tasks: [{ key: 'ENG-1' }] }
  })
  await server.idle()
  t.match(await call('search_tasks', { query: 'crash' }), { structuredContent: { tasks: [{ key: 'ENG-1' }] } })
  t.match(await call('close_task', { task: 'ENG-1', resolution: 'Mended.' }), {
    structuredContent: { state: 'Done', unmet: ['a test'] }
  })
  t.match(await call('get_task', { task: 'ENG-1' }), {
    structuredContent: { state: 'Done', comments: [{ bodyMarkdown: 'Mended.' }] }
  })
})

t.test('wrong arguments are answered with what would be right', async t => {
  t.match(await call('pick_up_task', { task: 'next', takeover: true }), {
    isError: true,
    content: [{ text: /takeover goes with a task that you name/ }]
  })
  await server.ok('/v1/users', { body: { email: 'ada@example.com', fullname: 'Ada Lovelace', role: 'MEMBER' } })
  for (const email of ['sam@example.com', 'sam@example.org']) {
    await server.ok('/v1/users', { body: { email, fullname: `Sam of ${email.slice(-3)}`, role: 'MEMBER' } })
  }
  // Names that earlier versions accepted.
  const { db } = server.database
  await db.updateTable('account').set({ fullname: 'Sam' }).where('fullname', 'like', 'Sam of %').execute()
  const task = { title: 'It fails', description: 'It fails every other time.', acceptanceCriteria: ['it does not'] }
  await call('create_task', task)
  for (const [name, args, message] of [
    [
      'list_tasks',
      { state: 'in progres' },
      /no state 'in progres'; did you mean 'In Progress'\? There are: In Progress, /
    ],
    ['list_tasks', { labels: ['bugs'] }, /did you mean 'Bug'\?/],
    ['list_tasks', { assignee: 'ada' }, /did you mean 'Ada Lovelace'\?/],
    ['list_tasks', { assignee: 'sam' }, /More than one member is called 'Sam': send the id.* or /],
    ['list_tasks', { team: 'engine' }, /did you mean 'ENG \(Engineering\)'\?/],
    ['list_tasks', { project: 'stabilty' }, /did you mean 'Stability'\?/],
    ['list_tasks', { cursor: 'x' }, /^arguments\.cursor .*: send the cursor that the page before has answered/],
    [
      'list_tasks',
      { status: 'Todo' },
      /^arguments\.status is not an argument of this tool; did you mean 'state'\? Its arguments are: team/
    ],
    ['get_task', { task: 'the crash' }, /no issue 'the crash'.*by its key, such as ENG-12, or search/],
    ['get_task', { task: 'ENG-999' }, /no issue 'ENG-999'/],
    ['get_task', { task: '..' }, /no issue '\.\.': name it by its key/],
    ['get_task', { task: '' }, /no issue '': name it by its key/],
    ['create_task', { ...task, title: 'two\nlines' }, /^arguments\.title must not contain control characters/],
    ['create_task', { ...task, description: ' ' }, /real description/],
    ['create_task', { ...task, description: task.title }, /real description/],
    ['create_task', { ...task, acceptanceCriteria: [' '] }, /criterion is empty/],
    [
      'create_task',
      { title: 'It fails', description: 'It fails.\n\n```\n- [ ] only an example\n```\n' },
      /^arguments\.acceptanceCriteria is missing: .*needs acceptance criteria/
    ],
    ['create_task', { ...task, blockedBy: ['ENG-999'] }, /no issue 'ENG-999'/],
    ['update_task', { task: 'ENG-2' }, /nothing to change/],
    ['update_task', { task: 'ENG-2', met: ['it dos not'] }, /The criteria are: 1\. it does not/],
    ['update_task', { task: 'ENG-2', met: [0] }, /^arguments\.met\.0 must be >= 1/],
    ['add_note', { task: 'ENG-2', note: '' }, /^arguments\.note is missing/],
    ['close_task', { task: 'ENG-2', resolution: ' ' }, /needs a resolution/],
    [
      'close_task',
      { task: 'ENG-2', resolution: 'No.', state: 'Backlog' },
      /no state of the categories COMPLETED, CANCELED 'Backlog'; there are: (?=.*Done).*Canceled/
    ],
    ['close_task', { task: 'ENG-2', resolution: 'No.', duplicateOf: 'eng-2' }, /ENG-2 cannot be a duplicate of itself/],
    ['close_task', { task: 'ENG-2', resolution: 'No.', duplicateOf: 'ENG-999' }, /no issue 'ENG-999'/],
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
    omitted: { comments: number; read: string[] }
  }
  t.ok(content[0]!.text.length < 45_000)
  t.match(descriptionMarkdown, /… \(\d+ more characters: get_task \{.*\}\)$/)
  t.match(
    comments.at(-1)?.bodyMarkdown,
    /^29 note .*… \(\d+ more characters: get_task \{.*\}\)$/,
    'the newest note is there'
  )
  t.equal(comments.length + omitted.comments, 30)
  t.strictSame(omitted.read, [`get_task {"task":"${key}","part":"comments","from":0}`])
})

t.test('a call looks its token up once, and a revoked one is refused at once', async t => {
  const { id, token } = await server.agent('Once', ['read'])
  await call('get_task', { task: 'ENG-1' }, { token })
  const before = statements.length
  t.match(await call('get_task', { task: 'ENG-1' }, { token }), { structuredContent: { key: 'ENG-1' } })
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

t.test('relations say whether a blocker is done, and update_task changes blockers and the parent', async t => {
  const file = async (title: string) =>
    String(
      (await call('create_task', { title, description: 'It has blockers.', acceptanceCriteria: ['done'] }))
        .structuredContent['key']
    )
  const [open, closed, task] = [await file('Open'), await file('Closed'), await file('Blocked twice')]
  await call('update_task', { task: closed, state: 'Done' })
  await call('update_task', { task, blockedBy: [open, closed], parent: open })

  const read = async () => (await call('get_task', { task })).structuredContent
  t.match(await read(), {
    parent: { key: open },
    relations: [
      { type: 'BLOCKED', issue: { key: open, stateCategory: 'UNSTARTED' } },
      { type: 'BLOCKED', issue: { key: closed, stateCategory: 'COMPLETED' } }
    ]
  })
  t.strictSame(
    (await call('pick_up_task', { task })).structuredContent['openBlockers'],
    [{ key: open, title: 'Open', stateCategory: 'UNSTARTED' }],
    'who picks a task up is told what blocks it'
  )
  t.match(await mistake('update_task', { task: open, blockedBy: [task] }), /blocked by itself/)
  await call('update_task', { task, removeBlockedBy: [open], parent: 'none' })
  const after = await read()
  t.strictSame([(after['relations'] as object[]).length, after['parent']], [1, undefined])
  t.match(await mistake('update_task', { task, removeBlockedBy: [open] }), new RegExp(`its blockers are: ${closed}`))
  t.notOk('openBlockers' in (await call('pick_up_task', { task })).structuredContent)
})

t.test('closing a task with update_task lists the unmet criteria', async t => {
  const { structuredContent } = await call('create_task', {
    title: 'Closed early',
    description: 'It is closed before it is done.',
    acceptanceCriteria: ['first', 'second']
  })
  const task = structuredContent['key']
  await call('update_task', { task, met: [1] })
  t.match(await call('update_task', { task, state: 'Done' }), { structuredContent: { state: 'Done', unmet: [2] } })
})

t.test(
  'arguments are taken as they are meant: null, words in any case, numbers of priorities, one for a list',
  async t => {
    const { structuredContent } = await call('create_task', {
      title: 'Meant well',
      description: 'Its arguments are written loosely.',
      acceptanceCriteria: 'one criterion',
      labels: 'bug',
      parent: null,
      priority: 2
    })
    t.match(structuredContent, { labels: ['Bug'], priority: 'high' })
    const task = [structuredContent['key']]
    t.match(await call('update_task', { task, priority: 'URGENT', title: null }), {
      structuredContent: { priority: 'urgent' }
    })
    t.match(await call('get_task', { task }), { structuredContent: { priority: 'urgent', title: 'Meant well' } })
    t.match(await call('update_task', { task, priority: '3' }), { structuredContent: { priority: 'medium' } })
    t.match(await call('list_tasks', { stateCategory: 'unstarted', priority: 'Medium' }), {
      structuredContent: { tasks: [{ title: 'Meant well' }] }
    })
    t.notOk((await call('recall_knowledge', { query: 'anything', session: 7 })).isError, 'a session is never refused')
    t.match(await mistake('get_task', { task: null }), /^arguments\.task is missing/)
    t.match(await mistake('update_task', { task, priority: 5 }), /^arguments\.priority must be one of: none, urgent/)
  }
)

t.test(
  'list_tasks shows open tasks, unless closed ones are asked for, and an empty list where there are none',
  async t => {
    const task = {
      title: 'Open or closed',
      description: 'It is listed.',
      acceptanceCriteria: ['it is'],
      labels: ['design']
    }
    await server.ok('/v1/labels', { body: { name: 'design', color: '#123456' } })
    const { structuredContent } = await call('create_task', task)
    const listed = async (args: object) => (await call('list_tasks', { labels: ['design'], ...args })).structuredContent
    t.match(await listed({}), { tasks: [{ title: task.title }], total: 1 })
    await call('update_task', { task: structuredContent['key'], state: 'Canceled' })
    t.strictSame(await listed({}), { tasks: [], total: 0 })
    for (const args of [{ stateCategory: ['COMPLETED', 'CANCELED'] }, { state: 'Canceled' }, { state: 'canceled' }]) {
      t.match(await listed(args), { total: 1 })
    }
  }
)

t.test('answers of tools have no id that no tool takes, and the days of notes, other times in minutes', async t => {
  const { structuredContent } = await call('create_task', {
    title: 'Small',
    description: 'Its context is short.',
    acceptanceCriteria: ['it is'],
    blockedBy: ['ENG-1']
  })
  const task = structuredContent['key']
  await server.ok(`/v1/issues/${task}/links`, { body: { url: 'https://example.com/', title: 'Outside' } })
  t.strictSame(Object.keys((await call('add_note', { task, note: 'A note.' })).structuredContent), ['noted'])
  const text = (await call('get_task', { task })).content[0]!.text
  t.notMatch(text, /"id":|[0-9a-f]{8}-[0-9a-f]{4}|:\d\d\.\d{3}Z/)
  t.match(text, /"comments":\[\{"author":"Administrator","at":"\d{4}-\d\d-\d\d",/)
  const agent = await server.agent('Holder')
  await call('pick_up_task', { task }, { token: agent.token })
  const held = (await call('get_task', { task })).content[0]!.text
  t.match(held, /"claim":\{.*"since":"\d{4}-\d\d-\d\dT\d\d:\d\dZ"/, 'those of claims, too')
  t.notMatch(held, /T\d\d:\d\d:\d\d/)
})

t.test('answers to changes have what has changed, and the key of a task that was named in another way', async t => {
  const { structuredContent } = await call('create_task', {
    title: 'Is changed',
    description: 'Its changes are answered.',
    acceptanceCriteria: ['first', 'second']
  })
  const key = String(structuredContent['key'])
  const answer = async (name: string, args: object) => (await call(name, { task: key, ...args })).structuredContent
  t.strictSame(await answer('pick_up_task', {}), { state: 'In Progress' })
  t.strictSame(await answer('pick_up_task', { task: key.toLowerCase() }), { key, state: 'In Progress' })
  t.strictSame(await answer('update_task', { met: [1] }), { unmet: [2] })
  t.strictSame(await answer('update_task', { addLabels: ['bug'], priority: 1 }), {
    labels: ['Bug'],
    priority: 'urgent'
  })
  t.strictSame(await answer('update_task', { priority: 'none' }), { key }, 'the key where there is nothing else')
  const { descriptionMarkdown } = await answer('get_task', {})
  const described = await answer('update_task', { description: `${String(descriptionMarkdown)}\n\nMore.`, rev: 1 })
  t.strictSame(Object.keys(described), ['rev'], 'the revision of a text that the caller knows')
  t.strictSame(await answer('add_note', { note: 'A note.' }), { noted: true })
  t.strictSame(await answer('close_task', { resolution: 'Done.' }), { state: 'Done', unmet: ['second'] })
})

t.test('errors of REST come in its words', async t => {
  t.match(
    await mistake('update_task', { task: 'ENG-1', parent: 'ENG-1' }),
    /^This would make an issue a parent of itself/
  )
  const { message } = (await server.call('/v1/issues/issue-7')).json<{ message: string }>()
  t.equal(await mistake('get_task', { task: 'issue-7' }), message)
})

t.test('the idempotency key in _meta goes with the request that writes, the header is ignored', async t => {
  const task = (title: string) => ({ title, description: 'It is to be made once.', acceptanceCriteria: ['it is'] })
  const withKey = (meta: object) => ({ meta, headers: { 'idempotency-key': 'of the message' } })
  // A progress token belongs to the protocol; a reserved key is left to its library.
  for (const more of [{}, { progressToken: 1 }, { 'io.modelcontextprotocol/related-task': { taskId: 'x' } }]) {
    const meta = { 'tracker/idempotencyKey': `call ${Object.keys(more).join()}`, ...more }
    const first = await call('create_task', task('Once by a tool'), withKey(meta))
    const second = await call('create_task', task('Once by a tool'), withKey(meta))
    t.strictSame(second.structuredContent, first.structuredContent)
    t.match(await call('create_task', task('Another'), withKey(meta)), {
      isError: true,
      content: [{ text: /Idempotency-Key was sent with another request/ }]
    })
  }
  const [first, second] = [
    await call('create_task', task('Twice'), withKey({})),
    await call('create_task', task('Twice'), withKey({}))
  ]
  t.not(second.structuredContent['key'], first.structuredContent['key'])
  t.match(await call('create_task', task('Not text'), withKey({ 'tracker/idempotencyKey': 1 })), {
    isError: true,
    content: [{ text: /_meta\["tracker\/idempotencyKey"\] must be text/ }]
  })
})
