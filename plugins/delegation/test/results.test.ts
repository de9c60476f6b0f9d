import t, { type Test } from 'tap'
import { mcpAgent } from '../../../test/mcp-client.ts'
import type { TestServer } from '../../../test/runner/harness.ts'
import {
  delegate,
  isOver,
  outputOf,
  PLUGINS,
  reaches,
  readyIssue,
  says,
  serverWith,
  type RunAnswer
} from './helpers.ts'

interface Reviewed extends RunAnswer {
  retryOf: string | null
  instructions: string | null
  result: { branch: string | null; url: string | null; review: string | null; reviewedBy: object | null } | null
}
const CURL = `curl -s -H "Authorization: Bearer $TRACKER_TOKEN" -H 'Content-Type: application/json'`
const RESULT = `"$TRACKER_URL/v1/agent_runs/$TRACKER_RUN/result"`
const BODY = `"{\\"branch\\": \\"tracker/$TRACKER_ISSUE\\", \\"url\\": \\"https://git.example.org/pull/7\\"}"`
/** Prints its brief, and links its work. */
const LINKS = `cat; ${CURL} -o /dev/null -d ${BODY} ${RESULT}; echo Linked.`

/** A server whose runs link their work. */
async function linking(t: Test, script = LINKS, plugins = [...PLUGINS, 'inbox', 'proof']): Promise<TestServer> {
  const server = await serverWith(script, { plugins, delegation: { leaseSeconds: 60 } })
  t.teardown(() => server.close())
  await server.app.listen({ port: 0 })
  return server
}
/** An issue with a run that has succeeded and linked its work. */
async function linkedRun(server: TestServer, issue: object = {}) {
  const { id: issueId, key } = await readyIssue(server, issue)
  const { id } = await delegate(server, key, 'Mind the colours.')
  await isOver(server, id)
  return { issueId, key, id }
}
const post = (server: TestServer, id: string, what: string, body: object, token?: string) =>
  server.call(`/v1/agent_runs/${id}/${what}`, { body, ...(token !== undefined && { token }) })
const stateOf = async (server: TestServer, key: string) =>
  (await server.ok<{ state: { category: string } }>(`/v1/issues/${key}/context`)).state.category

t.test('a run links its work, which is accepted, and the issue is closed', async t => {
  const server = await linking(t)
  const { key, id } = await linkedRun(server)
  const run = await server.ok<Reviewed>(`/v1/agent_runs/${id}`)
  t.match(run, {
    status: 'SUCCEEDED',
    result: { branch: `tracker/${key}`, url: 'https://git.example.org/pull/7', review: null, reviewedBy: null }
  })
  t.match(await outputOf(server, id, 'status'), /Its work: tracker\/ENG-\d+, https:/)
  const refused = await server.call('/v1/agent_runs', { body: { issueId: key } })
  t.match(
    refused.json(),
    { code: 'NOT_READY', reasons: [{ code: 'AWAITING_REVIEW' }] },
    'nobody does it again meanwhile'
  )
  await server.idle()
  const { entries } = await server.ok<{ entries: object[] }>('/v1/inbox')
  t.match(entries, [{ reason: 'run_result', subject: { type: 'run', id } }])

  const accepted = await server.ok<Reviewed>(`/v1/agent_runs/${id}/accept`, { body: {} })
  t.match(accepted, { result: { review: 'ACCEPTED', reviewedBy: { fullname: 'Administrator' }, reviewedAt: String } })
  t.equal(await stateOf(server, key), 'COMPLETED')
  const again = await post(server, id, 'send_back', { text: 'No.' })
  t.equal(again.statusCode, 409)
  t.match(again.json(), { message: /reviewed before: ACCEPTED/ })
})

t.test('work that is sent back is to do again, and another run gets the text and the way of the first', async t => {
  const server = await linking(t)
  const { key, id } = await linkedRun(server)
  await server.ok(`/v1/issues/${key}`, { body: { state: 'Done' } })
  t.equal((await post(server, id, 'send_back', {})).statusCode, 400, 'a text is required')
  const answer = await post(server, id, 'send_back', { text: 'The button is still dead on phones.' })
  t.equal(answer.statusCode, 201)
  const next = answer.json<Reviewed>()
  t.match(next, { status: 'QUEUED', retryOf: id })
  t.match(await server.ok(`/v1/agent_runs/${id}`), { result: { review: 'SENT_BACK' } })
  await isOver(server, next.id)
  const brief = await outputOf(server, next.id)
  t.match(brief, /Instructions for this run\n\nMind the colours\.\n\nThe button is still dead on phones\./)
  t.match(brief, /## The run before\n\nThis is another attempt\. The run before ended: SUCCEEDED\./)
  t.match(brief, /the branch `tracker\/ENG-\d+`, <https:\/\/git\.example\.org\/pull\/7>/)
  t.match(brief, /It was sent back/)
  t.match(brief, /It said last:[^]*Linked\./)
  const { comments } = await server.ok<{ comments: object[] }>(`/v1/issues/${key}/context`)
  t.ok(JSON.stringify(comments).includes('still dead on phones'), 'the answer is a comment, too')
})

t.test('the rule of the team for closing holds for what is accepted', async t => {
  const server = await linking(t)
  await server.ok('/v1/teams/ENG', { body: { closing: { criteria: 'MET' } } })
  const { key, id } = await linkedRun(server)
  const refused = await post(server, id, 'accept', {})
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'CRITERIA_UNMET' })
  t.match(await server.ok(`/v1/agent_runs/${id}`), { result: { review: null } }, 'nothing was written')
  const { token } = await server.agent('Helper')
  t.equal((await post(server, id, 'accept', { override: true }, token)).statusCode, 403)
  t.match(await server.ok(`/v1/agent_runs/${id}/accept`, { body: { override: true } }), {
    result: { review: 'ACCEPTED' }
  })
  t.equal(await stateOf(server, key), 'COMPLETED')
})

