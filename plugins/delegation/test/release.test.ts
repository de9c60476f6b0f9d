import t, { type Test } from 'tap'
import type { TestServer } from '../../../test/runner/harness.ts'
import { delegate, isOver, reaches, readyIssue, says, serverWith } from './helpers.ts'

interface Context {
  id: string
  state: { name: string }
  assignee: { fullname: string } | null
  comments: Array<{ author: { fullname: string }; bodyMarkdown: string }>
  activeRun: object | null
}
interface State {
  id: string
  name: string
}

async function serving(t: Test, script: string, options: Parameters<typeof serverWith>[1] = {}): Promise<TestServer> {
  const server = await serverWith(script, options)
  t.teardown(() => server.close())
  await server.app.listen({ port: 0 })
  return server
}
const context = (server: TestServer, issue: string) => server.ok<Context>(`/v1/issues/${issue}/context`)
const stateNamed = async (server: TestServer, name: string) =>
  (await server.ok<State[]>('/v1/ENG/workflows')).find(state => state.name === name)!.id

/** A tool call of the runner, as its shell makes it. */
const call = (name: string, args: object) =>
  'curl -sf "$TRACKER_URL/v1/mcp" -H "Authorization: Bearer $TRACKER_TOKEN" -H "Content-Type: application/json" ' +
  '-H "Accept: application/json, text/event-stream" ' +
  `-d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })}'` +
  ' | grep -v isError > /dev/null || exit 9'

for (const [script, ending, reason] of [
  ['exit 0', 'SUCCEEDED', /SUCCEEDED/],
  ['exit 7', 'FAILED', /FAILED, EXIT_CODE/]
] as const) {
  t.test(`a run that ${ending} gives the issue that it left open back, with a note`, async t => {
    const server = await serving(t, script)
    const issue = await readyIssue(server, { stateId: await stateNamed(server, 'Backlog') })
    const run = await isOver(server, (await delegate(server, issue.id)).id)
    t.equal(run.status, ending)
    const { state, assignee, comments } = await context(server, issue.id)
    t.match({ state, assignee }, { state: { name: 'Backlog' }, assignee: null })
    t.equal(comments.length, 1)
    t.match(comments[0], {
      author: { fullname: 'Tracker agent' },
      bodyMarkdown: /is back in Backlog, without an assignee/
    })
    t.match(comments[0]?.bodyMarkdown, reason)
  })
}

t.test('a run that is canceled gives its issue back, which is then ready again', async t => {
  const server = await serving(t, 'echo begun; sleep 600')
  const issue = await readyIssue(server)
  const { id } = await delegate(server, issue.id)
  await says(server, id, /begun/)
  await server.ok(`/v1/agent_runs/${id}/cancel`, { method: 'POST' })
  const { state, assignee, comments } = await context(server, issue.id)
  t.match({ state, assignee }, { state: { name: 'Todo' }, assignee: null })
  t.match(comments, [{ bodyMarkdown: /CANCELED: Administrator canceled it\) and left this open/ }])
  t.match(await delegate(server, issue.id), { status: 'QUEUED' })
})

t.test('a run that waits when it is canceled leaves its issue as it is', async t => {
  const server = await serving(t, 'sleep 600')
  const first = await readyIssue(server)
  await reaches(server, (await delegate(server, first.id)).id, 'RUNNING')
  const issue = await readyIssue(server)
  const { id } = await delegate(server, issue.id)
  await server.ok(`/v1/agent_runs/${id}/cancel`, { method: 'POST' })
  t.match(await context(server, issue.id), { state: { name: 'Todo' }, assignee: null, comments: [] })
})

t.test('a run that closes its issue leaves it closed, and adds no note', async t => {
  const server = await serving(t, call('close_task', { task: 'ENG-1', resolution: 'Done.' }))
  const issue = await readyIssue(server)
  t.match(await isOver(server, (await delegate(server, issue.id)).id), { status: 'SUCCEEDED' })
  t.match(await context(server, issue.id), { state: { name: 'Done' }, comments: [{ bodyMarkdown: 'Done.' }] })
})

t.test('a state that the agent chose itself stays when its run ends', async t => {
  const server = await serving(t, call('update_task', { task: 'ENG-1', state: 'In Review' }))
  const issue = await readyIssue(server)
  t.match(await isOver(server, (await delegate(server, issue.id)).id), { status: 'SUCCEEDED' })
  t.match(await context(server, issue.id), {
    state: { name: 'In Review' },
    assignee: null,
    comments: [{ bodyMarkdown: /it stays in In Review, without an assignee/ }]
  })
})

t.test('what somebody else changed meanwhile stays', async t => {
  const server = await serving(t, 'echo begun; sleep 600')
  const [moved, taken] = [await readyIssue(server), await readyIssue(server)]
  const review = await stateNamed(server, 'In Review')
  const { id } = await delegate(server, moved.id)
  await says(server, id, /begun/)
  await server.ok(`/v1/issues/${moved.id}`, { body: { stateId: review } })
  await server.ok(`/v1/agent_runs/${id}/cancel`, { method: 'POST' })
  const released = await context(server, moved.id)
  t.match(released, {
    state: { name: 'In Review' },
    assignee: null,
    comments: [{ bodyMarkdown: /it stays in In Review/ }]
  })

  const second = await delegate(server, taken.id)
  await says(server, second.id, /begun/)
  await server.ok(`/v1/issues/${taken.id}/pick_up`, { body: { takeover: true } })
  await isOver(server, second.id)
  t.match(await context(server, taken.id), {
    state: { name: 'In Progress' },
    assignee: { fullname: 'Administrator' },
    comments: []
  })
})

t.test('a sub-issue that the run picked up is released, too, and another agent’s is not', async t => {
  const pickUp = call('pick_up_task', { task: 'ENG-2' })
  const server = await serving(t, `echo begun; until (${pickUp}); do sleep 0.2; done; echo picked; sleep 600`)
  const issue = await readyIssue(server)
  const { id } = await delegate(server, issue.id)
  await says(server, id, /begun/)
  const [own, other] = [
    await readyIssue(server, { parentId: issue.key }),
    await readyIssue(server, { parentId: issue.key })
  ]
  const { token } = await server.agent('Ada')
  await server.ok(`/v1/issues/${other.key}/pick_up`, { method: 'POST', token })
  await says(server, id, /picked/)
  await server.ok(`/v1/agent_runs/${id}/cancel`, { method: 'POST' })
  t.match(await context(server, own.id), {
    state: { name: 'Todo' },
    assignee: null,
    comments: [{ bodyMarkdown: /is back in Todo/ }]
  })
  t.match(await context(server, other.id), {
    state: { name: 'In Progress' },
    assignee: { fullname: 'Ada' },
    comments: []
  })
})
