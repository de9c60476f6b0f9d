import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { contract, job } from '../../api/contract.ts'
import { definePlugin, dependsOn, singleton, type ContextOf } from '../../api/plugin.ts'
import { onPostgres, testServer, type TestServer } from '../../../test/runner/harness.ts'

const token = contract()('tests')
const dependencies = dependsOn(token)
const plain = job<{ n: number }>()(token, 'plain')
const keyed = job<{ n: number }>()(token, 'keyed', { keyed: true })

/** The test's access to the plugin, and the results. */
const probe = singleton('probe', (ctx: ContextOf<typeof dependencies>) => ({
  done: [] as number[],
  closing: async () => {},
  fail: new Set<number>(),
  /** Awaited by jobs before they begin. */
  begun: async () => {},
  enqueue: (n: number, roll = false) =>
    ctx.transaction(async trx => {
      await ctx.enqueue(trx, plain, [{ n }])
      if (roll) throw new Error('rolled back')
    }),
  enqueueKeyed: (n: number) => ctx.enqueue('now', keyed, [{ n }], { key: 'same', delaySeconds: 1 })
}))

const tests = definePlugin(dependencies, {
  summary: 'Enqueues and works',
  register(ctx) {
    ctx.work(plain, {}, async ([payload], ctx) => {
      const { fail, done, begun } = ctx.get(probe)
      await begun()
      if (fail.delete(payload!.n)) throw new Error('the first try fails')
      done.push(payload!.n)
    })
    ctx.work(keyed, {}, async ([payload], ctx) => {
      ctx.get(probe).done.push(payload!.n)
    })
  },
  routes(app, ctx) {
    const tested = ctx.get(probe)
    app.addHook('preClose', () => tested.closing())
  }
})
const hourly = definePlugin(dependsOn(contract()('hourly')), {
  summary: 'Works every hour',
  register(ctx) {
    const work = job<Record<string, never>>()(contract()('hourly'), 'work')
    ctx.work(work, {}, async () => {})
    ctx.schedule(work, '0 * * * *')
  }
})
const start = (options: Parameters<typeof testServer>[0] = {}) =>
  testServer({ plugins: ['workspace'], also: { tests: async () => ({ default: tests }) }, ...options })
const probeOf = ({ container }: TestServer) => container.resolve<ReturnType<typeof probe.make>>('tests/probe')

t.test('a job is done after the commit, never after a rollback, and again when it failed', async t => {
  const server = await start()
  t.teardown(() => server.close())
  const { enqueue, fail, done } = probeOf(server)
  await enqueue(1)
  await t.rejects(enqueue(2, true), /rolled back/)
  fail.add(3)
  await enqueue(3)
  while (!done.includes(3)) await new Promise(resolve => setTimeout(resolve, 50))
  await server.idle()
  t.strictSame(done, [1, 3])
})

t.test('of a keyed job one waits', async t => {
  const server = await start()
  t.teardown(() => server.close())
  const { enqueueKeyed, done } = probeOf(server)
  await Promise.all([1, 2, 3].map(n => enqueueKeyed(n)))
  while (done.length === 0) await new Promise(resolve => setTimeout(resolve, 50))
  await server.idle()
  t.equal(done.length, 1)
})

t.test('a job that waited when the server ended is done by the next', async t => {
  const first = await start({ settings: { jobs: false } })
  t.teardown(() => first.close())
  await probeOf(first).enqueue(1)
  t.strictSame(probeOf(first).done, [])

  const second = await start({ on: first })
  t.teardown(() => second.close())
  await second.idle()
  t.strictSame(probeOf(second).done, [1])
})

