import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { statementOf, testServer } from '../../../test/runner/harness.ts'
import {
  delegate,
  getRun,
  gone,
  isOver,
  liveTokens,
  outputOf,
  readyIssue,
  reaches,
  says,
  serverWith
} from './helpers.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

t.test('a ready issue is worked on by the service’s own agent', async t => {
  const dir = temporaryFolder(t)
  const server = await serverWith(
    `cat
     printf %s "$TRACKER_TOKEN" > ${dir}/token
     echo "$TRACKER_ISSUE $TRACKER_URL $TRACKER_RUN"
     echo "token $TRACKER_TOKEN, colour $COLOUR"
     echo done`,
    // On a busy machine a shorter lease may expire, and the run begins again.
    { runner: { env: { COLOUR: 'ultramarine' } }, delegation: { leaseSeconds: 60 } }
  )
  t.teardown(() => server.close())
  const issue = await readyIssue(server)
  await server.ok(`/v1/issue_comments?issueId=${issue.id}`, { body: { bodyMarkdown: 'It is the *blue* button.' } })

  const answer = await server.call('/v1/agent_runs', { body: { issueId: issue.key, instructions: 'Be quick.' } })
  t.equal(answer.statusCode, 201)
  t.match(answer.json(), {
    issueId: issue.id,
    issueKey: issue.key,
    attempt: Number,
    requestedBy: { fullname: 'Administrator' },
    agent: { fullname: 'Tracker agent' }
  })
  const run = await isOver(server, answer.json().id)
  t.match(run, { status: 'SUCCEEDED', attempt: 1, error: null, startedAt: String, finishedAt: String })
  t.match(run.summary, /done$/)

  const output = await outputOf(server, run.id)
  for (const part of [
    '- [ ] it does something',
    'Be quick.',
    'It is the *blue* button.',
    `${issue.key} http://127.0.0.1:3000 ${run.id}`
  ]) {
    t.ok(output.includes(part), part)
  }
  t.match(output, new RegExp(`# ${issue.key}: <(text-\\w{8})>A dead button</\\1>`))
  t.match(output, 'token [masked], colour [masked]')
  const token = await readFile(join(dir, 'token'), 'utf8')
  t.notOk((await server.call(`/v1/agent_runs/${run.id}/events`)).body.includes(token))
  t.equal((await server.call('/v1/users/me', { token })).statusCode, 401, 'the run’s token is dead')
  t.equal(await liveTokens(server, run.agent.id), 0)

  const context = await server.ok<{
    assignee: object
    state: object
    activeRun?: object
    history: Array<{ actor: string }>
  }>(`/v1/issues/${issue.id}/context`)
  t.match(context, { assignee: null, state: { category: 'UNSTARTED' }, activeRun: undefined })
  t.notOk('activeRun' in context, 'it is shown only while there is one')
  t.equal(context.history.at(-1)?.actor, 'Tracker agent')
  t.match(await server.ok(`/v1/agent_runs?issueId=${issue.key}&status=SUCCEEDED,FAILED`), [{ id: run.id }])
  t.strictSame(await server.ok('/v1/agent_runs?status=RUNNING'), [])
  t.equal((await server.call('/v1/agent_runs?status=WALKING')).statusCode, 400)
  const { token: stranger } = await server.otherWorkspace()
  for (const path of ['', '/events']) {
    t.equal((await server.call(`/v1/agent_runs/${run.id}${path}`, { token: stranger })).statusCode, 404)
  }
  t.equal((await server.call(`/v1/agent_runs/${run.id}/cancel`, { token: stranger, method: 'POST' })).statusCode, 404)
})

