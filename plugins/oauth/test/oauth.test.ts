import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import {
  approved,
  begin,
  connected,
  consent,
  exchange,
  ISSUER,
  mcp,
  plugins,
  refresh,
  register,
  sendForm,
  toolsOf,
  type Tokens
} from './client.ts'

let clock = Date.now()
const HOUR = 3_600_000
let server: TestServer
t.before(async () => {
  server = await testServer({ plugins, now: () => new Date(clock), settings: { plugins: { mcp: { rateLimit: 0 } } } })
})
t.teardown(() => server.close())

interface Grant {
  id: string
  client: { name: string }
  agent: { id: string; fullname: string }
  person: { fullname: string }
  scopes: string[]
  lastUsedAt: string | null
}
const grants = (token?: string) => server.ok<Grant[]>('/v1/oauth/grants', token === undefined ? {} : { token })
const member = (name: string) =>
  server.ok<{ id: string; token: string }>('/v1/users', { body: { email: `${name}@example.org`, fullname: name } })
async function events(type: string) {
  const { events } = await server.ok<{ events: Array<{ type: string; data: Record<string, unknown> }> }>(
    `/v1/events?types=${type}&limit=200`
  )
  return events.filter(event => event.type === type).map(({ data }) => data)
}

t.test('a client finds its way with the address of the endpoint alone', async t => {
  for (const method of ['POST', 'GET'] as const) {
    const refused = await server.call('/v1/mcp', { token: null, method, ...(method === 'POST' && { body: {} }) })
    t.equal(refused.statusCode, 401)
    t.equal(
      refused.headers['www-authenticate'],
      `Bearer resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/v1/mcp", scope="read write"`
    )
  }
  for (const path of ['/.well-known/oauth-protected-resource/v1/mcp', '/.well-known/oauth-protected-resource']) {
    t.match((await server.app.inject(path)).json(), {
      resource: `${ISSUER}/v1/mcp`,
      authorization_servers: [ISSUER],
      scopes_supported: ['read', 'write', 'delete']
    })
  }
  const metadata = (await server.app.inject('/.well-known/oauth-authorization-server')).json<Record<string, unknown>>()
  t.match(metadata, {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/v1/oauth/token`,
    registration_endpoint: `${ISSUER}/v1/oauth/register`,
    revocation_endpoint: `${ISSUER}/v1/oauth/revoke`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true
  })
  t.notMatch(metadata, { scopes_supported: ['offline_access'] })

  const clientId = await register(server)
  const flow = begin(clientId)
  const page = await server.app.inject({ url: `/authorize?${flow.query}`, headers: { accept: 'text/html' } })
  t.equal(page.statusCode, 200)
  t.match(page.headers['content-security-policy'], /frame-ancestors 'none'/, 'the page cannot be framed')

  const query = encodeURIComponent(flow.query)
  t.match(await server.ok(`/v1/oauth/consent?query=${query}`), {
    client: { name: 'Codex', isProven: false },
    redirectHost: '127.0.0.1:45923',
    scopes: [
      { name: 'read', isSelected: true },
      { name: 'write', isSelected: true },
      { name: 'delete', isSelected: false }
    ],
    mayCreateAgent: true
  })
  const answer = await consent(server, flow, { newAgent: 'Codex', scopes: ['read', 'write'] })
  const to = new URL(answer.json<{ redirectTo: string }>().redirectTo)
  t.equal(to.origin + to.pathname, flow.redirectUri)
  t.equal(to.searchParams.get('state'), 'a state')
  t.equal(to.searchParams.get('iss'), ISSUER, 'the answer names the server, against mix-up')

  const granted = await exchange(server, flow, to.searchParams.get('code')!)
  t.equal(granted.headers['cache-control'], 'no-store')
  const tokens = granted.json<Tokens>()
  t.match(tokens, { token_type: 'Bearer', expires_in: 3600, scope: 'read write', access_token: /^trk_/ })

  const listed = await mcp(server, tokens.access_token)
  t.equal(listed.statusCode, 200)
  t.ok(toolsOf(listed).includes('create_task'))
  const created = await mcp(server, tokens.access_token, 'tools/call', {
    name: 'create_task',
    arguments: {
      title: 'From a client',
      description: 'A tool makes an issue on behalf of its client.\n\n- [ ] it is there',
      team: 'ENG'
    }
  })
  t.match(created.json(), { result: { content: [{ text: /"key": ?"ENG-/ }] } }, 'its tools reach REST')
  const [grant] = await grants()
  t.match(grant, { client: { name: 'Codex' }, agent: { fullname: 'Codex' }, scopes: ['read', 'write'] })
})

t.test('a token is accepted at the endpoint alone, and never while the plugin is off', async t => {
  const { tokens } = await connected(server, { newAgent: 'Confined' })
  const refused = await server.call('/v1/users/me', { token: tokens.access_token })
  t.equal(refused.statusCode, 401)
  t.match(refused.json(), { code: 'TOKEN_INVALID' })
  t.equal((await server.call('/v1/issues', { token: tokens.access_token, body: {} })).statusCode, 401)
  t.equal((await mcp(server, tokens.refresh_token)).statusCode, 401, 'nor is a refresh token one for access')

  const without = await testServer({ on: server, plugins: plugins.filter(name => name !== 'oauth') })
  t.teardown(() => without.close())
  const off = await mcp(without, tokens.access_token)
  t.equal(off.statusCode, 401)
  t.equal(off.headers['www-authenticate'], 'Bearer')
  for (const path of ['/.well-known/oauth-protected-resource/v1/mcp', '/.well-known/oauth-authorization-server']) {
    t.equal((await without.app.inject(path)).statusCode, 404)
  }
})

t.test('a token has the granted scopes, as far as the agent has them', async t => {
  const agent = await server.agent('Narrow', ['read', 'write', 'delete'])
  const { tokens } = await connected(server, { newAgent: undefined, agentId: agent.id, scopes: ['read', 'write'] })
  t.notOk(toolsOf(await mcp(server, tokens.access_token)).includes('delete_task'))
  t.ok(toolsOf(await mcp(server, tokens.access_token)).includes('create_task'))
  await server.ok(`/v1/users/agents/${agent.id}`, { body: { scopes: ['read'] } })
  t.notOk(toolsOf(await mcp(server, tokens.access_token)).includes('create_task'), 'at once')
  const call = { name: 'create_task', arguments: { title: 'Not allowed' } }
  const refused = await mcp(server, tokens.access_token, 'tools/call', call)
  t.equal(refused.statusCode, 200, 'a missing scope is an error of the tool: clients would authorize again')

  const flow = begin(await register(server))
  const more = await consent(server, flow, { agentId: agent.id, scopes: ['read', 'write'] })
  t.match(more.json(), { statusCode: 400, message: /'Narrow' does not have the scope 'write'/ })
  t.equal((await consent(server, flow, { newAgent: 'X', scopes: ['write'] })).statusCode, 400, 'read is needed')
  t.equal((await consent(server, flow, { newAgent: 'X', scopes: ['read', 'fly'] })).statusCode, 400)
})

t.test('members connect clients as the agents that administrators let them use', async t => {
  const [agent, other] = [await server.agent('Shared'), await server.agent('Private')]
  const [ann, bob] = [await member('Ann'), await member('Bob')]
  const flow = begin(await register(server))
  const path = `/v1/oauth/consent?query=${encodeURIComponent(flow.query)}`
  t.match(await server.ok(path, { token: ann.token }), { agents: [], mayCreateAgent: false })
  for (const body of [{ agentId: agent.id }, { newAgent: 'Own' }]) {
    t.equal((await consent(server, flow, { ...body, scopes: ['read'] }, ann.token)).statusCode, 403)
  }
  const set = { body: { connectableBy: [ann.id, bob.id] } }
  t.equal((await server.call(`/v1/oauth/agents/${agent.id}`, { ...set, token: ann.token })).statusCode, 403)
  await server.ok(`/v1/oauth/agents/${agent.id}`, set)
  t.match(await server.ok('/v1/oauth/agents'), [{ agentId: agent.id, connectableBy: [ann.id, bob.id].toSorted() }])
  t.match(await server.ok(path, { token: ann.token }), { agents: [{ id: agent.id }] })
  t.equal((await consent(server, flow, { agentId: other.id, scopes: ['read'] }, ann.token)).statusCode, 403)
  const as = { newAgent: undefined, agentId: agent.id, scopes: ['read'] }
  const [byAnn, byBob] = [await connected(server, as, ann.token), await connected(server, as, bob.token)]
  t.match(await grants(ann.token), [{ person: { fullname: 'Ann' } }])
  t.equal((await grants(ann.token)).length, 1, 'a member sees their own connections')

  const [ofBob] = await grants(bob.token)
  const foreign = await server.call(`/v1/oauth/grants/${ofBob!.id}`, { method: 'DELETE', token: ann.token })
  t.equal(foreign.statusCode, 404)
  t.equal((await mcp(server, byBob.tokens.access_token)).statusCode, 200)

  await server.ok(`/v1/oauth/agents/${agent.id}`, { body: { connectableBy: [bob.id] } })
  t.equal((await mcp(server, byAnn.tokens.access_token)).statusCode, 401, 'who may no longer is disconnected')
  t.equal((await mcp(server, byBob.tokens.access_token)).statusCode, 200)

  await server.ok(`/v1/users/${bob.id}`, { method: 'DELETE' })
  await server.idle()
  t.equal((await mcp(server, byBob.tokens.access_token)).statusCode, 401, 'and who has left')
  t.match(await events('grant.revoked'), [{ reason: 'NOT_CONNECTABLE' }, { reason: 'ACCOUNT_REMOVED' }])
})

t.test('only people consent, from pages of this server', async t => {
  const flow = begin(await register(server))
  const agent = await server.agent('Escalating')
  const body = { newAgent: 'X', scopes: ['read'] }
  t.equal((await consent(server, flow, body, agent.token)).statusCode, 403)
  t.equal((await server.call('/v1/oauth/grants', { token: agent.token })).statusCode, 403)
  t.equal((await server.call('/v1/oauth/consent', { token: null, body: { query: flow.query } })).statusCode, 401)

  const signedIn = await server.call('/v1/passwords/first', {
    token: null,
    body: { token: server.token, password: 'correct horse battery' },
    headers: { 'sec-fetch-site': 'same-origin' }
  })
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!
  const post = (headers: Record<string, string>) =>
    server.call('/v1/oauth/consent', {
      token: null,
      body: { query: flow.query, isApproved: true, ...body },
      headers: { cookie, ...headers }
    })
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    {} as Record<string, string>
  ]) {
    t.match((await post(headers)).json(), { statusCode: 403, code: 'CROSS_SITE' }, JSON.stringify(headers))
  }
  t.equal((await post({ 'sec-fetch-site': 'same-origin' })).statusCode, 200)
})

t.test('a refused client gets access_denied, and no code', async t => {
  const flow = begin(await register(server))
  const before = await grants()
  const answer = await server.ok<{ redirectTo: string }>('/v1/oauth/consent', {
    body: { query: flow.query, isApproved: false }
  })
  const to = new URL(answer.redirectTo)
  t.equal(to.origin + to.pathname, flow.redirectUri)
  t.same(Object.fromEntries(to.searchParams), { error: 'access_denied', state: 'a state', iss: ISSUER })
  t.equal((await grants()).length, before.length)
})

t.test('refresh tokens rotate; one that is used again ends the connection', async t => {
  const { clientId, tokens } = await connected(server, { newAgent: 'Rotating' })
  clock += HOUR + 1000
  t.equal((await mcp(server, tokens.access_token)).statusCode, 401, 'an access token lives one hour')
  const second = (await refresh(server, clientId, tokens.refresh_token)).json<Tokens>()
  t.not(second.refresh_token, tokens.refresh_token)
  t.equal((await mcp(server, second.access_token)).statusCode, 200)
  clock += 20_000
  const parallel = await refresh(server, clientId, tokens.refresh_token, { scope: 'read write delete' })
  t.match(
    parallel.json(),
    { scope: 'read write' },
    'another process may use it for 30 seconds, for no more than granted'
  )
  t.equal((await mcp(server, second.access_token)).statusCode, 200, 'which takes nothing from the first')
  t.equal((await refresh(server, clientId, parallel.json<Tokens>().refresh_token)).statusCode, 200)

  clock += 31_000
  const stolen = await refresh(server, clientId, tokens.refresh_token)
  t.match(stolen.json(), { error: 'invalid_grant' })
  t.equal(stolen.statusCode, 400)
  t.equal((await mcp(server, second.access_token)).statusCode, 401, 'all its tokens have ended')
  t.match((await refresh(server, clientId, second.refresh_token)).json(), { error: 'invalid_grant' })
  t.match((await events('grant.revoked')).at(-1), { reason: 'REFRESH_TOKEN_REUSED', client: 'Codex' })
})

t.test('a connection of years has as few tokens as one of hours', async t => {
  const { clientId, tokens } = await connected(server, { newAgent: 'Lasting' })
  let { refresh_token: current } = tokens
  for (let n = 0; n < 10; n++) {
    clock += HOUR + 1000
    current = (await refresh(server, clientId, current)).json<Tokens>().refresh_token
  }
  const rows = await server.database.db.selectFrom('token').select('id').where('name', '=', 'Codex').execute()
  const accounts = await grants()
  t.ok(rows.length <= accounts.length * 4, `${rows.length} rows`)
  clock += 31 * 24 * HOUR
  t.match((await refresh(server, clientId, current)).json(), { error: 'invalid_grant' }, 'unused for 30 days')
})

t.test('a connection is listed with its use, and ended from the settings or by the client', async t => {
  const first = await connected(server, { newAgent: 'Listed' })
  t.equal((await mcp(server, first.tokens.access_token)).statusCode, 200)
  const find = async () => (await grants()).find(({ agent }) => agent.fullname === 'Listed')!
  // The use is stored after the answer.
  let listed = await find()
  while (listed.lastUsedAt === null) listed = await find()
  await server.ok(`/v1/oauth/grants/${listed.id}`, { method: 'DELETE' })
  t.equal((await mcp(server, first.tokens.access_token)).statusCode, 401)
  t.match((await refresh(server, first.clientId, first.tokens.refresh_token)).json(), { error: 'invalid_grant' })
  t.notOk((await grants()).some(({ id }) => id === listed.id))
  t.match((await events('grant.revoked')).at(-1), { reason: 'REVOKED' })

  for (const kind of ['access_token', 'refresh_token'] as const) {
    const { clientId, tokens } = await connected(server, { newAgent: `Logged out ${kind}` })
    const other = await sendForm(server, '/v1/oauth/revoke', { token: tokens[kind], client_id: first.clientId })
    t.match(other.json(), { error: 'unauthorized_client' })
    t.equal((await mcp(server, tokens.access_token)).statusCode, 200)
    const answer = await sendForm(server, '/v1/oauth/revoke', { token: tokens[kind], client_id: clientId })
    t.equal(answer.statusCode, 200)
    t.equal((await mcp(server, tokens.access_token)).statusCode, 401, `by the ${kind}`)
    t.match((await refresh(server, clientId, tokens.refresh_token)).json(), { error: 'invalid_grant' })
    // Claude Code revokes one after the other.
    const again = await sendForm(server, '/v1/oauth/revoke', { token: tokens.access_token, client_id: clientId })
    t.equal(again.statusCode, 200)
  }
  for (const token of ['nonsense', server.token]) {
    t.equal(
      (await sendForm(server, '/v1/oauth/revoke', { token })).statusCode,
      200,
      'an unknown token counts as revoked'
    )
  }
  t.equal((await server.call('/v1/users/me')).statusCode, 200, 'a token of another kind is not revoked here')
})

t.test('a removed agent can no longer be used', async t => {
  const { clientId, tokens } = await connected(server, { newAgent: 'Removed' })
  const { agent } = (await grants()).find(({ agent }) => agent.fullname === 'Removed')!
  await server.ok(`/v1/users/agents/${agent.id}`, { method: 'DELETE' })
  t.equal((await mcp(server, tokens.access_token)).statusCode, 401)
  t.match((await refresh(server, clientId, tokens.refresh_token)).json(), { error: 'invalid_grant' })
})

t.test('each workspace has its own connections', async t => {
  const other = await server.otherWorkspace()
  const { tokens } = await connected(server, { newAgent: 'Elsewhere' }, other.token)
  const created = {
    name: 'create_task',
    arguments: {
      title: 'Elsewhere',
      description: 'A tool makes an issue on behalf of its client.\n\n- [ ] it is there',
      team: 'ENG'
    }
  }
  t.match(
    (await mcp(server, tokens.access_token, 'tools/call', created)).json(),
    { result: { isError: true } },
    'where there is no team ENG'
  )
  t.match(await grants(other.token), [{ agent: { fullname: 'Elsewhere' } }])
  t.notOk((await grants()).some(({ agent }) => agent.fullname === 'Elsewhere'))
  const [grant] = await grants(other.token)
  t.equal((await server.call(`/v1/oauth/grants/${grant!.id}`, { method: 'DELETE' })).statusCode, 404)
})

t.test('what has expired is removed', async t => {
  const { db } = server.database
  const clientId = await register(server)
  await approved(server, begin(clientId), { newAgent: 'Never connected' })
  t.notOk(
    (await grants()).some(({ agent }) => agent.fullname === 'Never connected'),
    'it is not listed'
  )
  clock += 91 * 24 * HOUR
  await server.jobs.enqueue(db, 'oauth.removeExpired', [{}])
  await server.idle()
  for (const table of ['oauthClient', 'oauthGrant', 'oauthCode', 'oauthRefreshToken'] as const) {
    // The tables of a plugin are unknown to the core's types.
    const { count } = await (db as never as typeof db)
      .selectFrom(table as never)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    t.equal(Number(count), 0, table)
  }
})
