import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { mcpAgent, type McpAgent } from '../../../test/mcp-client.ts'
import { tokensOf } from '../serving/task-context.ts'

interface Found {
  entries?: Array<{ id: string; kind: string; content: string; tags?: string[]; because?: string[] }>
  solved?: Array<{ key: string; resolution: string }>
  omitted?: { entries: number; solved: number }
}
interface Stored {
  id: string
  status: string
}

let server: TestServer
let agent: McpAgent
let task: string
t.before(async () => {
  server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
  agent = await mcpAgent(server, (await server.agent('Ada')).token)
  task = (
    await server.ok<{ key: string }>('/v1/issues', {
      body: { teamId: 'ENG', title: 'Slow tests', descriptionMarkdown: 'They wait for Redis.\n\n- [ ] fast' }
    })
  ).key
})
t.teardown(async () => {
  server.app.server.closeAllConnections()
  await server.close()
})

t.test('an agent remembers, recalls and loads what it needs, by keys', async t => {
  const stored = await agent.ok<Stored>('remember', {
    content: 'Redis listens on port 6380 in tests.',
    kind: 'HOWTO',
    tags: ['tests'],
    task: task.toLowerCase()
  })
  t.match(stored, { id: String, status: 'ACTIVE' })
  await agent.ok('remember', { content: 'Deployments happen on Tuesdays.', kind: 'CONVENTION' })
  t.match(await agent.ok('recall_knowledge', { query: 'redis port', tags: ['tests'] }), {
    entries: [{ id: stored.id, kind: 'HOWTO', content: 'Redis listens on port 6380 in tests.', tags: ['tests'] }]
  })
  t.equal((await agent.ok<Found>('recall_knowledge', { query: 'redis deployments', limit: 1 })).entries?.length, 1)
  t.strictSame(
    await agent.ok('recall_knowledge', { query: 'redis', tags: ['nothing'] }),
    { entries: [], total: 0 },
    'nothing known is no error'
  )
  t.match(await agent.ok('load_context', { task }), {
    entries: [{ content: /6380/, because: ['issue', 'words'] }],
    omitted: { entries: 0 }
  })
  t.match(await agent.ok('load_context', { query: 'when are deployments' }), { entries: [{ content: /Tuesdays/ }] })
})

t.test('what is nearly known is refused with all that is needed to go on', async t => {
  const refusal = await agent.refused('remember', { content: 'Redis listens on port 6380 in tests!' })
  t.match(refusal, /“Redis listens on port 6380 in tests\.”.*supersede it: send its id;.*force: true/)
  const known = /[0-9a-f-]{36}/.exec(refusal)?.[0]
  const successor = await agent.ok<Stored>('remember', {
    content: 'Redis listens on port 6381 in tests.',
    supersedes: known
  })
  t.match(
    await agent.refused('remember', { content: 'Redis listens on port 6382 in tests.', supersedes: known }),
    new RegExp(`superseded by ${successor.id}`)
  )
  t.match(await agent.ok('recall_knowledge', { query: 'redis port' }), { entries: [{ id: successor.id }] })
  t.match(await agent.ok('remember', { content: 'Redis listens on port 6381 in tests!', force: true }), {
    status: 'ACTIVE'
  })
})

t.test('each mistake is reported with the names of the tool', async t => {
  const nobody = '01890000-0000-7000-8000-000000000000'
  const mistakes: Array<[string, object, RegExp]> = [
    ['recall_knowledge', {}, /arguments\.query is missing/],
    ['recall_knowledge', { query: 'redis', limit: 'many' }, /arguments\.limit must be integer/],
    ['recall_knowledge', { question: 'redis', query: 'redis' }, /Its arguments are: query, limit, tags, session/],
    ['load_context', {}, /^Give task, query, or both/],
    ['load_context', { query: ' ' }, /^Give task, query, or both/],
    ['load_context', { task: 'ENG-999' }, /no issue 'ENG-999'/],
    ['remember', { content: ' ' }, /content/],
    ['remember', { content: 'x'.repeat(2001) }, /2000/],
    ['remember', { content: 'A fact.', kind: 'RUMOUR' }, /FACT, DECISION, CONVENTION, PITFALL, HOWTO/],
    ['remember', { content: 'A fact.', task: 'NONE-1' }, /no issue 'NONE-1'/],
    ['remember', { content: 'A fact.', supersedes: nobody }, /no knowledge entry/],
    ['remember', { content: 'A fact.', supersedes: 'redis' }, /arguments\.supersedes/]
  ]
  for (const [tool, args, message] of mistakes) {
    t.match(await agent.refused(tool, args), message, `${tool} ${JSON.stringify(args).slice(0, 60)}`)
  }
})

