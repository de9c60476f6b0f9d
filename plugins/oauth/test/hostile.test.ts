import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { makeAgent } from '../../../core/api/http.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { fetchDocument } from '../clients/documents.ts'
import { isRedirect, isRegistered } from '../clients/redirects.ts'
import {
  approved,
  begin,
  connected,
  consent,
  exchange,
  ISSUER,
  mcp,
  plugins,
  REDIRECT,
  refresh,
  register,
  sendForm,
  type Tokens
} from './client.ts'

let clock = Date.now()
let server: TestServer
/** The documents of clients, by address. */
const documents = new Map<string, string>()
t.before(async () => {
  server = await testServer({
    plugins,
    now: () => new Date(clock),
    settings: { plugins: { mcp: { rateLimit: 0 }, oauth: { registrationsPerHour: 1000 } } },
    fakes: {
      'oauth/documentFetcher': {
        async fetch(url: string) {
          const text = documents.get(url)
          if (text === undefined) throw new Error('The address answered 404, instead of a document.')
          return text
        }
      }
    }
  })
})
t.teardown(() => server.close())

const readConsent = (query: string) => server.call(`/v1/oauth/consent?query=${encodeURIComponent(query)}`)

t.test('a code is used once: its repetition ends the connection', async t => {
  const { flow, code, tokens, clientId } = await connected(server, { newAgent: 'Replayed' })
  t.equal((await mcp(server, tokens.access_token)).statusCode, 200)
  t.match((await exchange(server, flow, code)).json(), { error: 'invalid_grant' })
  t.equal((await mcp(server, tokens.access_token)).statusCode, 401)
  t.match((await refresh(server, clientId, tokens.refresh_token)).json(), { error: 'invalid_grant' })
  const { events } = await server.ok<{ events: Array<{ data: { reason: string } }> }>('/v1/events?types=grant.revoked')
  t.match(events.at(-1), { data: { reason: 'CODE_REUSED' } })
})

t.test('a code is of use only to the client, the redirect URI and the verifier of its request', async t => {
  const other = await register(server)
  const wrong: Array<Record<string, string>> = [
    { client_id: other },
    { redirect_uri: 'http://127.0.0.1:1/callback' },
    { code_verifier: 'x'.repeat(43) },
    { code_verifier: 'short' }
  ]
  for (const more of wrong) {
    const flow = begin(await register(server))
    const code = await approved(server, flow, { newAgent: 'Bound' })
    const refused = await exchange(server, flow, code, more)
    t.match(refused.json(), { error: 'invalid_grant' }, JSON.stringify(more))
    t.equal(refused.statusCode, 400)
    t.match((await exchange(server, flow, code)).json(), { error: 'invalid_grant' }, 'there is no second guess')
  }
  const flow = begin(await register(server))
  const late = await approved(server, flow, { newAgent: 'Late' })
  clock += 61_000
  t.match((await exchange(server, flow, late)).json(), { error: 'invalid_grant' }, 'and for one minute')
  t.match((await exchange(server, flow, 'nonsense')).json(), { error: 'invalid_grant' })
  const { clientId, tokens } = await connected(server, { newAgent: 'Of another' })
  t.match((await refresh(server, other, tokens.refresh_token)).json(), { error: 'invalid_grant' })
  t.equal((await refresh(server, clientId, tokens.refresh_token)).statusCode, 200)
})

t.test('PKCE with S256 cannot be left out or weakened', async t => {
  const clientId = await register(server)
  for (const more of [
    { code_challenge: undefined },
    { code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge: 'short' },
    { code_challenge: undefined, code_challenge_method: undefined }
  ]) {
    const { query } = begin(clientId, more)
    t.equal((await readConsent(query)).statusCode, 400, JSON.stringify(more))
    t.equal((await consent(server, { query }, { newAgent: 'X', scopes: ['read'] })).statusCode, 400)
  }
  const flow = begin(clientId)
  const code = await approved(server, flow, { newAgent: 'Without verifier' })
  const { verifier: _, ...rest } = flow
  const form = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: rest.redirectUri }
  t.match((await sendForm(server, '/v1/oauth/token', form)).json(), { error: 'invalid_request' })
  const challenge = createHash('sha256').update(flow.verifier).digest('base64url')
  const plain = await sendForm(server, '/v1/oauth/token', { ...form, code_verifier: challenge })
  t.match(plain.json(), { error: 'invalid_grant' }, 'the challenge itself is no verifier')
})