t.test('an issue that is not ready is refused, with every reason', async t => {
  const server = await serverWith('sleep 600')
  t.teardown(() => server.close())
  const reasons = async (issueId: string) => {
    const answer = await server.call('/v1/agent_runs', { body: { issueId } })
    t.match(answer.json(), { statusCode: 409, code: 'NOT_READY' })
    return answer.json().reasons.map((r: { code: string }) => r.code)
  }
  const bare = await readyIssue(server, { descriptionMarkdown: '' })
  t.strictSame(await reasons(bare.id), ['NOT_DESCRIBED', 'NO_CRITERIA'])
  const blocked = await readyIssue(server)
  await server.ok('/v1/issue_relations', { body: { issueId: bare.id, relatedIssueId: blocked.id, type: 'BLOCKS' } })
  t.strictSame(await reasons(blocked.id), ['BLOCKED'])
  const held = await readyIssue(server)
  await server.ok(`/v1/issues/${held.id}/pick_up`, { body: {} })
  t.strictSame(await reasons(held.id), ['CLAIMED'])
  const states = await server.ok<Array<{ id: string; category: string }>>('/v1/ENG/workflows')
  const closed = await readyIssue(server, { stateId: states.find(s => s.category === 'COMPLETED')!.id })
  t.strictSame(await reasons(closed.id), ['CLOSED'])
  const running = await readyIssue(server)
  await delegate(server, running.id)
  t.ok((await reasons(running.id)).includes('RUNNING'))
  t.equal((await server.call('/v1/agent_runs', { body: { issueId: 'ENG-999' } })).statusCode, 404)
})

t.test('an issue that somebody has and has not begun is taken', async t => {
  const server = await serverWith('echo begun; sleep 600')
  t.teardown(() => server.close())
  const { id: me } = await server.ok<{ id: string }>('/v1/users/me')
  const issue = await readyIssue(server, { assigneeId: me })
  const run = await delegate(server, issue.id)
  await says(server, run.id, /begun/)
  t.match(await server.ok(`/v1/issues/${issue.id}`), { assigneeId: run.agent.id, stateCategory: 'STARTED' })
})

t.test('of requests at once for one issue exactly one is accepted', async t => {
  const server = await serverWith('sleep 600')
  t.teardown(() => server.close())
  const issue = await readyIssue(server)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => server.call('/v1/agent_runs', { body: { issueId: issue.id } }))
  )
  t.strictSame(answers.map(a => a.statusCode).sort(), [201, ...Array<number>(7).fill(409)])
})

t.test('a request for a run looks its issue up once', async t => {
  const statements: string[] = []
  const server = await testServer({
    onStatement: (...sent) => statements.push(statementOf(...sent)),
    settings: { jobs: false, plugins: { delegation: { runner: { command: ['true'] } } } }
  })
  t.teardown(() => server.close())
  const { key } = await readyIssue(server)
  statements.length = 0
  await delegate(server, key)
  t.equal(statements.filter(text => text.includes('issue.team_id, issue.title')).length, 1)
})

t.test('without a runner the answer says what to set', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const issue = await readyIssue(server)
  t.match((await server.call('/v1/agent_runs', { body: { issueId: issue.id } })).json(), {
    statusCode: 409,
    code: 'NOT_CONFIGURED',
    message: /plugins\.delegation\.runner/
  })
  t.match((await server.call('/health/ready')).json(), { delegation: { state: 'off' } })
})

t.test('each way to fail has its reason', async t => {
  const ways: Array<[string, string, object?]> = [
    ['exit 3', 'EXIT_CODE'],
    ['kill -9 $$', 'KILLED'],
    ['yes "what a flood"', 'OUTPUT_FLOOD'],
    ['sleep 600', 'TIMED_OUT', { timeoutSeconds: 1 }],
    ['true', 'NOT_STARTED', { command: ['no-such-command-anywhere'] }],
    ['true', 'NOT_STARTED', { cwd: '/no/such/folder' }]
  ]
  for (const [script, reason, runner = {}] of ways) {
    const server = await serverWith(script, { runner })
    const { id } = await delegate(server, (await readyIssue(server)).id)
    const run = await isOver(server, id)
    t.match(run, { status: 'FAILED', error: { reason, message: /\w+/ } }, reason)
    t.equal(await liveTokens(server, run.agent.id), 0)
    await server.close()
  }
})

