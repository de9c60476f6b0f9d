import t from 'tap'
import { probedServer } from './probe.ts'

t.test('each token has its own number of requests', async t => {
  const probed = await probedServer({ rateLimit: 2, rateLimitWindowMs: 3_600_000 })
  t.after(() => probed.close())
  const ping = (token: string, id: string) => fetch(probed.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })
  })
  const other = (await probed.agent('agent read', ['read'])).token
  t.equal((await ping(probed.token, 'a')).status, 200)
  t.equal((await ping(probed.token, 'b')).status, 200)
  const refused = await ping(probed.token, 'c')
  t.equal(refused.status, 429)
  const body = await refused.json() as { error: { data: { retryAfter: number } } }
  t.match(body, { jsonrpc: '2.0', id: 'c', error: { code: 429, message: /wait \d+ s/, data: { retryAfter: Number } } })
  t.equal(refused.headers.get('retry-after'), String(body.error.data.retryAfter), 'the same wait in the header')
  t.ok(body.error.data.retryAfter > 0 && body.error.data.retryAfter <= 3600)
  t.equal((await ping(other, 'd')).status, 200)
})
