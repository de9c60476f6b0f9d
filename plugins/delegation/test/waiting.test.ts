import t, { type Test } from 'tap'
import { onPostgres, type TestServer } from '../../../test/runner/harness.ts'
import { delegate, getRun, isOver, outputOf, reaches, readyIssue, serverWith } from './helpers.ts'

interface Context {
  state: { name: string }
  assignee: { fullname: string } | null
  comments: Array<{ bodyMarkdown: string }>
  openQuestions?: Array<{ id: string; bodyMarkdown: string }>
}

/** `send JSON` comments on the issue of the run. */
const SEND = `
  send() { curl -sf "$TRACKER_URL/v1/issue_comments?issueId=$TRACKER_ISSUE" -H "Authorization: Bearer $TRACKER_TOKEN" \\
    -H "Content-Type: application/json" -d "$1" > /dev/null || exit 9; }`
/** Asks first; with an answer in its brief it reports it and closes the issue. */
const SCRIPT = `
  brief=$(cat)${SEND}
  case "$brief" in
    *"answered:"*"Blue, please."*) echo "told blue"
      send '{"bodyMarkdown": "Painted.", "stateCategory": "COMPLETED"}' ;;
    *"withdrawn it"*) echo "told nothing" ;;
    *) send '{"bodyMarkdown": "Which colour?", "question": {}}' ;;
  esac`

async function serving(t: Test): Promise<TestServer> {
  // A long lease: a slow machine must not begin an attempt again.
  const server = await serverWith(SCRIPT, { delegation: { leaseSeconds: 60 } })
  t.teardown(() => server.close())
  await server.app.listen({ port: 0 })
  return server
}
const contextOf = (server: TestServer, issue: string) => server.ok<Context>(`/v1/issues/${issue}/context`)
async function waiting(server: TestServer) {
  const issue = await readyIssue(server)
  const { id } = await delegate(server, issue.id)
  await reaches(server, id, 'WAITING')
  const { openQuestions } = await contextOf(server, issue.id)
  return { issue, id, question: openQuestions![0]!.id }
}

t.test('a run that asks gives its issue back, waits, and goes on with the answer in its brief', async t => {
  const server = await serving(t)
  const { issue, id, question } = await waiting(server)
  const { state, assignee, comments, openQuestions } = await contextOf(server, issue.id)
  t.match(
    { state, assignee, openQuestions },
    {
      state: { name: 'Todo' },
      assignee: null,
      openQuestions: [{ bodyMarkdown: 'Which colour?' }]
    }
  )
  t.match(comments.at(-1)!.bodyMarkdown, /has asked.*is back in Todo, without an assignee/)
  t.match(await getRun(server, id), { status: 'WAITING', attempt: 1, finishedAt: null, error: null })
  t.equal((await server.call('/v1/agent_runs', { body: { issueId: issue.id } })).statusCode, 409, 'one run at a time')

  await server.ok(`/v1/issue_comments/${question}/answer`, { body: { bodyMarkdown: 'Blue, please.' } })
  t.match(await isOver(server, id), { status: 'SUCCEEDED', attempt: 2 })
  t.match(await outputOf(server, id), 'told blue')
  t.match(await contextOf(server, issue.id), { state: { name: 'Done' } })
})

t.test('a question that is withdrawn lets the run go on without an answer', async t => {
  const server = await serving(t)
  const { id, question } = await waiting(server)
  await server.ok(`/v1/issue_comments/${question}/withdraw`, { body: {} })
  t.equal((await isOver(server, id)).status, 'SUCCEEDED')
  t.match(await outputOf(server, id), 'told nothing')
})

t.test('a run that waits is canceled by hand, and when its issue is taken, closed or removed', async t => {
  const server = await serving(t)
  const canceled = await waiting(server)
  await server.ok(`/v1/agent_runs/${canceled.id}/cancel`, { body: {} })
  t.equal((await isOver(server, canceled.id)).status, 'CANCELED')
  const ends: Array<[string, (issue: string) => Promise<unknown>]> = [
    ['ISSUE_REASSIGNED', issue => server.ok(`/v1/issues/${issue}/pick_up`, { body: {} })],
    ['ISSUE_CLOSED', issue => server.ok(`/v1/issues/${issue}`, { body: { state: 'Done' } })],
    ['ISSUE_DELETED', issue => server.ok(`/v1/issues/${issue}`, { method: 'DELETE' })]
  ]
  for (const [reason, end] of ends) {
    const { issue, id } = await waiting(server)
    await end(issue.id)
    t.match(await isOver(server, id), { status: 'CANCELED', error: { reason } })
  }
})

t.test(
  'a run whose server stops after it has asked waits for the answer, and goes on at another',
  { skip: onPostgres ? false : 'the embedded database has one process' },
  async t => {
    const one = await serverWith(`${SEND}\nsend '{"bodyMarkdown": "Which colour?", "question": {}}'; sleep 600`)
    await one.app.listen({ port: 0 })
    const issue = await readyIssue(one)
    const { id } = await delegate(one, issue.id)
    let question: string | undefined
    do question = (await contextOf(one, issue.id)).openQuestions?.[0]?.id
    while (question === undefined)
    await one.close()
    const two = await serverWith(SCRIPT, { on: one, delegation: { leaseSeconds: 60 } })
    t.teardown(() => two.close())
    await two.app.listen({ port: 0 })
    t.match(await reaches(two, id, 'WAITING'), { attempt: 1 }, 'it is not begun without its answer')
    await two.ok(`/v1/issue_comments/${question}/answer`, { body: { bodyMarkdown: 'Blue, please.' } })
    t.match(await isOver(two, id), { status: 'SUCCEEDED', attempt: 2 })
    t.match(await outputOf(two, id), 'told blue')
  }
)
