import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { testServer } from '../../test/runner/harness.ts'
import { freePort } from '../../test/runner/process.ts'

t.test('the receiver prints the messages that it has verified, each once, and refuses others', async t => {
  const server = await testServer({
    plugins: ['workspace', 'issues', 'webhooks'],
    settings: { plugins: { webhooks: { allowPrivateAddresses: true } } }
  })
  t.teardown(() => server.close())
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const { id, secret } = await server.ok<{ id: string; secret: string }>('/v1/webhooks', {
    body: { url, types: ['issue.created'] }
  })
  const receiver = spawn(process.execPath, ['examples/webhook-receiver.ts'], {
    cwd: new URL('../..', import.meta.url),
    env: { WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => receiver.kill())
  await once(receiver.stderr, 'data')
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
  const nextLine = async () => JSON.parse(String((await lines.next()).value)) as object

  const deliveries = () => server.ok<Array<{ id: string; status: string }>>(`/v1/webhooks/${id}/deliveries`)
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Told' } })
  t.match(await nextLine(), { type: 'issue.created', data: { subject: { key } } })
  await server.idle()
  const [delivery] = await deliveries()
  await server.ok(`/v1/webhooks/${id}/deliveries/${delivery!.id}/redeliver`, { method: 'POST' })
  await server.ok(`/v1/webhooks/${id}/test`, { method: 'POST' })
  t.match(await nextLine(), { type: 'webhook.test' }, 'what came again is not printed again')
  await server.idle()
  t.strictSame(new Set((await deliveries()).map(({ status }) => status)), new Set(['DELIVERED']))
  const forged = {
    'webhook-id': 'x',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': 'v1,x'
  }
  t.equal((await fetch(url, { method: 'POST', body: '{}', headers: forged })).status, 401)
})
