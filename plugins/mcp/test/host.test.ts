import { request } from 'node:http'
import { hostname } from 'node:os'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { testServer } from '../../../test/runner/harness.ts'

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** A server that listens on this host, and its endpoint's status for a request with a header `Host`. */
async function listeningOn(t: Test, host: string, allowedHosts: string[] = [], publicUrl?: string) {
  const server = await testServer({
    plugins: ['workspace', 'mcp'],
    settings: { host, ...(publicUrl !== undefined && { publicUrl }), plugins: { mcp: { allowedHosts } } }
  })
  t.teardown(() => server.close())
  await server.app.listen({ host, port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  return (header: string) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const headers = {
        host: header,
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream'
      }
      request({ host: '127.0.0.1', port, path: '/v1/mcp', method: 'POST', headers }, answer => {
        let body = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          body += piece
        })
        answer.on('end', () => resolve({ status: answer.statusCode, body }))
      })
        .on('error', reject)
        .end(ping)
    })
}

t.test('a server that listens on this machine only takes requests that name it, and no others', async t => {
  const ask = await listeningOn(t, '127.0.0.1')
  for (const host of ['127.0.0.1', 'localhost:3000', 'LOCALHOST', '[::1]:80']) {
    t.equal((await ask(host)).status, 200, host)
  }
  for (const host of ['evil.example', 'localhost.evil.example:3000', '10.0.0.1']) {
    t.equal((await ask(host)).status, 403, host)
  }
  t.match(JSON.parse((await ask('evil.example')).body), {
    jsonrpc: '2.0',
    error: { code: 403, message: /plugins\.mcp\.allowedHosts/ }
  })
})

t.test('a server that listens on all addresses takes requests that name an address or this machine', async t => {
  const ask = await listeningOn(t, '0.0.0.0')
  for (const host of ['10.0.0.1:3000', '[fe80::1]', 'localhost', hostname()]) {
    t.equal((await ask(host)).status, 200, host)
  }
  t.equal((await ask('evil.example')).status, 403)
})

t.test('the names in allowedHosts are taken, too', async t => {
  const ask = await listeningOn(t, '127.0.0.1', ['tracker.example'])
  t.equal((await ask('tracker.example:8443')).status, 200)
  t.equal((await ask('other.example')).status, 403)
})

t.test('a request that names no host is refused, be it the first one', async t => {
  const server = await testServer({ plugins: ['workspace', 'mcp'] })
  t.teardown(() => server.close())
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const lines = [
    'POST /v1/mcp HTTP/1.0',
    `authorization: Bearer ${server.token}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${ping.length}`
  ]
  const socket = connect(port, '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\n\r\n${ping}`)
  t.match(await text(socket), /^HTTP\/1\.1 403 /)
})

t.test('the host of publicUrl is known', async t => {
  const ask = await listeningOn(t, '127.0.0.1', [], 'https://tracker.example.org:8443/board')
  t.equal((await ask('tracker.example.org:8443')).status, 200)
  t.equal((await ask('example.org')).status, 403)
})

t.test('a page of an allowed origin may send messages, and its browser is told so before', async t => {
  const server = await testServer({
    plugins: ['workspace', 'mcp'],
    settings: { plugins: { mcp: { allowedOrigins: ['inspector.example'] } } }
  })
  t.teardown(() => server.close())
  const preflight = (origin: string) =>
    server.call('/v1/mcp', {
      method: 'OPTIONS',
      token: null,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,mcp-protocol-version'
      }
    })
  const allowed = await preflight('https://inspector.example')
  t.equal(allowed.statusCode, 204)
  t.match(allowed.headers, {
    'access-control-allow-origin': 'https://inspector.example',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization,content-type,mcp-protocol-version',
    vary: /Origin/
  })
  const refused = await preflight('https://evil.example')
  t.equal(refused.statusCode, 403)
  t.equal(refused.headers['access-control-allow-origin'], undefined)
  const { headers, statusCode } = await server.call('/v1/mcp', {
    body: JSON.parse(ping) as object,
    headers: { origin: 'https://inspector.example', accept: 'application/json, text/event-stream' }
  })
  t.equal(statusCode, 200)
  t.equal(headers['access-control-allow-origin'], 'https://inspector.example')
})