t.test('a context stays within its budget and says what it left out', async t => {
  for (let n = 0; n < 60; n++) {
    await agent.ok('remember', { content: `Test ${n} needs redis: ${'really '.repeat(40)}`, task, force: true })
  }
  for (const budget of [undefined, 100, 700, 4000]) {
    const context = await agent.ok<Found>('load_context', { task, ...(budget && { budget }) })
    t.ok(tokensOf(context) <= (budget ?? 1500), `${budget}`)
    t.ok(context.omitted!.entries > 0)
  }
})

t.test('nothing of another workspace is found, counts as known, or is replaced', async t => {
  const other = await server.otherWorkspace()
  const stranger = await mcpAgent(server, other.token)
  const [ours] = (await agent.ok<Found>('recall_knowledge', { query: 'deployments' })).entries!
  t.strictSame(await stranger.ok('recall_knowledge', { query: 'redis deployments port' }), { entries: [], total: 0 })
  t.match(await stranger.ok('load_context', { query: 'redis deployments' }), {
    entries: undefined,
    omitted: { entries: 0 }
  })
  t.match(await stranger.refused('load_context', { task }), /no issue/)
  t.match(await stranger.refused('remember', { content: 'Mine now.', supersedes: ours!.id }), /no knowledge entry/)
  t.match(await stranger.refused('remember', { content: 'Mine now.', task }), /no issue/)
  t.match(
    await stranger.ok('remember', { content: ours!.content }),
    { status: 'ACTIVE' },
    'what we know is news to them'
  )
  t.match((await agent.ok<Found>('recall_knowledge', { query: 'deployments' })).entries, [{ id: ours!.id }])
})

t.test('an account with the scope read cannot store', async t => {
  const reader = await mcpAgent(server, (await server.agent('Reader', ['read'])).token)
  const tools = await reader.tools()
  t.ok(tools.includes('recall_knowledge') && tools.includes('load_context') && !tools.includes('remember'))
  t.match(await reader.refused('remember', { content: 'A fact.' }), /'write'/)
  t.ok((await reader.ok<Found>('load_context', { task })).entries)
})

t.test(
  'what is served is recorded with the session: of the argument, else of the header, unless it is none',
  async t => {
    const { id } = await agent.ok<Stored>('remember', {
      content: 'The staging database is copied every night.',
      kind: 'FACT'
    })
    const withHeader = await mcpAgent(server, server.token, { 'x-tracker-session': 'from-header' })
    const query = 'staging database copied'
    await agent.ok('recall_knowledge', { query, session: 'from-argument' })
    await withHeader.ok('load_context', { query })
    await withHeader.ok('recall_knowledge', { query, session: 'with space' })
    await agent.ok('recall_knowledge', { query, session: 'with space' })
    const servings = async () =>
      server.ok<Array<{ session: string | null; token: { account: { fullname: string } } }>>(
        `/v1/knowledge/${id}/servings`
      )
    while ((await servings()).length < 4) await new Promise(resolve => setTimeout(resolve, 20))
    t.strictSame(
      (await servings()).map(({ session, token }) => [session, token.account.fullname]).sort(),
      [
        ['from-argument', 'Ada'],
        ['from-header', 'Administrator'],
        ['from-header', 'Administrator'],
        [null, 'Ada']
      ].sort()
    )
  }
)
