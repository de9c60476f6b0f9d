import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { eventTypes } from '../core/api/points.ts'
import { newToken } from '../core/auth/tokens.ts'
import { browser, firstSignIn, PASSWORD, SAME_ORIGIN } from '../plugins/passwords/test/browser.ts'
import { testServer, type Call, type TestOptions, type TestServer } from './runner/harness.ts'
import { runInProcess } from './runner/run-in-process.ts'

const CLIENT = '203.0.113.7'
const docs = readFileSync(new URL('../docs/audit.md', import.meta.url), 'utf8')

type Line = Record<string, unknown> & { security?: string }
interface Account {
  id: string
  token: string
}

/** A server behind a proxy, its log, and requests of a client at `CLIENT`. */
async function start(options: TestOptions = {}) {
  const logLines: string[] = []
  const settings = { trustProxy: '127.0.0.1', ...options.settings }
  const server = await testServer({ ...options, settings, logLines })
  t.teardown(() => server.close())
  const lines = () => logLines.map(line => JSON.parse(line) as Line)
  const headers = { 'x-forwarded-for': CLIENT }
  return {
    server,
    logLines,
    lines,
    /** The security lines since `from`. */
    security: (from = 0) =>
      lines()
        .slice(from)
        .filter(({ security }) => security !== undefined),
    from: (path: string, call: Call = {}) => server.call(path, { ...call, headers: { ...headers, ...call.headers } })
  }
}
const typesOf = async (server: TestServer, token: string) =>
  (await server.ok<{ events: Array<{ type: string }> }>('/v1/events?limit=1000', { token })).events.map(e => e.type)

t.test('the line of a request says from where and from whom it came', async t => {
  const { server, from, lines, logLines } = await start({
    plugins: ['workspace', 'events', 'agents', 'issues', 'comments', 'mcp']
  })
  const agent = await server.agent('Ada')
  const { workspace } = await server.ok<{ workspace: { id: string } }>('/v1/users/me')
  const known = { address: CLIENT, accountId: agent.id, workspaceId: workspace.id, tokenId: String }
  logLines.length = 0
  await from('/v1/labels?code=hush&state=hush', { token: agent.token })
  await from(`/v1/labels?%63ode=hush&token=${agent.token}&password=hush&Client_Secret=hush`, { token: null })
  await from(`/v1/labels/${agent.token}`, { token: null })
  await from('/v1/users', { token: agent.token, body: { email: 'b@example.org', fullname: 'B' } })
  await from('/v1/session', { token: null })
  await from('/v1/mcp', {
    token: agent.token,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_tasks', arguments: {} } }
  })
  const requests = lines().filter(({ method }) => method !== undefined)
  t.match(requests.slice(0, 5), [
    { method: 'GET', url: '/v1/labels?code=…&state=…', statusCode: 200, responseTimeMs: Number, ...known },
    { url: '/v1/labels?%63ode=…&token=…&password=…&Client_Secret=…', statusCode: 401 },
    { url: '/v1/labels/trk_…', statusCode: 401 },
    { method: 'POST', url: '/v1/users', statusCode: 403, ...known },
    { url: '/v1/session', address: CLIENT }
  ])
  t.notOk('accountId' in requests[4]!, 'nobody is signed in')
  t.ok(requests.length > 6, 'the tool and what it requests')
  for (const line of requests.slice(5)) t.match(line, known, String(line['url']))
  t.notMatch(logLines.join(''), /hush|trk_[0-9A-Za-z]/)
})