t.test('waiting jobs are done one after the other, without waiting for the next poll', async t => {
  let polls = 0
  const onStatement = (text: string) => {
    if (text.includes('"dueInMs"')) polls++
  }
  const first = await start({ settings: { jobs: false } })
  t.teardown(() => first.close())
  const all = Array.from({ length: 20 }, (_, n) => n)
  for (const n of all) await probeOf(first).enqueue(n)
  const second = await start({ on: first, onStatement })
  t.teardown(() => second.close())
  while (probeOf(second).done.length < all.length) await sleep(50)
  t.strictSame(
    probeOf(second).done.toSorted((a, b) => a - b),
    all
  )
  t.ok(polls < all.length / 2, `${polls} polls`)
})

t.test('nothing is scheduled for a plugin that was turned off', async t => {
  const schedulesOf = async ({ database: { db } }: TestServer) => {
    const { rows } = await sql<{ name: string }>`select name from pgboss.schedule`.execute(db)
    return rows.map(({ name }) => name)
  }
  const first = await start({ also: { hourly: async () => ({ default: hourly }) } })
  t.teardown(() => first.close())
  t.ok((await schedulesOf(first)).includes('hourly.work'))
  // A command with other settings, for example of a shell that lacks the server's variables.
  const command = await start({ on: first, settings: { jobs: false } })
  t.teardown(() => command.close())
  t.ok((await schedulesOf(command)).includes('hourly.work'), 'only a process that works changes schedules')
  const second = await start({ on: first })
  t.teardown(() => second.close())
  t.notOk((await schedulesOf(second)).includes('hourly.work'))
})

t.test('a start stores only the schedules that have changed', async t => {
  const schedulesOf = async ({ database: { db } }: TestServer) => {
    const { rows } = await sql<{ name: string; cron: string; storedAt: string }>`
      select name, cron, updated_on::text as "storedAt" from pgboss.schedule order by name`.execute(db)
    return rows
  }
  const first = await start()
  t.teardown(() => first.close())
  const [other, ...others] = await schedulesOf(first)
  await sql`update pgboss.schedule set cron = '0 0 1 1 *' where name = ${other?.name}`.execute(first.database.db)
  const second = await start({ on: first })
  t.teardown(() => second.close())
  const [restored, ...kept] = await schedulesOf(second)
  t.equal(restored?.cron, other?.cron)
  t.ok(others.length > 0)
  t.strictSame(kept, others)
})

t.test('a job that is enqueued while its server closes is left to another process', { skip: !onPostgres }, async t => {
  const first = await start()
  const tested = probeOf(first)
  tested.closing = async () => {
    await tested.enqueue(1)
    // Twice the interval of a worker's polls.
    await new Promise(resolve => setTimeout(resolve, 2_000))
  }
  await first.close()
  t.strictSame(tested.done, [])

  const second = await start({ on: first })
  t.teardown(() => second.close())
  await second.idle()
  t.strictSame(probeOf(second).done, [1])
})

t.test('a job that outlasts the stop of its server is begun again by the next one', { skip: !onPostgres }, async t => {
  const first = await start()
  const tested = probeOf(first)
  const begun = Promise.withResolvers<void>()
  tested.begun = () => {
    begun.resolve()
    return new Promise(() => {})
  }
  await tested.enqueue(1)
  await begun.promise
  await first.close()

  const second = await start({ on: first, settings: { jobs: false } })
  t.teardown(() => second.close())
  const { rows } = await sql<{ state: string; retries: number }>`
    select state, retry_count as retries from pgboss.job where name = 'tests.plain'`.execute(second.database.db)
  t.same(rows, [{ state: 'created', retries: 0 }], 'at once, and the stop is no failure of it')
})

t.test('a server without work asks for jobs every two seconds, however many queues it has', async t => {
  const statements: string[] = []
  const server = await testServer({
    onStatement: sql => {
      if (sql.includes('pgboss.job') && !sql.includes('__pgboss')) statements.push(sql)
    }
  })
  t.teardown(() => server.close())
  await server.idle()
  statements.length = 0
  const begin = performance.now()
  await sleep(3_500)
  const seconds = (performance.now() - begin) / 1_000
  t.ok(
    statements.length >= 1 && statements.length <= seconds / 2 + 1,
    `${statements.length} statements in ${seconds} s`
  )
})
