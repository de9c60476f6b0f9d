import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { mcpAgent } from '../../../test/mcp-client.ts'
import { getRun, isOver, reaches, readyIssue, serverWith } from './helpers.ts'

interface Run {
  id: string
  task: string
  status: string
}
interface Runs {
  runs?: Run[]
  more: boolean
}

const closes = (t: Test, server: TestServer) => {
  t.teardown(async () => {
    server.app.server.closeAllConnections()
    await server.close()
  })
  return server
}
/** Its runs go on until they are ended. */
const sleeping = closes(t, await serverWith('sleep 600'))
const withoutRunner = closes(t, await testServer())

t.test('an agent delegates a task and follows its runs, by keys', async t => {
  const server = closes(t, await serverWith('cat > /dev/null; echo hello'))
  const ada = await mcpAgent(server, (await server.agent('Ada')).token)
  const { key } = await readyIssue(server)
  const run = await ada.ok<Run>('delegate_task', { task: key.toLowerCase(), instructions: 'Say hello.' })
  t.match(run, { task: key, requestedBy: 'Ada' })
  await isOver(server, run.id)
  t.match(await getRun(server, run.id), { instructions: 'Say hello.' })
  t.match(await ada.ok('list_agent_runs', { task: key }), {
    runs: [
      {
        id: run.id,
        task: key,
        status: 'SUCCEEDED',
        attempt: 1,
        summary: 'hello',
        startedAt: String,
        finishedAt: String
      }
    ],
    more: false
  })
  t.strictSame(await ada.ok('list_agent_runs', { status: 'FAILED' }), { runs: [], more: false })

  const others = [await readyIssue(server), await readyIssue(server)]
  for (const { key } of others) await ada.ok('delegate_task', { task: key })
  const page = await ada.ok<Runs>('list_agent_runs', { limit: 2 })
  t.strictSame(
    page.runs?.map(({ task }) => task),
    others.map(({ key }) => key).reverse(),
    'newest first'
  )
  t.equal(page.more, true)
})

t.test('taking the task back ends its run', async t => {
  const server = await sleeping.board()
  const ada = await mcpAgent(server, (await server.agent('Ada')).token)
  const { key } = await readyIssue(server)
  const { id } = await ada.ok<Run>('delegate_task', { task: key })
  await reaches(server, id, 'RUNNING')
  while ((await server.ok<{ assigneeId: string | null }>(`/v1/issues/${key}`)).assigneeId === null) await sleep(50)
  t.match(await ada.ok('get_task', { task: key }), { activeRun: { status: 'RUNNING' } })
  await ada.ok('pick_up_task', { task: key, takeover: true })
  await isOver(server, id)
  t.match(await ada.ok('list_agent_runs', { task: key }), {
    runs: [{ status: 'CANCELED', error: { reason: 'ISSUE_REASSIGNED', message: String } }]
  })
  t.match(await ada.ok('get_task', { task: key }), { activeRun: undefined, assignee: 'Ada' })
})

t.test('a task that cannot be delegated is refused, with every reason and what to do', async t => {
  const server = await sleeping.board()
  const ada = await mcpAgent(server, (await server.agent('Ada')).token)
  const blocker = await readyIssue(server)
  const bare = await server.ok<{ key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Bare', issueRelation: { type: 'BLOCKED', relatedIssueId: blocker.key } }
  })
  const refusal = await ada.refused('delegate_task', { task: bare.key })
  for (const part of [
    /write what is wanted and why/,
    /add a checklist/,
    new RegExp(`blocked by ${blocker.key}: finish that first`)
  ]) {
    t.match(refusal, part)
  }

  await ada.ok('delegate_task', { task: blocker.key })
  t.match(await ada.refused('delegate_task', { task: blocker.key }), /has an active run: wait/)
  const other = await readyIssue(server)
  await server.ok(`/v1/issues/${other.key}/pick_up`, { method: 'POST' })
  t.match(await ada.refused('delegate_task', { task: other.key }), /Administrator works on/)
  await ada.ok('close_task', { task: other.key, resolution: 'Mended.' })
  t.match(await ada.refused('delegate_task', { task: other.key }), /is closed \(Done\): reopen it/)

  const mistakes: Array<[string, object, RegExp]> = [
    ['delegate_task', {}, /arguments\.task is missing/],
    ['delegate_task', { task: 'ENG-999' }, /no issue 'ENG-999'/],
    ['delegate_task', { task: bare.key, prompt: 'x' }, /Its arguments are: task, instructions/],
    ['delegate_task', { task: bare.key, instructions: 'x'.repeat(20_001) }, /arguments\.instructions/],
    ['list_agent_runs', { status: 'DONE' }, /QUEUED, RUNNING, WAITING, SUCCEEDED, FAILED, CANCELED/],
    ['list_agent_runs', { task: 'NONE-1' }, /no issue 'NONE-1'/]
  ]
  for (const [tool, args, message] of mistakes) {
    t.match(await ada.refused(tool, args), message, `${tool} ${JSON.stringify(args).slice(0, 60)}`)
  }
})

t.test(
  'without a runner no rule and no other guide leads to delegation; its tools and its guide are there',
  async t => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const connected = await withoutRunner.call('/v1/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      headers: { accept: 'application/json, text/event-stream' }
    })
    t.match(connected.json(), { result: { instructions: /pick_up_task/ } })
    t.notMatch(connected.body, /delegate/)
    const { skills } = (await withoutRunner.call('/.well-known/agent-skills/')).json<{
      skills: Array<{ url: string }>
    }>()
    t.equal(skills.length, 3)
    for (const { url } of skills.filter(({ url }) => !url.startsWith('delegating-'))) {
      t.notMatch((await withoutRunner.call(`/.well-known/agent-skills/${url}`)).body, /delegat/, url)
    }
    const tools = await (await mcpAgent(withoutRunner)).tools()
    for (const name of ['delegate_task', 'list_agent_runs']) t.ok(tools.includes(name), name)
  }
)

t.test('without a runner the refusal names the setting', async t => {
  const { key } = await readyIssue(withoutRunner)
  t.match(
    await (await mcpAgent(withoutRunner)).refused('delegate_task', { task: key }),
    /the deployer sets plugins\.delegation\.runner/
  )
})

t.test('nothing of another workspace can be delegated or seen', async t => {
  const server = await sleeping.board()
  const { key } = await readyIssue(server)
  const { id } = await (await mcpAgent(server)).ok<Run>('delegate_task', { task: key })
  const stranger = await mcpAgent(server, (await server.otherWorkspace()).token)
  t.strictSame(await stranger.ok('list_agent_runs'), { runs: [], more: false })
  t.match(await stranger.refused('list_agent_runs', { task: key }), /no issue/)
  t.match(await stranger.refused('delegate_task', { task: key }), /no issue/)
  t.match(await stranger.refused('delegate_task', { task: id }), /no issue/)
})

t.test('an account with the scope read sees runs and cannot delegate', async t => {
  const server = await sleeping.board()
  const { key } = await readyIssue(server)
  const reader = await mcpAgent(server, (await server.agent('Reader', ['read'])).token)
  const tools = await reader.tools()
  t.ok(tools.includes('list_agent_runs') && !tools.includes('delegate_task'))
  t.match(await reader.refused('delegate_task', { task: key }), /'write'/)
  t.strictSame(await reader.ok('list_agent_runs', { task: key }), { runs: [], more: false })
})
