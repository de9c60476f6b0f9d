import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import { LogFollower } from '../follower.ts'

/** Milliseconds in which one poll serves all commits. */
const GATHER_MS = 50

t.test('events that are appended one after the other cause only a few polls of the log', async t => {
  let looks = 0
  let looked = Promise.withResolvers<void>()
  const follower = new LogFollower({
    horizon: {
      decided: 0,
      assigned: 0,
      async refresh() {
        looks++
        looked.resolve()
      }
    },
    log: pino({ level: 'silent' }),
    working: true,
    runners: () => [],
    renewLeases: async () => new Set(),
    renewalMs: 1_000,
    isNotified: () => true
  })
  const startedAt = performance.now()
  follower.start()
  let commits = 0
  for (; commits < 100 || performance.now() - startedAt < 4 * GATHER_MS; commits++) {
    follower.wake()
    await turn()
  }
  t.ok(looks >= 1)
  t.ok(looks <= (performance.now() - startedAt) / GATHER_MS + 1, `${looks} looks for ${commits} commits`)
  looked = Promise.withResolvers()
  follower.wake()
  await t.resolves(looked.promise, 'the last one is seen')
  await follower.stop()
})
