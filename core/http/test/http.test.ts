import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { toApiError } from '../../api/errors.ts'
import { newToken } from '../../auth/tokens.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: ['workspace', 'agents', 'issues'], settings: { prefix: '/api' } })
})
t.teardown(() => server.close())

t.test('a missing, malformed, unknown, revoked or expired token is a 401 that says so', async t => {
  const { id, token } = await server.ok<{ id: string; token: string }>('/v1/users/pat', { body: { name: 'to revoke' } })
  await server.ok(`/v1/users/pats/${id}`, { method: 'DELETE' })
  for (const [sent, code] of [
    [null, 'TOKEN_MISSING'],
    ['nonsense', 'TOKEN_INVALID'],
    [newToken(), 'TOKEN_INVALID'],
    [token, 'TOKEN_INVALID']
  ] as const) {
    const answer = await server.call('/v1/users/me', { token: sent })
    t.equal(answer.statusCode, 401)
    t.match(answer.headers['www-authenticate'], /^Bearer/)
    t.match(answer.json(), { statusCode: 401, error: 'Unauthorized', code, message: String })
  }
})

t.test('the limit of a body is named in a unit that fits it', async t => {
  const error = Object.assign(new Error('too large'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' })
  t.match(toApiError(error), { statusCode: 413, message: /at most 8 MiB/ })
  t.match(toApiError(error, 32 * 1024), { statusCode: 413, message: /at most 32 KiB/ })
})

t.test('a scope that lacks is named; so is the administrator', async t => {
  const reader = await server.agent('Reader', ['read'])
  for (const [call, scope] of [
    [{ body: { teamId: 'ENG', title: 'x' } }, 'write'],
    [{ method: 'DELETE' }, 'delete']
  ] as const) {
    const answer = await server.call(scope === 'write' ? '/v1/issues' : '/v1/issues/ENG-1', {
      token: reader.token,
      ...call
    })
    t.equal(answer.statusCode, 403)
    t.match(answer.json(), { code: 'SCOPE_REQUIRED', requiredScope: scope, message: new RegExp(`'${scope}'`) })
    t.equal(answer.headers['www-authenticate'], `Bearer error="insufficient_scope", scope="${scope}"`)
  }
  const writer = await server.agent('Writer')
  t.match((await server.call('/v1/users/agents', { token: writer.token, body: { name: 'x' } })).json(), {
    statusCode: 403,
    code: 'ADMIN_REQUIRED'
  })
})

t.test('bad requests are answered in one shape, and nothing of the inside leaves', async t => {
  for (const [path, call, status, code] of [
    ['/v1/nothing', {}, 404, 'NOT_FOUND'],
    ['/v1/issues', { body: '{' }, 400, 'VALIDATION'],
    ['/v1/issues', { body: Buffer.from([0x7b, 0xff, 0x7d]) }, 400, 'VALIDATION'],
    ['/v1/issues', { body: '[]' }, 400, 'VALIDATION'],
    ['/v1/issues', { body: '{"__proto__": {"x": 1}}' }, 400, 'VALIDATION'],
    ['/v1/issues', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['/v1/issues', { body: ' '.repeat(9 * 1024 * 1024) }, 413, 'TOO_LARGE'],
    ['/v1/issues/%00', {}, 400, 'VALIDATION'],
    ['/v1/issues/%zz', {}, 400, 'VALIDATION'],
    ['/v1/users/not-a-uuid', { body: {} }, 400, 'VALIDATION'],
    ['/v1/issues', { body: '['.repeat(100_000) }, 400, 'VALIDATION']
  ] as const) {
    const answer = await server.call(path, call)
    t.equal(answer.statusCode, status, `${path}: ${answer.body.slice(0, 200)}`)
    t.match(answer.json(), { statusCode: status, code, message: String, error: String })
    t.notMatch(answer.body, /node_modules|at \w+ \(|select |\/core\//)
  }
})

t.test('a time that could not be answered is refused', async t => {
  const make = (expiresAt: string) => server.call('/v1/users/pat', { body: { name: 'Long', expiresAt } })
  for (const time of [
    '9999-12-31T23:59:59-23:59',
    '0001-01-01T00:00:00+23:59',
    '2099-12-31T23:59:60Z',
    '2099-02-30T00:00:00Z',
    '2099-13-01T00:00:00Z',
    '2099-01-01T25:00:00Z',
    '2099-01-01T00:00:00',
    '2099-01-01'
  ]) {
    t.match((await make(time)).json(), { statusCode: 400, code: 'VALIDATION', field: 'expiresAt' }, time)
  }
  for (const [time, expiresAt] of [
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2099-02-28t23:30:00+02:00', '2099-02-28T21:30:00.000Z'],
    ['2096-02-29 12:00:00.5z', '2096-02-29T12:00:00.500Z']
  ] as const) {
    t.match((await make(time)).json(), { expiresAt }, time)
  }
  t.equal((await server.call('/v1/users/pats')).statusCode, 200)
})

t.test('a request id that is sane is kept, any other replaced', async t => {
  const idOf = async (id: string) =>
    (await server.call('/health/live', { headers: { 'x-request-id': id } })).headers['x-request-id']
  t.equal(await idOf('abc-123'), 'abc-123')
  t.not(await idOf('no spaces, please'), 'no spaces, please')
  t.match((await server.call('/v1/nothing')).headers['x-request-id'], /^[0-9a-f-]{36}$/)
})

t.test('a proxy prefix is stripped, and need not be there', async t => {
  t.equal((await server.call('/api/v1/users/me')).statusCode, 200)
  t.equal((await server.call('/v1/users/me')).statusCode, 200)
  t.equal((await server.call('/apiv1/users/me')).statusCode, 404)
})

t.test('health, metrics, the document and its pages need no token', async t => {
  for (const path of ['/health/live', '/health/ready', '/metrics', '/openapi.json', '/docs/']) {
    t.equal((await server.call(path, { token: null })).statusCode, 200, path)
  }
  t.match(
    (await server.call('/metrics', { token: null })).body,
    /http_request_duration_seconds_bucket\{.*route="\/v1\/users\/me"/
  )
})

t.test('the pages of /docs work over plain HTTP, and keep no token in the browser', async t => {
  for (const path of ['/docs/', '/docs/static/swagger-ui-bundle.js']) {
    const answer = await server.call(path, { token: null })
    t.equal(answer.statusCode, 200, path)
    const policy = String(answer.headers['content-security-policy'])
    t.match(policy, /default-src 'self'/, path)
    t.notMatch(policy, /upgrade-insecure-requests/, path)
  }
  const initializer = await server.call('/docs/static/swagger-initializer.js', { token: null })
  t.notMatch(initializer.body, /"?persistAuthorization"?:\s*true/)
})

t.test('metrics, the document and its pages can be closed: then they need a token', async t => {
  const closed = await testServer({
    plugins: ['workspace', 'agents'],
    settings: { publicDocs: false, publicMetrics: false }
  })
  t.teardown(() => closed.close())
  const reader = await closed.agent('Reader', ['read'])
  for (const path of ['/metrics', '/openapi.json', '/docs/', '/docs/static/swagger-ui-bundle.js']) {
    t.match((await closed.call(path, { token: null })).json(), { statusCode: 401, code: 'TOKEN_MISSING' }, path)
    t.equal((await closed.call(path, { token: reader.token })).statusCode, 200, path)
  }
  t.equal((await closed.call('/health/ready', { token: null })).statusCode, 200)
})

t.test('an overloaded server answers with 503 and Retry-After instead of queueing', async t => {
  const lagging = await testServer({ plugins: ['workspace'], settings: { maxEventLoopDelay: 500 } })
  t.teardown(() => lagging.close())
  const status = async () => (await lagging.call('/v1/users/me')).statusCode
  const recovered = async () => {
    while ((await status()) === 503) await sleep(100)
    return status()
  }
  t.equal(await recovered(), 200, 'what the start itself delayed is over')
  for (let times = 0; times < 3; times++) {
    for (const end = Date.now() + 1_500; Date.now() < end;);
    await sleep(0)
  }
  const answer = await lagging.call('/v1/users/me')
  t.match(answer, { statusCode: 503, headers: { 'retry-after': '2' } })
  t.match(answer.json(), { code: 'OVERLOADED' })
  t.equal(await recovered(), 200, 'and is there again')
})

t.test('a body that is no JSON is refused with the place, and one with __proto__ with its key', async t => {
  const send = (body: string) =>
    server.app.inject({
      method: 'POST',
      url: '/v1/issues',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body
    })
  const broken = await send('{"teamId": "ENG", "title": }')
  t.match(broken.json(), {
    statusCode: 400,
    code: 'VALIDATION',
    message: /^The body is not valid JSON: Unexpected token '}', .*"title": }/
  })
  const hostile = await send('{"teamId": "ENG", "__proto__": {"role": "ADMIN"}}')
  t.match(hostile.json(), { statusCode: 400, message: /^The body has the key __proto__/ })
})
