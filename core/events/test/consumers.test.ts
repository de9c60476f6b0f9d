import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import { isCaughtUp, testServer } from '../../../test/runner/harness.ts'
import { listDeadLetters } from '../consumers/dead-letters.ts'
import { makeEventLog } from '../log.ts'
import { happened, ID, probeOf, probeServer } from '../../../test/event-probe.ts'

t.test('an event is handled after the commit, never after a rollback', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  await probe.emit([1])
  await t.rejects(probe.emit([2], { roll: true }), /rolled back/)
  await probe.emit([3])
  await server.idle()
  t.strictSame(probe.numbers(), [1, 3])
  t.match(probe.handled[0], { type: 'thing.happened', actor: null, origin: 'system', parentId: null, rev: null })
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

t.test('an event for which a statement takes too long each time is put aside', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  probe.failures.set(2, 100)
  const message = 'canceling statement due to statement timeout'
  probe.failure = () => Object.assign(new Error(message), { code: '57014' })
  await probe.emit([1, 2, 3])
  await server.idle()
  t.strictSame(probe.numbers(), [1, 3])
  t.match(await listDeadLetters(server.database.db), [{ attempts: 2, reason: /statement timeout/ }])
})

t.test('an event is not put aside while the database is away, however long', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  probe.failures.set(2, 4)
  probe.failure = () => Object.assign(new Error('the database system is shutting down'), { code: '57P03' })
  await probe.emit([1, 2, 3])
  while (!probe.numbers().includes(3)) await sleep(50)
  t.strictSame(probe.numbers(), [1, 2, 3])
  t.strictSame(await listDeadLetters(server.database.db), [])
})

t.test('attempts at an event count across restarts', async t => {
  const server = await testServer({ plugins: ['workspace'] })
  t.teardown(() => server.close())
  const { database } = server
  let handled = 0
  const startLog = async () => {
    const log = makeEventLog({ database, log: pino({ level: 'silent' }), working: true, now: () => new Date() })
    log.addConsumer({
      name: 'restarted/consumer',
      types: [happened.name],
      rebuild: undefined,
      attempts: 3,
      async handle() {
        handled++
        throw new Error('never')
      }
    })
    await log.prepare()
    log.start()
    return log
  }
  const stored = () =>
    database.db
      .selectFrom('eventConsumer')
      .select(['attempts', 'position'])
      .where('name', '=', 'restarted/consumer')
      .executeTakeFirstOrThrow()
  const first = await startLog()
  const { id: workspaceId } = await database.db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  await database.db.transaction().execute(async trx => {
    const caller = { workspaceId, accountId: null, tokenId: null, scopes: [] }
    await first.append(trx, happened, caller, [{ subjectId: ID, data: { n: 1 } }])
  })
  while ((await stored()).attempts < 2) await sleep(10)
  t.match(await first.lags(), [{ name: 'restarted/consumer', state: 'failing', events: 1 }])
  await first.stop()
  const second = await startLog()
  while ((await second.countDeadLetters()) === 0) await sleep(10)
  await second.stop()
  t.equal(handled, 3)
  t.match(await listDeadLetters(database.db), [{ attempts: 3, reason: /never/ }])
  t.match(await stored(), { attempts: 0 })
})

t.test('the position of a consumer is stored even if no event concerned it', async t => {
  const server = await testServer({ plugins: ['workspace'] })
  t.teardown(() => server.close())
  const { db } = server.database
  const log = makeEventLog({ ...server, log: pino({ level: 'silent' }), working: true, now: () => new Date() })
  log.addConsumer({ name: 'idle/all', types: undefined, rebuild: undefined, handle: async () => 'nothing to do' })
  await log.prepare()
  log.start()
  t.teardown(() => log.stop())
  const { id: workspaceId } = await db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  const emit = () =>
    db.transaction().execute(async trx => {
      const caller = { workspaceId, accountId: null, tokenId: null, scopes: [] }
      await log.append(trx, happened, caller, [{ subjectId: ID, data: { n: 1 } }])
    })
  const isStored = async () => {
    const { last } = await db
      .selectFrom('event')
      .select(eb => eb.fn.max('position').as('last'))
      .executeTakeFirstOrThrow()
    const consumer = db.selectFrom('eventConsumer').select('position').where('name', '=', 'idle/all')
    return (await consumer.executeTakeFirstOrThrow()).position === last
  }
  // The first is stored at once; the second follows too soon.
  for (let n = 0; n < 2; n++) {
    await emit()
    while (!(await isStored())) await sleep(20)
  }
  t.match(await log.lags(), [{ name: 'idle/all', state: 'up', events: 0 }])
})

t.test('an idle process polls the log and renews the leases of all its consumers with two statements', async t => {
  const statements: string[] = []
  const server = await testServer({
    plugins: ['workspace'],
    settings: { jobs: false },
    onStatement: statement => statements.push(statement)
  })
  t.teardown(() => server.close())
  const log = makeEventLog({
    ...server,
    log: pino({ level: 'silent' }),
    working: true,
    ...(server.databaseUrl !== undefined && { directUrl: server.databaseUrl }),
    leaseSeconds: 1,
    now: () => new Date()
  })
  for (let n = 1; n <= 20; n++) {
    log.addConsumer({ name: `idle/${n}`, types: undefined, rebuild: undefined, handle: async () => 'nothing to do' })
  }
  await log.prepare()
  log.start()
  t.teardown(() => log.stop())
  while (!(await isCaughtUp(log))) await sleep(20)
  const leasedUntil = async () =>
    (
      await server.database.db
        .selectFrom('eventConsumer')
        .select(['leasedUntil'])
        .where('name', 'like', 'idle/%')
        .distinct()
        .execute()
    ).map(row => row.leasedUntil.getTime())
  const isRenewal = (statement: string) => statement.startsWith('with "renewed"')
  const renewals = () => statements.filter(isRenewal).length
  const untilRenewed = async (times: number) => {
    for (const target = renewals() + times; renewals() < target;) await sleep(20)
  }
  await untilRenewed(1)
  const before = await leasedUntil()
  statements.length = 0
  await untilRenewed(4)
  const sent = statements.filter(statement => !/leased_until" from/.test(statement))
  t.ok(sent.length <= 2 * renewals() + 1, `${sent.length} statements for ${renewals()} renewals`)
  const after = await leasedUntil()
  t.ok(Math.min(...after) > Math.max(...before), 'and the leases of all are renewed')
})

t.test('each consumer gets every event, and one with debounceMs several at once', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  const emitted: number[] = []
  while (!probe.batches.some(({ length }) => length > 1)) {
    emitted.push(emitted.length + 1)
    await probe.emit([emitted.length])
    await sleep(20)
  }
  await server.idle()
  t.strictSame(probe.numbers(), emitted)
  t.strictSame(probe.batches.flat(), emitted)
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