t.test('a code is sent to registered addresses only, and nothing is redirected before', async t => {
  const clientId = await register(server)
  for (const uri of [
    'https://evil.example/callback',
    'http://127.0.0.1:45923/callback/../other',
    'http://127.0.0.1:45923/callback?more=1',
    'http://127.0.0.1:45923/callback#fragment',
    'http://localhost:45923/callback',
    'http://127.0.0.1.evil.example:45923/callback',
    'http://127.0.0.1:45923@evil.example/callback',
    'http://user@127.0.0.1:45923/callback',
    'https://127.0.0.1:45923/callback',
    'javascript:alert(1)',
    '//evil.example/callback'
  ]) {
    const answer = await readConsent(begin(clientId, { redirect_uri: uri }).query)
    t.match(answer.json(), { statusCode: 400, message: /nothing was sent/ }, uri)
    t.notOk('location' in answer.headers)
  }
  t.equal((await readConsent(begin(clientId, { redirect_uri: undefined }).query)).statusCode, 400)
  t.equal(
    (await readConsent(begin(clientId, { redirect_uri: 'http://127.0.0.1:9/callback' }).query)).statusCode,
    200,
    'any port'
  )
  t.equal((await readConsent(begin('00000000-0000-7000-8000-000000000000').query)).statusCode, 400, 'an unknown client')
  t.equal(
    (await readConsent(`${begin(clientId).query}&redirect_uri=${encodeURIComponent(REDIRECT)}`)).statusCode,
    400,
    'twice'
  )
  const more = { response_type: 'token' }
  t.equal((await readConsent(begin(clientId, more).query)).statusCode, 400, 'no token in an address')
  t.equal((await readConsent(begin(clientId, { response_mode: 'fragment' }).query)).statusCode, 400)

  t.equal(isRegistered(['http://localhost/callback'], 'http://localhost:1234/callback'), true, 'Claude Code')
  t.equal(isRegistered(['http://[::1]/callback'], 'http://[::1]:1234/callback'), true)
  t.equal(
    isRegistered(['https://app.example/callback'], 'https://app.example:8443/callback'),
    false,
    'only on loopback'
  )
  for (const uri of [
    'https://a\tb.example/',
    'https://a.example\\@b.example/',
    'https://ex\u0430mple.org/',
    'cursor://x/'
  ]) {
    t.equal(isRedirect(uri), false, uri)
  }
})

t.test('clients cannot be registered with addresses to which a code must not go', async t => {
  for (const uri of [
    'http://evil.example/callback',
    'http://10.0.0.1/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://user:password@evil.example/',
    'https://evil.example/#fragment',
    'not an address'
  ]) {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/v1/oauth/register',
      payload: { redirect_uris: [REDIRECT, uri] }
    })
    t.match(answer.json(), { error: 'invalid_redirect_uri' }, uri)
    t.equal(answer.statusCode, 400)
  }
  for (const payload of [{}, { redirect_uris: [] }, { redirect_uris: [1] }, { redirect_uris: REDIRECT }, []]) {
    const answer = await server.app.inject({ method: 'POST', url: '/v1/oauth/register', payload })
    t.match(answer.json(), { error: 'invalid_client_metadata' }, JSON.stringify(payload))
  }
  const answer = await server.app.inject({
    method: 'POST',
    url: '/v1/oauth/register',
    payload: {
      client_name: 'An\u202e evil\nname',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'read fly offline_access'
    }
  })
  t.match(answer.json(), {
    client_name: 'An evil name',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    scope: 'read'
  })
  t.notOk('client_secret' in answer.json<object>())
})

t.test('a token for another resource is refused', async t => {
  const clientId = await register(server)
  for (const resource of ['https://other.example/v1/mcp', `${ISSUER}/v1/other`, `${ISSUER}.evil.example/v1/mcp`]) {
    t.equal((await readConsent(begin(clientId, { resource }).query)).statusCode, 400, resource)
    const flow = begin(clientId)
    const code = await approved(server, flow, { newAgent: 'Elsewhere' })
    t.match((await exchange(server, flow, code, { resource })).json(), { error: 'invalid_target' })
  }
  for (const resource of [undefined, `${ISSUER}/v1/mcp?tools=core`, `${ISSUER}/v1/mcp/`]) {
    t.equal((await readConsent(begin(clientId, { resource }).query)).statusCode, 200, String(resource))
  }
})

