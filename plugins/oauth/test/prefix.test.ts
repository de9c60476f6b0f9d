import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { approved, begin, consent, exchange, mcp, plugins, register, type Tokens } from './client.ts'

const PUBLIC = 'https://tracker.example.org'
const ISSUER = `${PUBLIC}/board`

t.test('behind a proxy with a path prefix, all addresses are those that browsers and clients use', async t => {
  const server = await testServer({
    plugins,
    settings: { publicUrl: PUBLIC, prefix: '/board', trustProxy: '127.0.0.1', plugins: { mcp: { rateLimit: 0 } } }
  })
  t.teardown(() => server.close())
  const refused = await server.app.inject({
    method: 'POST',
    url: '/board/v1/mcp',
    payload: {},
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  })
  t.notMatch(JSON.stringify(refused.headers), /evil/, 'not those of a request')
  const own = await server.app.inject({ method: 'POST', url: '/board/v1/mcp', payload: {} })
  t.equal(
    own.headers['www-authenticate'],
    `Bearer resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/v1/mcp", scope="read write"`
  )
  const resource = { resource: `${ISSUER}/v1/mcp`, authorization_servers: [ISSUER] }
  for (const path of [
    '/board/.well-known/oauth-protected-resource/v1/mcp',
    // The addresses of the standards, if the proxy sends them here.
    '/.well-known/oauth-protected-resource/board/v1/mcp'
  ]) {
    t.match((await server.app.inject(path)).json(), resource, path)
  }
  for (const path of [
    '/board/.well-known/oauth-authorization-server',
    '/board/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/board',
    '/.well-known/openid-configuration/board'
  ]) {
    t.match((await server.app.inject(path)).json(), {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/v1/oauth/token`,
      registration_endpoint: `${ISSUER}/v1/oauth/register`
    })
  }
  const flow = begin(await register(server), { resource: `${ISSUER}/v1/mcp` })
  const answer = await consent(server, flow, { newAgent: 'Codex', scopes: ['read', 'write'] })
  t.equal(new URL(answer.json<{ redirectTo: string }>().redirectTo).searchParams.get('iss'), ISSUER)
  const code = await approved(server, flow, { newAgent: 'Codex 2' })
  const granted = await exchange(server, flow, code, { resource: `${ISSUER}/v1/mcp` })
  t.equal((await mcp(server, granted.json<Tokens>().access_token)).statusCode, 200)
  const other = begin(flow.clientId, { resource: `${PUBLIC}/v1/mcp` })
  t.equal((await consent(server, other, { newAgent: 'X', scopes: ['read'] })).statusCode, 400)
})

t.test('without publicUrl only this machine gets addresses', async t => {
  const server = await testServer({ plugins })
  t.teardown(() => server.close())
  const headers = { host: 'tracker.example.org' }
  const refused = await server.app.inject({ method: 'POST', url: '/v1/mcp', payload: {}, headers })
  t.notMatch(String(refused.headers['www-authenticate']), /tracker\.example/)
  const metadata = await server.app.inject({ url: '/.well-known/oauth-authorization-server', headers })
  t.equal(metadata.statusCode, 409)
  t.match(metadata.json(), { error_description: /publicUrl/ })
})
