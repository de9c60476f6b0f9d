import { sql } from 'kysely'
import t from 'tap'
import type { Installed } from '../config.ts'
import { contract, definePlugin, event, job } from '../plugin.ts'
import { testServer } from '../../test/harness.ts'

const happened = event<{ n: number }>('tests.happened')
const keyed = job<{ n: number }>('tests.keyed', { keyed: true })
interface Services {
  emitAll(n: readonly number[]): Promise<void>
  batches: number[][]
  emit(n: number, fail?: boolean): Promise<void>
  enqueue(n: number): Promise<void>
  handled: number[]
  fail: Set<number>
}
const token = contract<Services>()('tests')

function testsPlugin(): Installed {
  const handled: number[] = []
  const batches: number[][] = []
  const fail = new Set<number>()
  const plugin = definePlugin({
    contract: token,
    summary: 'Emits and handles',
    register(ctx) {
      ctx.on(happened, {}, async payloads => {
        for (const { n } of payloads) {
          if (fail.delete(n)) throw new Error('the first try fails')
          handled.push(n)
        }
      })
      ctx.work(keyed, {}, async ([payload]) => {
        handled.push(payload!.n)
      })
      return {
        handled,
        batches,
        emitAll: numbers =>
          ctx.transaction(trx =>
            ctx.emit(
              trx,
              happened,
              numbers.map(n => ({ n }))
            )
          ),
        fail,
        async emit(n, roll = false) {
          await ctx.transaction(async trx => {
            await ctx.emit(trx, happened, [{ n }])
            if (roll) throw new Error('rolled back')
          })
        },
        enqueue: n => ctx.enqueue(ctx.db, keyed, [{ n }], { key: 'same', delaySeconds: 1 })
      }
    }
  })
  const listener = definePlugin({
    contract: contract()('listener'),
    summary: 'Handles what another plugin emits, several at once',
    register(ctx) {
      ctx.on(happened, { batch: 10, gatherSeconds: 0.3, patienceSeconds: 2 }, async payloads => {
        batches.push(payloads.map(({ n }) => n))
      })
      return {}
    }
  })
  return { tests: async () => ({ default: plugin }), listener: async () => ({ default: listener }) }
}

t.test('an event is handled after commit, never after a rollback, and again when its handler failed', async t => {
  const server = await testServer({ plugins: ['workspace'], also: testsPlugin() })
  t.teardown(() => server.close())
  const service = server.container.resolve<Services>('tests')
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
  const service = server.container.resolve<Services>('tests')
  for (const n of [1, 2, 3]) await service.emit(n)
  await server.idle()
  t.strictSame(service.handled.toSorted(), [1, 2, 3])
  t.strictSame(service.batches.flat().toSorted(), [1, 2, 3])
  t.ok(service.batches.length < 3, 'not one by one')
})

t.test('one that is patient is heard though more and more comes', async t => {
  const server = await testServer({ plugins: ['workspace'], also: testsPlugin() })
  t.teardown(() => server.close())
  const service = server.container.resolve<Services>('tests')
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
  const service = first.container.resolve<Services>('tests')
  await service.emitAll(Array.from({ length: 12 }, (_, n) => n))
  await service.emit(100)

  const second = await testServer({ plugins: ['workspace'], also: testsPlugin(), on: first })
  t.teardown(() => second.close())
  await second.idle()
  const { batches } = second.container.resolve<Services>('tests')
  t.ok(batches[0]?.includes(100))
  t.equal(batches.flat().length, 13)
})

t.test('of a keyed job one waits', async t => {
  const server = await testServer({ plugins: ['workspace'], also: testsPlugin() })
  t.teardown(() => server.close())
  const service = server.container.resolve<Services>('tests')
  await Promise.all([1, 2, 3].map(n => service.enqueue(n)))
  while (service.handled.length === 0) await new Promise(resolve => setTimeout(resolve, 50))
  await server.idle()
  t.equal(service.handled.length, 1)
})

t.test('what waited when the server ended is handled by the next', async t => {
  const first = await testServer({ plugins: ['workspace'], also: testsPlugin(), settings: { jobs: false } })
  t.teardown(() => first.close())
  const service = first.container.resolve<Services>('tests')
  await service.emit(1)
  await service.emit(2)
  t.strictSame(service.handled, [])

  const second = await testServer({ plugins: ['workspace'], also: testsPlugin(), on: first })
  t.teardown(() => second.close())
  await second.idle()
  t.strictSame(second.container.resolve<Services>('tests').handled.toSorted(), [1, 2])
})