t.test('the endpoints take forms, and each parameter once', async t => {
  const json = await server.app.inject({ method: 'POST', url: '/v1/oauth/token', payload: { grant_type: 'x' } })
  t.match(json.json(), { error: 'invalid_request' })
  const clientId = await register(server)
  for (const form of ['', 'grant_type=refresh_token', `client_id=${clientId}`]) {
    const answer = await sendForm(server, '/v1/oauth/token', form)
    t.match(answer.json(), { error: 'invalid_request', error_description: /is missing/ }, form)
  }
  const twice = await sendForm(server, '/v1/oauth/token', `client_id=${clientId}&client_id=${clientId}`)
  t.match(twice.json(), { error: 'invalid_request', error_description: /repeated/ })
  for (const type of ['password', 'client_credentials', 'implicit']) {
    const answer = await sendForm(server, '/v1/oauth/token', { grant_type: type, client_id: clientId })
    t.match(answer.json(), { error: 'unsupported_grant_type' })
  }
  for (const unknown of ['x', '00000000-0000-7000-8000-000000000000', 'http://evil.example/client.json']) {
    const answer = await refresh(server, unknown, 'x')
    t.equal(answer.statusCode, 401, 'so that clients register again')
    t.match(answer.json(), { error: 'invalid_client' })
  }
  const large = await sendForm(server, '/v1/oauth/token', `x=${'x'.repeat(40_000)}`)
  t.equal(large.statusCode, 413)
  const preflight = await server.app.inject({ method: 'OPTIONS', url: '/v1/oauth/token' })
  t.match(preflight.headers, { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST' })
  t.notOk('access-control-allow-credentials' in preflight.headers)
})

t.test('registrations are limited by network and in number, and unused clients expire', async t => {
  const own = await testServer({
    plugins,
    now: () => new Date(clock),
    settings: { trustProxy: '127.0.0.1', plugins: { oauth: { registrationsPerHour: 3, maxUnusedClients: 5 } } }
  })
  t.teardown(() => own.close())
  const from = (address: string) =>
    own.app.inject({
      method: 'POST',
      url: '/v1/oauth/register',
      headers: { 'x-forwarded-for': address },
      payload: { redirect_uris: [REDIRECT] }
    })
  const many = await Promise.all(Array.from({ length: 5 }, () => from('198.51.100.7')))
  t.same(many.map(({ statusCode }) => statusCode).toSorted(), [201, 201, 201, 429, 429], 'also at the same time')
  const refused = await from('198.51.100.8')
  t.match(refused.json(), { error: 'temporarily_unavailable' }, 'the network counts')
  t.equal(refused.headers['retry-after'], '3600')
  t.equal((await from('192.0.2.1')).statusCode, 201)
  t.equal((await from('203.0.113.1')).statusCode, 201)
  t.equal((await from('203.0.114.1')).statusCode, 429, 'more than that nobody stores')
  const { client_id: id } = many.find(({ statusCode }) => statusCode === 201)!.json<{ client_id: string }>()
  const query = encodeURIComponent(begin(id).query)
  t.equal((await own.call(`/v1/oauth/consent?query=${query}`)).statusCode, 200)
  clock += 25 * 3_600_000
  t.equal((await own.call(`/v1/oauth/consent?query=${query}`)).statusCode, 400, 'an unused client lives a day')
  await own.jobs.enqueue(own.database.db, 'oauth.removeExpired', [{}])
  await own.idle()
  t.equal((await from('203.0.114.1')).statusCode, 201)
})

t.test('a server that registers no clients says so, and is not asked', async t => {
  const own = await testServer({ plugins, settings: { plugins: { oauth: { registrationsPerHour: 0 } } } })
  t.teardown(() => own.close())
  const refused = await own.call('/v1/oauth/register', { token: null, body: { redirect_uris: [REDIRECT] } })
  t.match(refused, { statusCode: 403, headers: { 'retry-after': undefined } })
  t.match(refused.json(), { error: 'access_denied', error_description: /registers no clients/ })
  const metadata = await own.ok<object>('/.well-known/oauth-authorization-server', { token: null })
  t.notOk('registration_endpoint' in metadata)
})

const CLAUDE = 'https://claude.ai/oauth/mcp-oauth-client-metadata'
const CHATGPT = 'https://chatgpt.com/oauth/1234/client.json'

t.test('claude.ai and ChatGPT connect with their documents', async t => {
  documents.set(
    CLAUDE,
    JSON.stringify({
      client_id: CLAUDE,
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'none'
    })
  )
  documents.set(
    CHATGPT,
    JSON.stringify({
      client_id: CHATGPT,
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/1234'],
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['authorization_code', 'refresh_token']
    })
  )
  // claude.ai sends a scope with a space before it; ChatGPT omits the scope when it reconnects.
  for (const [id, redirectUri, scope, host] of [
    [CLAUDE, 'https://claude.com/api/mcp/auth_callback', ' offline_access', 'claude.com'],
    [CHATGPT, 'https://chatgpt.com/connector/oauth/1234', undefined, 'chatgpt.com']
  ] as const) {
    const flow = begin(id, { redirect_uri: redirectUri, scope })
    const shown = (await readConsent(flow.query)).json()
    t.match(shown, { client: { isProven: true }, redirectHost: host, scopes: [{ isSelected: true }, {}, {}] })
    const code = await approved(server, flow, { newAgent: host })
    const { refresh_token: token } = (await exchange(server, flow, code)).json<Tokens>()
    t.match((await refresh(server, id, token)).json(), { scope: 'read write' })
  }
})

t.test('claude.ai registers where documents are off, and obeys the answer', async t => {
  const own = await testServer({ plugins, settings: { plugins: { oauth: { clientMetadataDocuments: false } } } })
  t.teardown(() => own.close())
  t.match((await own.app.inject('/.well-known/oauth-authorization-server')).json(), {
    client_id_metadata_document_supported: false
  })
  t.equal((await own.call(`/v1/oauth/consent?query=${encodeURIComponent(begin(CLAUDE).query)}`)).statusCode, 400)
  const redirectUri = 'https://claude.ai/api/mcp/auth_callback'
  const id = await register(own, { redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_post' })
  const flow = begin(id, { redirect_uri: redirectUri })
  t.equal((await exchange(own, flow, await approved(own, flow))).statusCode, 200)
})

t.test('a program on the machine cannot pass for a client with a document', async t => {
  const id = 'https://claude.ai/oauth/claude-code-client-metadata'
  documents.set(
    id,
    JSON.stringify({ client_id: id, client_name: 'Claude Code', redirect_uris: ['http://localhost/callback'] })
  )
  const flow = begin(id, { redirect_uri: 'http://localhost:51234/callback' })
  t.match((await readConsent(flow.query)).json(), { client: { name: 'Claude Code', isProven: false } })
})

t.test("a document that is not the client's own is refused", async t => {
  const wrong: Record<string, string> = {
    'https://evil.example/other.json': JSON.stringify({ client_id: CLAUDE, redirect_uris: [REDIRECT] }),
    'https://evil.example/text.json': 'not JSON',
    'https://evil.example/none.json': JSON.stringify({ client_id: 'https://evil.example/none.json' })
  }
  for (const [address, text] of Object.entries(wrong)) {
    documents.set(address, text)
    t.match((await readConsent(begin(address).query)).json(), { statusCode: 400, message: /document at/ }, address)
  }
  for (const address of [
    'http://evil.example/client.json',
    'https://evil.example',
    'https://evil.example/',
    'https://evil.example/a/../client.json',
    'https://EVIL.example/client.json',
    'https://user@evil.example/client.json',
    'https://evil.example/client.json#x'
  ]) {
    t.match((await readConsent(begin(address).query)).json(), { statusCode: 400, message: /unknown here/ }, address)
  }
})

t.test('documents are not fetched from private addresses, nor large ones, nor elsewhere', async t => {
  const real = await testServer({ plugins })
  t.teardown(() => real.close())
  for (const address of [
    'https://127.0.0.1/client.json',
    'https://localhost/c.json',
    'https://169.254.169.254/latest/m'
  ]) {
    const answer = await real.call(`/v1/oauth/consent?query=${encodeURIComponent(begin(address).query)}`)
    t.match(answer.json(), { statusCode: 400, message: /private address/ }, address)
  }
  const site = createServer((request, response) => {
    const type = { 'content-type': 'application/json' }
    if (request.url === '/large') response.writeHead(200, type).end(' '.repeat(6 * 1024))
    else if (request.url === '/moved') response.writeHead(302, { location: '/good' }).end()
    else if (request.url === '/html') response.writeHead(200, { 'content-type': 'text/html' }).end('{}')
    else if (request.url === '/good') response.writeHead(200, type).end('{}')
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  const agent = await makeAgent(true, 'a setting')
  t.teardown(async () => {
    await agent.destroy()
    site.closeAllConnections()
    site.close()
  })
  const at = (path: string) => fetchDocument(agent, `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`)
  t.equal(await at('/good'), '{}')
  await t.rejects(at('/large'), /larger than 5 KiB/)
  await t.rejects(at('/moved'), /answered 302/)
  await t.rejects(at('/html'), /something else than JSON/)
  await t.rejects(at('/slow'), /timeout/)
})
