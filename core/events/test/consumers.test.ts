import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { probeOf, probeServer } from './probe.ts'
import { listDeadLetters } from '../dead-letters.ts'

t.test('an event is handled after the commit, never after a rollback', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  await probe.emit([1])
  await t.rejects(probe.emit([2], { roll: true }), /rolled back/)
  await probe.emit([3])
  await server.idle()
  t.strictSame(probe.numbers(), [1, 3])
  t.match(probe.handled[0], { type: 'thing.happened', actor: null, origin: 'system', issueId: null, rev: null })
})

t.test('an event whose handling failed is handled again, in its order', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  probe.failures.set(2, 1)
  await probe.emit([1, 2, 3])
  await server.idle()
  t.strictSame(probe.numbers(), [1, 2, 3])
  t.strictSame(await listDeadLetters(server.database.db), [])
})

t.test('an event that keeps failing is put aside with the reason, and the rest goes on', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  probe.failures.set(3, 100)
  await probe.emit([1, 2, 3, 4, 5])
  await server.idle()
  t.strictSame(probe.numbers(), [1, 2, 4, 5])
  t.match(await listDeadLetters(server.database.db), [
    { consumer: 'probe/each', attempts: 2, reason: /not number 3/, event: { type: 'thing.happened', data: { n: 3 } } }
  ])
})

t.test('each consumer gets every event; one that gathers, several at once', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  for (const n of [1, 2, 3]) await probe.emit([n])
  await server.idle()
  t.strictSame(probe.numbers(), [1, 2, 3])
  t.strictSame(probe.batches.flat(), [1, 2, 3])
  t.ok(probe.batches.length < 3, 'not one by one')
})

t.test('a consumer that waits for quiet gets its events though more and more come', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  let emitted = 0
  while (probe.batches.length === 0) {
    await probe.emit([emitted++])
    await sleep(10)
  }
  await server.idle()
  t.same(
    probe.batches.flat(),
    Array.from({ length: emitted }, (_, n) => n),
    'once each'
  )
})

t.test('what was appended while no server worked is handled by the next', async t => {
  const first = await probeServer({ settings: { jobs: false } })
  t.teardown(() => first.close())
  await probeOf(first).emit([1, 2])
  t.strictSame(probeOf(first).batches, [])

  const second = await probeServer({ on: first })
  t.teardown(() => second.close())
  await second.idle()
  t.strictSame(probeOf(second).batches, [[1, 2]])
})

t.test('a new consumer rebuilds what was there before, once', async t => {
  const first = await probeServer()
  t.teardown(() => first.close())
  await first.idle()
  t.equal(probeOf(first).rebuilds, 1)
  await probeOf(first).emit([1])
  await first.idle()

  const second = await probeServer({ on: first })
  t.teardown(() => second.close())
  await second.idle()
  t.equal(probeOf(second).rebuilds, 0)
})

t.test('a consumer that missed events which are removed by now rebuilds, and goes on after them', async t => {
  const first = await probeServer({ settings: { jobs: false } })
  t.teardown(() => first.close())
  await probeOf(first).emit([1, 2])
  const { db } = first.database
  const { position } = await db
    .selectFrom('event')
    .select('position')
    .orderBy('position', 'desc')
    .executeTakeFirstOrThrow()
  await db.updateTable('eventConsumer').set({ needsRebuild: false }).execute()
  await db.updateTable('eventPartition').set({ removedTo: position }).execute()
  await db.deleteFrom('event').execute()
  await probeOf(first).emit([3])

  const second = await probeServer({ on: first })
  t.teardown(() => second.close())
  await second.idle()
  t.equal(probeOf(second).rebuilds, 1)
  t.strictSame(probeOf(second).batches, [[3]], 'one that skips goes on after the gap')
})
