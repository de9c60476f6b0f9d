import { sql } from 'kysely'
import t from 'tap'
import { contract, event, job, type Caller } from '../contract.ts'
import { definePlugin, dependsOn, singleton, type ContextOf } from '../plugin.ts'
import { testServer, type TestServer } from '../../test/harness.ts'

const token = contract()('tests')
const dependencies = dependsOn(token)
const happened = event<{ n: number }>()(token, 'happened')
const keyed = job<{ n: number }>()(token, 'keyed', { keyed: true })
const ID = '00000000-0000-4000-8000-000000000000'
const caller: Caller = { workspaceId: ID, accountId: null, tokenId: null, scopes: [] }
const occurrence = (n: number) => ({ subjectId: ID, subjectRev: null, data: { n } })

/** What a test does with the plugin of its server, and what has come of it. */
const probe = singleton('probe', (ctx: ContextOf<typeof dependencies>) => ({
  handled: [] as number[],
  fail: new Set<number>(),
  emitAll: (numbers: readonly number[]) =>
    ctx.transaction(trx => ctx.emit(trx, happened, caller, numbers.map(occurrence))),
  emit: (n: number, roll = false) =>
    ctx.transaction(async trx => {
      await ctx.emit(trx, happened, caller, [occurrence(n)])
      if (roll) throw new Error('rolled back')
    }),
  enqueue: (n: number) => ctx.enqueue(ctx.db, keyed, [{ n }], { key: 'same', delaySeconds: 1 })
}))

const tests = definePlugin(dependencies, {
  summary: 'Emits and handles',
  register(ctx) {
    ctx.on([happened], {}, async (occurred, ctx) => {
      const { fail, handled } = ctx.get(probe)
      for (const {
        data: { n }
      } of occurred) {
        if (fail.delete(n)) throw new Error('the first try fails')
        handled.push(n)
      }
    })
    ctx.work(keyed, {}, async ([payload], ctx) => {
      ctx.get(probe).handled.push(payload!.n)
    })
  },
  routes(_app, ctx) {
    ctx.get(probe)
  }
})
const batches = singleton('batches', (): number[][] => [])
const listener = definePlugin(dependsOn(contract()('listener')), {
  summary: 'Handles what another plugin emits, several at once',
  register(ctx) {
    ctx.on([happened], { batch: 10, debounceSeconds: 0.3, maxQuietWaitSeconds: 2 }, async (occurred, ctx) => {
      ctx.get(batches).push(occurred.map(({ data }) => data.n))
    })
  },
  routes(_app, ctx) {
    ctx.get(batches)
  }
})
const testsPlugin = () => ({
  tests: async () => ({ default: tests }),
  listener: async () => ({ default: listener })
})
const serviceOf = ({ container }: TestServer) => ({
  ...container.resolve<ReturnType<typeof probe.make>>('tests/probe'),
  batches: container.resolve<number[][]>('listener/batches')
})

t.test('an event is handled after commit, never after a rollback, and again when its handler failed', async t => {
  const server = await testServer({ plugins: ['workspace'], also: testsPlugin() })
  t.teardown(() => server.close())
  const service = serviceOf(server)
  await service.emit(1)
  await t.rejects(service.emit(2, true), /rolled back/)
  service.fail.add(3)
  await service.emit(3)
  while (!service.handled.includes(3)) await new Promise(resolve => setTimeout(resolve, 50))
  await server.idle()
  t.strictSame(service.handled, [1, 3])
  t.strictSame(
    (await sql`select state from pgboss.job where name like 'tests.happened%'`.execute(server.database.db)).rows,
    [],
    'and nothing is left of them'
  )
})

t.test('each plugin that listens hears of an event; one that gathers, of several at once', async t => {
  const server = await testServer({ plugins: ['workspace'], also: testsPlugin() })
  t.teardown(() => server.close())
  const service = serviceOf(server)
  for (const n of [1, 2, 3]) await service.emit(n)
  await server.idle()
  t.strictSame(service.handled.toSorted(), [1, 2, 3])
  t.strictSame(service.batches.flat().toSorted(), [1, 2, 3])
  t.ok(service.batches.length < 3, 'not one by one')
})

t.test('one that is patient is heard though more and more comes', async t => {
  const server = await testServer({ plugins: ['workspace'], also: testsPlugin() })
  t.teardown(() => server.close())
  const service = serviceOf(server)
  let emitted = 0
  while (service.batches.length === 0) {
    await service.emit(emitted++)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  await server.idle()
  t.same(
    service.batches.flat().toSorted((a, b) => a - b),
    Array.from({ length: emitted }, (_, n) => n),
    'once each'
  )
})

t.test('one change goes ahead of the many of an import', async t => {
  const first = await testServer({ plugins: ['workspace'], also: testsPlugin(), settings: { jobs: false } })
  t.teardown(() => first.close())
  const service = serviceOf(first)
  await service.emitAll(Array.from({ length: 12 }, (_, n) => n))
  await service.emit(100)

  const second = await testServer({ plugins: ['workspace'], also: testsPlugin(), on: first })
  t.teardown(() => second.close())
  await second.idle()
  const { batches } = serviceOf(second)
  t.ok(batches[0]?.includes(100))
  t.equal(batches.flat().length, 13)
})

t.test('of a keyed job one waits', async t => {
  const server = await testServer({ plugins: ['workspace'], also: testsPlugin() })
  t.teardown(() => server.close())
  const service = serviceOf(server)
  await Promise.all([1, 2, 3].map(n => service.enqueue(n)))
  while (service.handled.length === 0) await new Promise(resolve => setTimeout(resolve, 50))
  await server.idle()
  t.equal(service.handled.length, 1)
})

t.test('what waited when the server ended is handled by the next', async t => {
  const first = await testServer({ plugins: ['workspace'], also: testsPlugin(), settings: { jobs: false } })
  t.teardown(() => first.close())
  const service = serviceOf(first)
  await service.emit(1)
  await service.emit(2)
  t.strictSame(service.handled, [])

  const second = await testServer({ plugins: ['workspace'], also: testsPlugin(), on: first })
  t.teardown(() => second.close())
  await second.idle()
  t.strictSame(serviceOf(second).handled.toSorted(), [1, 2])
})
