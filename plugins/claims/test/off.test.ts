import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

/* Without claims, who works on an issue is its assignee; turned on again, claims agree with the issues. */

interface Issue {
  id: string
  key: string
  assignee: { id: string } | null
  state: { name: string; category: string }
  claim?: { holder: { id: string }; fence: number; expiresAt?: string }
}
const withoutClaims = ['workspace', 'agents', 'issues', 'comments', 'mcp', 'hooks', 'inbox', 'proof']
const settings = { plugins: { mcp: { rateLimit: 0 } } }

async function start(t: Test, options: { on?: TestServer; plugins?: readonly string[] } = {}): Promise<TestServer> {
  const server = await testServer({ settings, ...options })
  t.teardown(() => server.close())
  return server
}
/** An issue is ready when it says what done means. */
const descriptionMarkdown = 'Dates lose their zone.\n\n- [ ] dates keep their zone'
const file = (server: TestServer, fields: object = {}) =>
  server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'Work', descriptionMarkdown, ...fields } })
const context = (server: TestServer, key: string) => server.ok<Issue>(`/v1/issues/${key}/context`)
const isStarted = { assignee: { id: '' }, state: { category: 'STARTED' } }

t.test('a pick-up is atomic, and nothing of claims is left', async t => {
  const server = await start(t, { plugins: withoutClaims })
  const agents = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(name => server.agent(name)))

  await t.test('of several agents that pick up one issue, one gets it', async t => {
    const { key } = await file(server)
    const answers = await Promise.all(
      agents.map(({ token }) => server.call(`/v1/issues/${key}/pick_up`, { token, body: {} }))
    )
    t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 409, 409, 409, 409])
    const winner = agents[answers.findIndex(({ statusCode }) => statusCode === 200)]!
    t.match(await context(server, key), { ...isStarted, assignee: { id: winner.id } })
    const refused = answers.find(({ statusCode }) => statusCode === 409)!.json<{ message: string }>()
    t.match(refused.message, key, 'the refusal names the issue')
  })

  await t.test('agents that take the next issue get different ones', async t => {
    const keys = (await Promise.all(agents.map(() => file(server, { title: 'Next' })))).map(({ key }) => key)
    const taken = await Promise.all(
      agents.map(({ token }) => server.ok<Issue>('/v1/issues/pick_up_next', { token, body: { team: 'ENG' } }))
    )
    t.strictSame(taken.map(({ key }) => key).sort(), keys.sort())
  })

  await t.test('an issue of somebody else is taken over by name, and released by who has it', async t => {
    const { key } = await file(server)
    const [first, second] = agents as [(typeof agents)[0], (typeof agents)[0]]
    await server.ok(`/v1/issues/${key}/pick_up`, { token: first.token, body: {} })
    await server.ok(`/v1/issues/${key}/pick_up`, { token: second.token, body: { takeover: true } })
    t.match(await context(server, key), { assignee: { id: second.id } })
    const call = { token: first.token, body: {} }
    t.equal((await server.call(`/v1/issues/${key}/release`, call)).statusCode, 409, 'the former holder')
    await server.ok(`/v1/issues/${key}/release`, { token: second.token, body: {} })
    t.match(await context(server, key), { assignee: null, state: { category: 'UNSTARTED' } })
  })

  await t.test('a request that relies on a claim is refused', async t => {
    const { key } = await file(server)
    const headers = { 'if-claim': '1' }
    const refused = await server.call(`/v1/issues/${key}`, { headers, body: { title: 'Changed' } })
    t.match(refused.json(), { statusCode: 400, message: /does not know the precondition if-claim/ })
    const known = { 'if-none-match': '"x"', 'if-modified-since': 'Fri, 27 Nov 2026 10:00:00 GMT' }
    t.equal((await server.call(`/v1/issues/${key}/context`, { headers: known })).statusCode, 200, 'those of HTTP')
    t.match(await server.call(`/v1/issues/${key}/claim/renew`, { body: {} }), { statusCode: 404 })
    const comment = { bodyMarkdown: 'Mine', state: 'In Progress', takeover: true }
    t.match(await server.call(`/v1/issue_comments?issueId=${key}`, { body: comment }), { statusCode: 400 })
    t.match(await server.call(`/v1/issues/${key}`, { body: { title: 'Changed', takeover: true } }), { statusCode: 400 })
  })

  await t.test('no answer, description or metric has one', async t => {
    const { key } = await file(server, { assignee: 'me', state: 'In Progress' })
    t.notOk('claim' in (await context(server, key)))
    const openapi = JSON.stringify(await server.ok('/openapi.json'))
    for (const word of ['If-Claim', 'claim/renew', 'CLAIM_LOST', 'claim.lapsed']) t.notMatch(openapi, word)
    t.notMatch((await server.call('/metrics')).body, 'tracker_claims')
  })
})

t.test('turned on again, claims agree with what has become of their issues', async t => {
  const first = await start(t)
  const [one, two] = [await first.agent('One'), await first.agent('Two')]
  const pickUp = (server: TestServer, key: string, token: string) =>
    server.ok(`/v1/issues/${key}/pick_up`, { token, body: { takeover: true } })
  const names = ['kept', 'taken', 'closed', 'removed', 'begun'] as const
  const keyOf = Object.fromEntries(
    await Promise.all(names.map(async title => [title, (await file(first, { title })).key] as const))
  ) as Record<(typeof names)[number], string>
  for (const name of ['kept', 'taken', 'closed', 'removed'] as const) await pickUp(first, keyOf[name], one.token)
  const before = await context(first, keyOf.kept)

  const off = await start(t, { on: first, plugins: withoutClaims })
  await pickUp(off, keyOf.taken, two.token)
  await off.ok(`/v1/issues/${keyOf.closed}`, { token: one.token, body: { state: 'COMPLETED' } })
  await off.ok(`/v1/issues/${keyOf.removed}`, { method: 'DELETE' })
  await pickUp(off, keyOf.begun, two.token)

  const on = await start(t, { on: off })
  await on.app.listen({ port: 0, host: '127.0.0.1' })
  await on.idle()
  t.strictSame((await context(on, keyOf.kept)).claim?.fence, before.claim?.fence, 'an unchanged claim is kept')
  t.match((await context(on, keyOf.taken)).claim, { holder: { id: two.id }, fence: 2 })
  t.match((await context(on, keyOf.begun)).claim, { holder: { id: two.id }, fence: 1 })
  t.notOk((await context(on, keyOf.closed)).claim)
  t.match(
    await on.call(`/v1/issues/${keyOf.taken}`, { token: one.token, body: { title: 'Late' } }),
    { statusCode: 409 },
    'a late write of the former holder is refused'
  )
})
