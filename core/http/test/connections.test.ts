import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { contract } from '../../api/contract.ts'
import { definePlugin, dependsOn } from '../../api/plugin.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Listening extends TestServer {
  readonly port: number
}

async function listeningServer(settings: Record<string, unknown>): Promise<Listening> {
  const server = await testServer({ plugins: ['workspace', 'mcp'], settings })
  t.teardown(() => server.close())
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...server, port: (server.app.server.address() as AddressInfo).port }
}
const { port, token } = await listeningServer({})
const hasty = await listeningServer({ requestTimeoutMs: 300, keepAliveTimeoutMs: 100 })

async function opened(t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** The server's output until it closes the connection. */
async function received(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  socket.resume()
  await new Promise(resolve => socket.once('close', resolve))
  return text
}
const bodyOf = (answer: string): object => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as object

const post = (length: number | string, token: string) =>
  `POST /v1/users/pat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
  `Content-Type: application/json\r\n` +
  (typeof length === 'number' ? `Content-Length: ${length}` : `Transfer-Encoding: ${length}`) +
  '\r\n\r\n'

t.test('a body that does not arrive in time is answered with 408, and its connection is closed', async t => {
  const socket = await opened(t, hasty.port)
  const drip = setInterval(() => socket.write(' '), 20)
  t.teardown(() => clearInterval(drip))
  socket.write(post(1_000_000, hasty.token))
  const answer = await received(socket)
  t.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/)
  t.match(bodyOf(answer), { statusCode: 408, error: 'Request Timeout', code: 'REQUEST_TIMEOUT', message: String })
})

t.test('a route may give its body more time', async t => {
  const slow = contract()('slow')
  const plugin = definePlugin(dependsOn(slow), {
    summary: 'A route with a body that may take long',
    routes(app) {
      app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      app.post<{ Body: Readable }>('/v1/slow', { config: { hasSlowBody: true } }, async ({ body }) => {
        let bytes = 0
        for await (const chunk of body) bytes += (chunk as Buffer).length
        return { bytes }
      })
    }
  })
  const settings = { requestTimeoutMs: 300 }
  const also = { slow: async () => ({ default: plugin }) }
  const server = await testServer({ plugins: ['workspace'], settings, also })
  t.teardown(() => server.close())
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const socket = await opened(t, port)
  socket.write(post(20, server.token).replace('/v1/users/pat', '/v1/slow').replace('application/json', 'text/plain'))
  for (let n = 0; n < 20; n++) {
    await sleep(60)
    socket.write('.')
  }
  socket.end()
  t.match(await received(socket), /\{"bytes":20\}$/)
})

t.test('headers that do not arrive in time are answered with 408, and their connection is closed', async t => {
  const socket = await opened(t, hasty.port)
  const drip = setInterval(() => socket.write('X-More: 1\r\n'), 20)
  t.teardown(() => clearInterval(drip))
  socket.write('GET /health/live HTTP/1.1\r\n')
  t.match(await received(socket), /^HTTP\/1\.1 408 /)
})

t.test('a connection on which nothing is ever sent is closed', async t => {
  const socket = await opened(t, hasty.port)
  t.match(await received(socket), /^HTTP\/1\.1 408 /)
})

t.test('a connection that is idle between two requests is closed', async t => {
  const socket = await opened(t, hasty.port)
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
  t.match(await received(socket), /^HTTP\/1\.1 200 /)
})

t.test('a connection beyond the limit is closed, and served again when another has gone', async t => {
  const full = await listeningServer({ maxConnections: 2 })
  const [first] = await Promise.all([opened(t, full.port), opened(t, full.port)])
  const third = await opened(t, full.port)
  third.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
  t.equal(await received(third), '')

  first.end()
  await once(first, 'close')
  for (;;) {
    const another = await opened(t, full.port)
    another.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    const answer = await received(another)
    if (answer === '') continue
    t.match(answer, /^HTTP\/1\.1 200 /)
    return
  }
})

t.test('headers that are too large are answered with 431 in the shape of every error', async t => {
  const socket = await opened(t, port)
  socket.write(`GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(64 * 1024)}\r\n\r\n`)
  const answer = await received(socket)
  t.match(answer, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
  t.match(bodyOf(answer), { statusCode: 431, error: String, code: 'TOO_LARGE', message: String })
})

t.test('bytes that are not HTTP get a 400 in the format of every error', async t => {
  const socket = await opened(t, port)
  socket.write('nonsense\r\n\r\n')
  const answer = await received(socket)
  t.match(answer, /\r\nx-request-id: \S+\r\n/)
  t.match(bodyOf(answer), { statusCode: 400, code: 'VALIDATION', message: String })
})

t.test('an address that cannot be decoded is answered with the id of the request, too', async t => {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/issues/%E0%A4%A`)
  t.equal(answer.status, 400)
  t.ok(answer.headers.get('x-request-id'))
})

const MIB = 1024 * 1024

for (const path of ['/v1/users/pat', '/v1/mcp']) {
  for (const kind of ['of known length', 'in chunks'] as const) {
    t.test(`a client that sends 10 MiB ${kind} to ${path} reads its 413 after the last byte`, async t => {
      const socket = await opened(t, port)
      const failed: Error[] = []
      socket.on('error', error => failed.push(error))
      const inChunks = kind === 'in chunks'
      const head = post(inChunks ? 'chunked' : 10 * MIB, token).replace('/v1/users/pat', path)
      socket.write(head.replace('\r\n', '\r\nConnection: close\r\n'))
      // Like many clients, it does not read before it has sent everything.
      socket.pause()
      const piece = Buffer.alloc(MIB, ' ')
      for (let n = 0; n < 10; n++) {
        if (inChunks) socket.write(`${MIB.toString(16)}\r\n`)
        await new Promise<void>(resolve => socket.write(piece, () => resolve()))
        if (inChunks) socket.write('\r\n')
      }
      if (inChunks) socket.write('0\r\n\r\n')
      const answer = await received(socket)
      t.strictSame(failed, [])
      t.match(answer, /^HTTP\/1\.1 413 /)
    })
  }
}

t.test('a body without end is not read for ever after its 413', async t => {
  const socket = await opened(t, port)
  socket.write(post(1024 * MIB, token))
  const closed = received(socket)
  const piece = Buffer.alloc(MIB, ' ')
  let sent = 0
  while (!socket.destroyed) {
    await new Promise<void>(resolve => socket.write(piece, () => resolve()))
    sent++
  }
  await closed
  t.ok(sent < 512, `${sent} MiB were sent`)
})