t.test('signing in and out, and passwords, are lines and events for administrators only', async t => {
  const { server, from, security, logLines } = await start({ plugins: ['workspace', 'events', 'agents', 'passwords'] })
  const person = await server.ok<Account>('/v1/users', { body: { email: 'bea@example.org', fullname: 'Bea' } })
  const agent = await server.agent('Ada')
  const own = browser({ ...server, call: from } as TestServer)
  const email = 'bea@example.org'
  const body = { email, password: PASSWORD }
  const about = { accountId: person.id, address: CLIENT, workspaceId: String }

  const steps: Array<[string, object | undefined, object[]]> = [
    [
      'first',
      { token: person.token, password: PASSWORD },
      [
        { security: 'password.changed', how: 'first' },
        { security: 'session.started', method: 'token', tokenId: String }
      ]
    ],
    ['sign_out', undefined, [{ security: 'session.ended', sessions: 1 }]],
    ['sign_in', body, [{ security: 'session.started', method: 'password', tokenId: String }]],
    ['sign_in', { email, password: 'a guess' }, [{ security: 'sign_in.failed', reason: 'WRONG_PASSWORD', level: 40 }]],
    [
      '',
      { currentPassword: 'a guess', password: PASSWORD },
      [{ security: 'sign_in.failed', reason: 'WRONG_PASSWORD' }]
    ],
    [
      '',
      { currentPassword: PASSWORD, password: `${PASSWORD} 2` },
      [
        { security: 'password.changed', how: 'changed' },
        { security: 'session.ended', sessions: 1 },
        { security: 'session.started', method: 'password' }
      ]
    ],
    ['sign_out_everywhere', undefined, [{ security: 'session.ended' }]]
  ]
  for (const [step, sent = {}, expected] of steps) {
    const before = logLines.length
    await own.call(step.startsWith('sign_out') ? `/v1/session/${step}` : `/v1/passwords/${step}`.replace(/\/$/, ''), {
      method: 'POST',
      body: sent
    })
    const written = security(before)
    t.match(
      written,
      expected.map(line => ({ ...about, ...line })),
      step
    )
    t.equal(written.length, expected.length, step)
  }
  const secret = ['password.changed', 'session.started', 'session.ended', 'sign_in.failed']
  const loggedTypes = async (token: string) => (await typesOf(server, token)).filter(type => secret.includes(type))
  // The answer does not wait for the event of a refused attempt.
  while (new Set(await loggedTypes(server.token)).size < secret.length) await sleep(10)
  for (const { token } of [person, agent]) t.strictSame(await loggedTypes(token), [])
  t.notMatch(logLines.join(''), /bea@|horse|trk_/, 'no address of a known person, and no secret')
})

