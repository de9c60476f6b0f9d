import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { startReceiver } from './receiver.ts'

t.test('the slow receivers of one workspace keep no other workspace waiting', async t => {
  const server = await testServer({
    plugins: ['workspace', 'issues', 'webhooks'],
    settings: { plugins: { webhooks: { allowPrivateAddresses: true, attemptTimeoutMs: 20_000 } } }
  })
  t.teardown(() => server.close())
  const [slow, quick] = [await startReceiver(), await startReceiver()]
  t.teardown(() => quick.close())
  t.teardown(() => slow.close())
  slow.answer = () => {}
  const file = (at: typeof server) => at.ok('/v1/issues', { body: { teamId: 'ENG', title: 'Filed' } })
  for (let n = 0; n < 20; n++) await server.ok('/v1/webhooks', { body: { url: slow.url, types: ['issue.created'] } })
  await file(server)
  await slow.reached(8)

  const other = await server.board()
  await other.ok('/v1/webhooks', { body: { url: quick.url, types: ['issue.created'] } })
  const begun = performance.now()
  await file(other)
  await quick.reached(1)
  t.ok(performance.now() - begun < 15_000, 'before any of the slow ones is given up')
  await sleep(1_000)
  t.equal(slow.received.length, 8, 'of 20, as many at once as one workspace may have')
})
