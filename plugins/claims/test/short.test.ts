import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'

const SECOND = 1_000
let clock = Date.now()
const server = await testServer({
  now: () => new Date(clock),
  settings: { plugins: { claims: { claimMinutes: 1 } } }
})
t.teardown(() => server.close())

t.test('the requests of an agent renew its claims, however short these are', async t => {
  const { token } = await server.agent('Short of time')
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Zones' } })
  const expiresAt = async () =>
    (await server.ok<{ claim: { expiresAt: string } }>(`/v1/issues/${key}/context`)).claim.expiresAt
  await server.ok(`/v1/issues/${key}/pick_up`, { token, body: {} })
  for (let requests = 0; requests < 3; requests++) {
    const before = await expiresAt()
    clock += 30 * SECOND
    await server.ok('/v1/labels', { token })
    // It is written in the background.
    while ((await expiresAt()) === before) await sleep(5)
    t.equal(await expiresAt(), new Date(clock + 60 * SECOND).toISOString())
  }
})
