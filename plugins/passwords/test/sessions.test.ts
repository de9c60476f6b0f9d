import t, { type Test } from 'tap'
import { listen, openStream } from '../../../test/event-stream.ts'
import { testServer, type TestOptions } from '../../../test/runner/harness.ts'
import { browser, firstSignIn, PASSWORD, SAME_ORIGIN } from './browser.ts'

async function start(t: Test, options: TestOptions = {}) {
  const server = await testServer({
    plugins: ['workspace', 'agents', 'events', 'mcp', 'hooks', 'issues', 'claims', 'comments', 'passwords'],
    ...options
  })
  t.teardown(() => server.close())
  return server
}
const shared = await start(t)
const label = { body: { name: 'Made by a form' } }
/** The `headers` of a request without those of `browser`. */
const from = (origin: string | undefined, site?: string) => ({
  ...(origin !== undefined && { origin }),
  ...(site !== undefined && { 'sec-fetch-site': site })
})

t.test('a form or script of another site can change nothing with the cookie of a session', async t => {
  const server = await shared.board()
  const { cookie } = await firstSignIn(server)
  const attempt = (headers: Record<string, string>) =>
    server.call('/v1/labels', { token: null, ...label, headers: { cookie, ...headers } })
  for (const [headers, title] of [
    [from('https://evil.example', 'cross-site'), 'another site'],
    [from('http://localhost:8080', 'same-site'), 'another port of this host'],
    [from(undefined, 'none'), 'a request that no page made'],
    [from('https://evil.example'), 'an older browser, from another site'],
    [from('null'), 'an older browser, from a sandboxed page'],
    [from(undefined), 'nothing is said']
  ] as const) {
    t.match((await attempt(headers)).json(), { statusCode: 403, code: 'CROSS_SITE' }, title)
  }
  t.equal((await attempt(from('http://localhost:80'))).statusCode, 201, 'an older browser, from a page of this server')
})