t.test('only the run links its work, while it runs, and links are checked', async t => {
  const server = await linking(t, 'echo "token $TRACKER_TOKEN" | sed "s/_/ /"; sleep 600')
  const { key } = await readyIssue(server)
  const { id } = await delegate(server, key)
  const [, secret = ''] = await says(server, id, /token trk (\w+)/)
  const token = `trk_${secret}`
  for (const body of [
    {},
    { branch: 'two words' },
    { branch: 'x'.repeat(256) },
    { url: 'javascript:alert(1)' },
    { url: 'https://me:secret@example.org/' },
    { url: 'https://' }
  ]) {
    t.equal((await post(server, id, 'result', body, token)).statusCode, 400, JSON.stringify(body))
  }
  t.equal((await post(server, id, 'result', { branch: 'mine' })).statusCode, 403, 'not a person')
  const other = await delegate(server, (await readyIssue(server)).key)
  t.match((await post(server, other.id, 'result', { branch: 'mine' }, token)).json(), { code: 'TOKEN_CONFINED' })
  t.equal((await post(server, id, 'result', { branch: 'first' }, token)).statusCode, 200)
  t.match((await post(server, id, 'result', { url: 'https://example.org/7' }, token)).json(), {
    result: { branch: null, url: 'https://example.org/7' }
  })
  for (const what of ['accept', 'send_back', 'retry']) {
    const body = what === 'send_back' ? { text: 'x' } : {}
    t.equal((await post(server, id, what, body, token)).statusCode, 403, `a run may not ${what}`)
    t.match((await post(server, id, what, body)).json(), { message: /The run is not over/ })
  }
  await post(server, id, 'cancel', {})
  t.match(
    (await post(server, id, 'accept', {})).json(),
    { result: { review: 'ACCEPTED' } },
    'also of one that was canceled'
  )
})

t.test(
  'a run that is over is tried again with a hint; an agent finds the requests in the answer of a tool',
  async t => {
    const server = await linking(t, 'cat; exit 3')
    const { key } = await readyIssue(server)
    const { id } = await delegate(server, key, 'Mind the colours.')
    await isOver(server, id)
    const answer = await post(server, id, 'retry', { instructions: 'Start with the tests.' })
    t.equal(answer.statusCode, 201)
    const next = answer.json<Reviewed>()
    t.match(next, { retryOf: id, instructions: 'Mind the colours.\n\nStart with the tests.', result: null })
    const { error } = await isOver(server, next.id)
    t.match(error, { reason: 'EXIT_CODE' })
    t.match(await outputOf(server, next.id), /The run before ended: FAILED, EXIT_CODE\./)
    t.equal((await post(server, next.id, 'accept', {})).statusCode, 409, 'it has linked no work')
    const third = (await post(server, next.id, 'retry', {})).json<Reviewed>()
    t.match(third, { instructions: next.instructions, retryOf: next.id })
    const second = await post(server, next.id, 'retry', {})
    t.match(second.json(), { code: 'NOT_READY' }, 'one at a time')
  }
)

t.test('an agent reads of the work, and is told the requests that review it', async t => {
  const server = await linking(t)
  const { key, id } = await linkedRun(server)
  const ada = await mcpAgent(server, (await server.agent('Ada')).token)
  t.match(await ada.ok('list_agent_runs', { task: key }), {
    runs: [{ result: { branch: `tracker/${key}`, review: null }, next: new RegExp(`/v1/agent_runs/${id}/accept`) }]
  })
})

t.test('of several reviews at once one counts', async t => {
  const server = await linking(t)
  const { key, id } = await linkedRun(server)
  const answers = await Promise.all([
    post(server, id, 'accept', {}),
    post(server, id, 'send_back', { text: 'No.' }),
    post(server, id, 'accept', {}),
    post(server, id, 'send_back', { text: 'Not yet.' })
  ])
  const done = answers.filter(({ statusCode }) => statusCode < 300)
  t.equal(done.length, 1, answers.map(({ statusCode, body }) => `${statusCode} ${body}`).join('\n'))
  t.ok(answers.every(({ statusCode }) => [200, 201, 409].includes(statusCode)))
  const runs = await server.ok<Reviewed[]>(`/v1/agent_runs?issueId=${key}`)
  const isSentBack = runs.at(-1)?.result?.review === 'SENT_BACK'
  t.equal(runs.length, isSentBack ? 2 : 1, 'and at most one run begins')
  if (isSentBack) await reaches(server, runs[0]!.id, 'SUCCEEDED', 'FAILED')
})
