import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { onPostgres } from '../../../test/runner/harness.ts'
import { probedServer } from './probe.ts'

const ping = (url: string, token: string, id: string) =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream'
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })
  })

t.test('each token has its own number of requests', async t => {
  const probed = await probedServer({ rateLimit: 2, rateLimitWindowMs: 3_600_000 })
  t.after(() => probed.close())
  const { url, token } = probed
  const other = (await probed.agent('agent read', ['read'])).token
  t.equal((await ping(url, token, 'a')).status, 200)
  t.equal((await ping(url, token, 'b')).status, 200)
  const refused = await ping(url, token, 'c')
  t.equal(refused.status, 429)
  const body = (await refused.json()) as { error: { data: { retryAfter: number } } }
  t.match(body, { jsonrpc: '2.0', id: 'c', error: { code: 429, message: /wait \d+ s/, data: { retryAfter: Number } } })
  t.equal(refused.headers.get('retry-after'), String(body.error.data.retryAfter), 'the same wait in the header')
  t.ok(body.error.data.retryAfter > 0 && body.error.data.retryAfter <= 3600)
  t.equal((await ping(url, other, 'd')).status, 200)
})

t.test('each message of a batch counts', async t => {
  const probed = await probedServer({ rateLimit: 20, rateLimitWindowMs: 3_600_000 })
  t.after(() => probed.close())
  const send = (messages: number) =>
    fetch(probed.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${probed.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream'
      },
      body: JSON.stringify(Array.from({ length: messages }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
    })
  const first = await send(16)
  t.equal(first.status, 200)
  t.equal(((await first.json()) as unknown[]).length, 16)
  t.equal(first.headers.get('x-ratelimit-remaining'), '4')
  const second = await send(16)
  t.equal(second.status, 429, 'only 4 of these may be sent')
  t.ok(Number(second.headers.get('retry-after')) > 0)
  const refusal = { code: 429, message: /counting each message of a batch: wait/ }
  t.match(await second.json(), { jsonrpc: '2.0', id: null, error: refusal })
})

/** A real Redis, of Debian's package `redis-server`, without persistence. */
async function startRedis() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  const redis = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: ['ignore', 'pipe', 'inherit'] }
  )
  const ended = once(redis, 'close')
  let said = ''
  for await (const text of redis.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text
    if (said.includes('Ready to accept connections')) break
  }
  redis.stdout.resume()
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      redis.kill()
      await ended
    }
  }
}

const hasRedis = spawnSync('redis-server', ['--version']).status === 0
// CI installs it, so a missing one is a failure there.
const skip = !hasRedis && process.env['CI'] === undefined && 'needs redis-server'

t.test('with a shared Redis, replicas count together, and without it they serve', { skip }, async t => {
  const redis = await startRedis()
  const settings = { rateLimit: 3, rateLimitWindowMs: 3_600_000, redisUrl: redis.url }
  const first = await probedServer(settings)
  // An embedded database has one server.
  const replicas = onPostgres ? [first, await probedServer(settings, first)] : [first]
  t.after(async () => {
    for (const replica of replicas) await replica.close()
  })
  const statuses: number[] = []
  // Until Redis is connected, nothing is counted.
  while (statuses.at(-1) !== 429 && statuses.length < 1000) {
    statuses.push((await ping(replicas[statuses.length % replicas.length]!.url, first.token, 'x')).status)
  }
  t.equal(statuses.at(-1), 429)
  for (const { url } of replicas) t.equal((await ping(url, first.token, 'y')).status, 429, 'the others know of it')
  const { token } = await first.agent('agent read', ['read'])
  const counted: number[] = []
  for (let n = 0; n < 4; n++) counted.push((await ping(replicas[n % replicas.length]!.url, token, 'z')).status)
  t.same(counted, [200, 200, 200, 429], 'three requests in all, whoever answers them')
  await redis.stop()
  for (const { url } of replicas) {
    t.equal((await ping(url, first.token, 'late')).status, 200, 'an agent that cannot be counted is served')
  }
})