t.test('what is read with the cookie of a session is not kept by the browser', async t => {
  const server = await shared.board()
  const { cookie } = await firstSignIn(server)
  for (const path of ['/v1/users/me', '/v1/users', '/v1/no-such-thing']) {
    const { headers } = await server.call(path, { token: null, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    t.equal(headers['cache-control'], path === '/v1/no-such-thing' ? undefined : 'no-store', path)
  }
  t.equal((await server.call('/v1/users/me')).headers['cache-control'], undefined, 'a token')
})

t.test('a page of another site reads nothing with the cookie of a session', async t => {
  const server = await shared.board()
  const { cookie } = await firstSignIn(server)
  for (const site of ['cross-site', 'same-site']) {
    const answer = await server.call('/v1/users/me', { token: null, headers: { cookie, 'sec-fetch-site': site } })
    t.equal(answer.statusCode, 403, site)
  }
})

t.test('nobody is signed in by a form of another site', async t => {
  const server = await start(t)
  await firstSignIn(server)
  for (const path of ['/v1/passwords/sign_in', '/v1/passwords/first']) {
    const body = { email: 'admin@localhost', password: PASSWORD }
    const answer = await server.call(path, { token: null, body, headers: from('https://evil.example', 'cross-site') })
    t.match(answer, { statusCode: 403, headers: { 'set-cookie': undefined } }, path)
    t.equal((await server.call(path, { token: null, body })).statusCode, 403, `${path}, without an origin`)
  }
})

t.test('behind a proxy the origin is that of the public URL', async t => {
  const server = await start(t, { settings: { publicUrl: 'https://tracker.example.org' } })
  const body = { token: server.token, password: PASSWORD }
  const first = (origin: string) => server.call('/v1/passwords/first', { token: null, body, headers: from(origin) })
  t.equal((await first('http://tracker.example.org')).statusCode, 403)
  t.equal((await first('https://tracker.example.org:8443')).statusCode, 403)
  const { statusCode, headers } = await first('https://tracker.example.org')
  t.equal(statusCode, 200)
  t.match(headers['set-cookie'], [
    /^__Host-tracker_session=\w+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    /^__Host-tracker_device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/
  ])
})

t.test('a session begins with a secret of its own, and the one that the browser had ends', async t => {
  const server = await start(t)
  const victim = await firstSignIn(server)
  const planted = victim.cookie
  const body = { email: 'admin@localhost', password: PASSWORD }
  const again = browser(server, planted)
  t.equal((await again.call('/v1/passwords/sign_in', { body })).statusCode, 200)
  t.not(again.cookie, planted)
  t.equal((await browser(server, planted).call('/v1/users/me')).statusCode, 401)

  const madeUp = browser(server, 'tracker_session=chosen-by-an-attacker')
  await madeUp.call('/v1/passwords/sign_in', { body })
  t.match(madeUp.cookie, /^tracker_session=trk_\w+$/)
})

t.test('"sign out" ends this session, "sign out everywhere" a stolen cookie, too; tokens stay', async t => {
  const server = await start(t)
  const own = await firstSignIn(server)
  const signIn = async () => {
    const other = browser(server)
    await other.call('/v1/passwords/sign_in', { body: { email: 'admin@localhost', password: PASSWORD } })
    return other
  }
  const [second, third] = [await signIn(), await signIn()]
  const stolen = browser(server, third.cookie)
  const former = second.cookie
  t.match((await second.call('/v1/session/sign_out', { body: {} })).headers, { 'set-cookie': /Max-Age=0/ })
  t.equal((await browser(server, former).call('/v1/users/me')).statusCode, 401)
  t.equal((await stolen.call('/v1/users/me')).statusCode, 200)

  t.match((await own.call('/v1/session/sign_out_everywhere', { body: {} })).json(), { sessions: 2 })
  t.equal((await stolen.call('/v1/users/me')).statusCode, 401)
  t.match((await stolen.call('/v1/session')).json(), { account: null, workspace: null })
  t.equal((await server.call('/v1/users/me')).statusCode, 200, 'the access token')
})

t.test('the event stream of a session ends when it is signed out', async t => {
  const server = await start(t)
  const own = await firstSignIn(server)
  const headers = { cookie: own.cookie, ...SAME_ORIGIN }
  const stream = await openStream(await listen(server), undefined, { headers })
  await own.call('/v1/session/sign_out', { body: {} })
  await stream.ended
  t.pass()
})

t.test('a removed account has no session from the next request on', async t => {
  const server = await shared.board()
  const { id, token } = await server.ok<{ id: string; token: string }>('/v1/users', {
    body: { email: 'ada@example.org', fullname: 'Ada' }
  })
  const ada = browser(server)
  await ada.call('/v1/passwords/first', { body: { token, password: PASSWORD } })
  t.equal((await ada.call('/v1/users/me')).statusCode, 200)
  await server.ok(`/v1/users/${id}`, { method: 'DELETE' })
  t.equal((await ada.call('/v1/users/me')).statusCode, 401)
  const again = await ada.call('/v1/passwords/sign_in', { body: { email: 'ada@example.org', password: PASSWORD } })
  t.equal(again.statusCode, 401)
})

t.test('a session ends 30 days after its last use', async t => {
  let time = Date.now()
  const server = await start(t, { now: () => new Date(time) })
  const own = await firstSignIn(server)
  const afterDays = async (days: number) => {
    time += days * 86_400_000
    const { statusCode } = await own.call('/v1/users/me')
    // The use is stored without the request waiting for it.
    await new Promise(resolve => setTimeout(resolve, 100))
    return statusCode
  }
  t.equal(await afterDays(29), 200)
  t.equal(await afterDays(29), 200)
  t.equal(await afterDays(31), 401)
})

t.test('agents have no sessions: their endpoints refuse cookies', async t => {
  const server = await shared.board()
  const own = await firstSignIn(server)
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  t.equal((await own.call('/v1/mcp', { body: list })).statusCode, 401)
  t.equal((await own.call('/v1/agent-hooks/stop?harness=codex', { body: {} })).statusCode, 401)
})

t.test('the secret of a session is no access token, and the other way round', async t => {
  const server = await shared.board()
  const own = await firstSignIn(server)
  const secret = own.cookie.split('=')[1]!
  t.equal((await server.call('/v1/users/me', { token: secret })).statusCode, 401)
  const asCookie = browser(server, `tracker_session=${server.token}`)
  t.equal((await asCookie.call('/v1/users/me')).statusCode, 401)
  const tokens = await server.ok<Array<{ name: string }>>('/v1/users/pats')
  t.notOk(
    tokens.some(({ name }) => name === 'Session'),
    'it is not among the tokens'
  )
})

t.test('what is done in a session is recorded as what is done with a token', async t => {
  const server = await shared.board()
  const own = await firstSignIn(server)
  const issue = await own.call('/v1/issues', { body: { teamId: 'ENG', title: 'By hand' } })
  t.equal(issue.statusCode, 201, issue.body)
  const { key } = issue.json<{ key: string }>()
  const comment = await own.call(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'Done.' } })
  t.equal(comment.statusCode, 201, comment.body)
})

t.test('below a prefix the cookie has a name of its own', async t => {
  const server = await start(t, { settings: { prefix: '/board' } })
  const own = await firstSignIn(server)
  t.match(own.cookie, /^tracker_session_[0-9a-f]{12}=/)
  t.equal((await own.call('/board/v1/users/me')).statusCode, 200)
})

t.test('an Authorization header wins over a cookie', async t => {
  const server = await shared.board()
  const { cookie } = await firstSignIn(server)
  const answer = await server.call('/v1/users/me', { token: 'nonsense', headers: { cookie, ...SAME_ORIGIN } })
  t.match(answer.json(), { statusCode: 401, code: 'TOKEN_INVALID' })
})