t.test('attempts that nobody can be named for are lines: what is typed is cut and cannot break them', async t => {
  const { server, from, security, logLines } = await start({ plugins: ['workspace', 'events', 'passwords'] })
  const before = (await typesOf(server, server.token)).length
  const guess = (email: string) =>
    from('/v1/passwords/sign_in', { token: null, headers: SAME_ORIGIN, body: { email, password: 'a guess' } })
  const forged = 'x@y\n{"security":"sign_in.failed","address":"198.51.100.1"}\u001b[2J\u202e\u009b'
  await guess(forged)
  await guess(`${'a'.repeat(300)}@example.org`)
  await guess('my password')
  await from('/v1/users/me', { token: newToken() })
  await from('/v1/passwords/first', {
    token: null,
    headers: SAME_ORIGIN,
    body: { token: newToken(), password: PASSWORD }
  })
  const failed = { security: 'sign_in.failed', address: CLIENT, level: 40 }
  const written = security()
  t.match(written.slice(-5), [
    { ...failed, reason: 'UNKNOWN_ADDRESS', email: /^x@y\\u\{a\}\{"security".*\\u\{1b\}\[2J\\u\{202e\}\\u\{9b\}$/ },
    { ...failed, reason: 'UNKNOWN_ADDRESS', email: /^a{100}…$/ },
    { ...failed, reason: 'UNKNOWN_ADDRESS', email: undefined },
    { security: 'token.refused', address: CLIENT, level: 40, reason: 'TOKEN_INVALID' },
    { ...failed, reason: 'TOKEN_INVALID', method: 'token' }
  ])
  t.notMatch(logLines.join(''), /my password|trk_/)
  t.notOk(logLines.some(line => line.includes('"address":"198.51.100.1"')))
  for (let n = 0; n < 50; n++) await from('/v1/users/me', { token: newToken() })
  t.ok(security().length <= written.length + 10, 'nobody fills the log from one address')
  t.equal((await typesOf(server, server.token)).length, before, 'nor the log of a workspace')
})

t.test('an attempt during a delay is a line, and no event', async t => {
  const { server, from, security } = await start({ plugins: ['workspace', 'events', 'passwords'] })
  await firstSignIn(server)
  const guess = () =>
    from('/v1/passwords/sign_in', {
      token: null,
      headers: SAME_ORIGIN,
      body: { email: 'admin@localhost', password: 'a guess' }
    })
  const codes: number[] = []
  for (let n = 0; n < 8; n++) codes.push((await guess()).statusCode)
  t.ok(codes.includes(401) && codes.includes(429))
  const { id: accountId } = await server.ok<{ id: string }>('/v1/users/me')
  t.match(security().at(-1), { security: 'sign_in.failed', reason: 'TOO_MANY_ATTEMPTS', accountId })
  const events = async () => (await typesOf(server, server.token)).filter(type => type === 'sign_in.failed').length
  const checked = codes.filter(code => code === 401).length
  while ((await events()) < checked) await sleep(10)
  await server.idle()
  t.equal(await events(), checked)
})

t.test('accounts, tokens, identities, hooks and workspaces that change are lines', async t => {
  const { server, security, logLines } = await start()
  const person = await server.ok<Account>('/v1/users', { body: { email: 'cas@example.org', fullname: 'Cas' } })
  const agent = await server.agent('Ada')
  await server.ok(`/v1/users/${person.id}`, { body: { role: 'ADMIN' } })
  await server.ok(`/v1/users/agents/${agent.id}/token`, { body: {} })
  const pat = await server.ok<Account>('/v1/users/pat', { body: { name: 'Script' } })
  await server.ok(`/v1/users/pats/${pat.id}`, { method: 'DELETE' })
  const identity = { accountId: person.id, issuer: 'https://login.example.org', subject: 'cas' }
  const { id } = await server.ok<Account>('/v1/oidc/identities', { body: identity })
  await server.ok(`/v1/oidc/identities/${id}`, { method: 'DELETE' })
  for (const [path, body] of [
    ['/v1/webhooks', { url: 'https://example.org/', active: false }],
    ['/v1/git/hooks', { repository: 'acme/app' }]
  ] as const) {
    const hook = await server.ok<Account>(path, { body })
    await server.ok(`${path}/${hook.id}/rotate_secret`, { method: 'POST' })
    await server.ok(`${path}/${hook.id}`, { method: 'DELETE' })
  }
  await server.ok(`/v1/users/${person.id}`, { method: 'DELETE' })
  const { id: accountId } = await server.ok<Account>('/v1/users/me')
  const byRequest = security().filter(({ origin }) => origin === 'rest')
  t.strictSame(
    byRequest.map(line => line.security),
    [
      ...['account.created', 'account.created', 'account.updated', 'account.token_rotated'],
      ...['token.created', 'token.revoked', 'identity.linked', 'identity.unlinked'],
      ...['webhook.created', 'webhook.updated', 'webhook.deleted'],
      ...['account.created', 'git_hook.created', 'git_hook.updated', 'git_hook.deleted', 'account.deleted']
    ]
  )
  for (const line of byRequest) t.match(line, { accountId, address: '127.0.0.1', tokenId: String, subjectId: String })

  const before = logLines.length
  await runInProcess(server, ['token', '--email', 'admin@localhost'])
  await runInProcess(server, ['password', '--email', 'admin@localhost'])
  await runInProcess(server, ['workspaces', 'add', 'Research'])
  await runInProcess(server, ['workspaces', 'remove', 'Research', '--yes'])
  const bySystem = { origin: 'system', address: null, accountId: null }
  t.match(security(before), [
    { security: 'token.created', ownerId: accountId, ...bySystem },
    { security: 'password.changed', how: 'command', ...bySystem },
    { security: 'workspace.created', ...bySystem },
    { security: 'workspace.removed', ...bySystem }
  ])
  t.notMatch(logLines.join(''), /cas@|trk_|acme/)
})

t.test('what is undone is no line', async t => {
  const { server, security } = await start({ plugins: ['workspace', 'events', 'agents'] })
  const body = { email: 'dee@example.org', fullname: 'Dee' }
  await server.ok('/v1/users', { body })
  const before = security().length
  t.equal((await server.call('/v1/users', { body })).statusCode, 409)
  t.equal(security().length, before)
})

t.test('the documented filter of fail2ban finds refusals in real lines, and nothing else', async t => {
  const { server, from, logLines } = await start({ plugins: ['workspace', 'events', 'passwords'] })
  const pattern = /^failregex = (.+)$/m.exec(docs)?.[1]
  const failregex = new RegExp(pattern!.replace('<HOST>', String.raw`(?<host>[\d.]+)`))
  await server.ok('/v1/users', { body: { email: 'eve@example.org', fullname: 'Eve' } })
  t.strictSame(
    logLines.filter(line => failregex.test(line)),
    []
  )
  await from('/v1/users/me', { token: newToken() })
  const email = '"security":"sign_in.failed","address":"198.51.100.1"@x'
  await from('/v1/passwords/sign_in', { token: null, headers: SAME_ORIGIN, body: { email, password: 'x' } })
  t.strictSame(
    logLines.flatMap(line => failregex.exec(line)?.groups?.['host'] ?? []),
    [CLIENT, CLIENT]
  )
})

t.test('the documentation lists what is logged', async t => {
  const { server } = await start()
  const logged = server.contributions(eventTypes).flatMap(({ item: { name, logged } }) => (logged ? [name] : []))
  const expected = [...logged, 'sign_in.failed', 'token.refused', 'workspace.removed'].toSorted()
  t.strictSame([...docs.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, name]) => name!).toSorted(), expected)
})
