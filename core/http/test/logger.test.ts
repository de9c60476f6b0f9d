import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { makeHttp } from '../http.ts'
import { makeLogger } from '../logger.ts'

/** A server that logs to a file, with a reader of its lines. */
async function server(t: Test, isTerminal: boolean) {
  const file = join(t.testdir(), 'log')
  const logger = await makeLogger({ level: 'info', fd: openSync(file, 'a'), isTerminal })
  const app = await makeHttp({
    prefix: '',
    trustProxy: false,
    maxEventLoopDelay: 0,
    requestTimeoutMs: 60_000,
    keepAliveTimeoutMs: 60_000,
    streamStallTimeoutMs: 30_000,
    streamTimeoutMs: 60_000,
    maxConnections: 100,
    logger
  })
  let healthy = true
  app.get('/v1/things/:id', async () => ({}))
  app.post('/v1/things', async () => ({}))
  app.get('/health/ready', async (_request, reply) => reply.code(healthy ? 200 : 503).send({}))
  t.teardown(() => app.close())
  return {
    async get(url: string): Promise<void> {
      await app.inject({ url, headers: { 'x-request-id': 'abc' } })
    },
    /** Sends half of a body and disconnects. */
    async leave(): Promise<void> {
      await app.listen({ port: 0, host: '127.0.0.1' })
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      const arrived = once(app.server, 'request')
      socket.write(
        'POST /v1/things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"a"'
      )
      const [, response] = (await arrived) as [unknown, ServerResponse]
      socket.destroy()
      await once(response, 'close')
    },
    fail() {
      healthy = false
    },
    /** The lines are written in another turn of the event loop than the answer. */
    async lines(count: number): Promise<string[]> {
      for (;;) {
        const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
        if (lines.length >= count) return lines
        await sleep(5)
      }
    }
  }
}

t.test('a request is one line of JSON, with its status, time and id', async t => {
  const { get, lines } = await server(t, false)
  await get('/v1/things/1?x=2')
  await get('/v1/nothing')
  t.match(
    (await lines(2)).map(line => JSON.parse(line) as object),
    [
      { reqId: 'abc', method: 'GET', url: '/v1/things/1?x=2', statusCode: 200, responseTimeMs: Number },
      { reqId: 'abc', method: 'GET', url: '/v1/nothing', statusCode: 404 }
    ]
  )
  t.equal((await lines(2)).length, 2)
})

t.test('health probes are logged only when they fail', async t => {
  const { get, fail, lines } = await server(t, false)
  await get('/health/ready')
  fail()
  await get('/health/ready')
  await get('/v1/things/1')
  t.match(
    (await lines(2)).map(line => JSON.parse(line) as object),
    [
      { url: '/health/ready', statusCode: 503 },
      { url: '/v1/things/1', statusCode: 200 }
    ]
  )
})

t.test('a client that leaves is no error', async t => {
  const { leave, get, lines } = await server(t, false)
  await leave()
  await get('/v1/things/1')
  const all = (await lines(2)).map(line => JSON.parse(line) as { level: number })
  t.ok(
    all.every(({ level }) => level === 30),
    JSON.stringify(all)
  )
})

t.test('in a terminal a person can read the line', async t => {
  const { get, lines } = await server(t, true)
  await get('/v1/things/1')
  const [line] = await lines(1)
  t.match(line, /^\[\d\d:\d\d:\d\d\] INFO: GET \/v1\/things\/1 200 in [\d.]+ ms /)
  t.match(line, / ms \{"reqId":"abc","address":"127.0.0.1"\}$/)
})