t.test('canceling ends the processes and the token', async t => {
  const server = await serverWith('trap "" TERM; sleep 600 & echo "pids $$ $!"; sleep 600')
  t.teardown(() => server.close())
  const issue = await readyIssue(server)
  const { id } = await delegate(server, issue.id)
  const [, ...pids] = await says(server, id, /pids (\d+) (\d+)/)
  t.match(await server.ok(`/v1/issues/${issue.id}/context`), {
    activeRun: { id, status: 'RUNNING', requestedBy: 'Administrator' }
  })
  const answer = await server.call(`/v1/agent_runs/${id}/cancel`, { method: 'POST' })
  t.match(answer.json(), { status: 'CANCELED', error: { reason: 'CANCELED', message: /Administrator/ } })
  t.equal(await liveTokens(server, answer.json().agent.id), 0)
  for (const pid of pids) await gone(Number(pid))
  t.equal(
    (await server.call(`/v1/agent_runs/${id}/cancel`, { method: 'POST' })).statusCode,
    200,
    'again changes nothing'
  )
  t.equal((await getRun(server, id)).status, 'CANCELED')
  t.equal(
    (await server.call('/v1/agent_runs', { body: { issueId: issue.id } })).statusCode,
    201,
    'the issue can be delegated again'
  )
})

t.test('a run ends when somebody else closes, deletes or takes its issue, not when its own agent does', async t => {
  const server = await serverWith('echo working; sleep 600')
  t.teardown(() => server.close())
  const states = await server.ok<Array<{ id: string; category: string }>>('/v1/ENG/workflows')
  const done = states.find(s => s.category === 'COMPLETED')!.id
  const ways: Array<[string, (issueId: string) => Promise<unknown>]> = [
    ['ISSUE_CLOSED', id => server.ok(`/v1/issues/${id}`, { body: { stateId: done } })],
    ['ISSUE_DELETED', id => server.ok(`/v1/issues/${id}`, { method: 'DELETE' })],
    ['ISSUE_REASSIGNED', id => server.ok(`/v1/issues/${id}/pick_up`, { body: { takeover: true } })]
  ]
  for (const [reason, change] of ways) {
    const issue = await readyIssue(server)
    const { id } = await delegate(server, issue.id)
    await says(server, id, /working/)
    await change(issue.id)
    t.match(await isOver(server, id), { status: 'CANCELED', error: { reason } }, reason)
  }
})

t.test('an agent that closes its own issue is left to finish', async t => {
  const file = join(temporaryFolder(t), 'state')
  const server = await serverWith(
    `curl -sf "$TRACKER_URL/v1/issues/$TRACKER_ISSUE" -H "Authorization: Bearer $TRACKER_TOKEN" \\
       -H "Content-Type: application/json" -d "{\\"stateId\\": \\"$(cat $STATE)\\"}" > /dev/null || exit 9
     sleep 2
     echo closed it`,
    { runner: { env: { STATE: file } } }
  )
  t.teardown(() => server.close())
  await server.app.listen({ port: 0 })
  const states = await server.ok<Array<{ id: string; category: string }>>('/v1/ENG/workflows')
  await writeFile(file, states.find(s => s.category === 'COMPLETED')!.id)
  const issue = await readyIssue(server)
  const { id } = await delegate(server, issue.id)
  t.match(await isOver(server, id), { status: 'SUCCEEDED', summary: 'closed it' })
  t.match(await server.ok(`/v1/issues/${issue.id}`), { stateCategory: 'COMPLETED' })
})

t.test('a run that waits is canceled without ever starting', async t => {
  const server = await serverWith('sleep 600')
  t.teardown(() => server.close())
  const first = await delegate(server, (await readyIssue(server)).id)
  await reaches(server, first.id, 'RUNNING')
  const second = await delegate(server, (await readyIssue(server)).id)
  await server.ok(`/v1/agent_runs/${second.id}/cancel`, { method: 'POST' })
  t.match(await getRun(server, second.id), { status: 'CANCELED', attempt: 0, startedAt: null })
})

t.test('an agent without the scope write cannot delegate', async t => {
  const server = await serverWith('true')
  t.teardown(() => server.close())
  const { token } = await server.agent('Reader', ['read'])
  const issue = await readyIssue(server)
  t.match((await server.call('/v1/agent_runs', { token, body: { issueId: issue.id } })).json(), {
    statusCode: 403,
    requiredScope: 'write'
  })
})
