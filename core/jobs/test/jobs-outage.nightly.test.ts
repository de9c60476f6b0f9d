import { pino } from 'pino'
import { fromKysely, PgBoss } from 'pg-boss'
import t, { type Test } from 'tap'
import { onPostgres } from '../../../test/runner/harness.ts'
import { ownPostgres } from '../../../test/runner/own-postgres.ts'
import { configure } from '../../config/config.ts'
import { contract, job } from '../../api/contract.ts'
import { definePlugin, dependsOn, singleton, type ContextOf } from '../../api/plugin.ts'
import { build, type Server } from '../../kernel/server.ts'

const token = contract()('counting')
const dependencies = dependsOn(token)
const counted = job<{ n: number }>()(token, 'counted')
const options = { skip: !onPostgres && 'needs a PostgreSQL server' }

interface Counting {
  enqueue(n: number): Promise<void>
  begun: number[]
  done: number[]
  /** Awaited by the handler while it is set. */
  gate: Promise<void> | undefined
}

const counting = singleton('counting', (ctx: ContextOf<typeof dependencies>): Counting => ({
  begun: [],
  done: [],
  gate: undefined,
  enqueue: n => ctx.enqueue('now', counted, [{ n }])
}))

/** A plugin whose handler reads the database, as every real one does. */
const countingPlugin = definePlugin(dependencies, {
  summary: 'Counts',
  register(ctx) {
    ctx.work(counted, {}, async ([payload], ctx) => {
      const { begun, done } = ctx.get(counting)
      begun.push(payload!.n)
      await ctx.get(counting).gate
      await ctx.db.selectFrom('workspace').select('id').execute()
      done.push(payload!.n)
    })
  },
  routes(_app, ctx) {
    ctx.get(counting)
  }
})

async function serverOn(t: Test, databaseUrl: string, jobs = true): Promise<{ server: Server; counting: Counting }> {
  const configuration = await configure(
    { counting: async () => ({ default: countingPlugin }) },
    { databaseUrl, jobs, plugins: { counting: { enabled: true } } }
  )
  const server = await build({ configuration, logger: pino({ level: 'silent' }) })
  t.teardown(() => server.close())
  await server.start()
  return { server, counting: server.container.resolve<Counting>('counting/counting') }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 50))
}

t.test('a job that was active when PostgreSQL was killed is done after its restart', options, async t => {
  const postgres = await ownPostgres()
  t.teardown(() => postgres.remove())
  const { counting } = await serverOn(t, postgres.url)
  const { promise, resolve } = Promise.withResolvers<void>()
  counting.gate = promise
  await counting.enqueue(1)
  await until(() => counting.begun.length === 1)
  await postgres.kill()
  resolve()
  counting.gate = undefined
  await postgres.start()
  await until(() => counting.done.includes(1))
  await counting.enqueue(2)
  await until(() => counting.done.includes(2))
  t.strictSame(
    [counting.begun, counting.done],
    [
      [1, 1, 2],
      [1, 2]
    ]
  )
})

t.test('a job whose worker crashed is done by another', options, async t => {
  const postgres = await ownPostgres()
  t.teardown(() => postgres.remove())
  const { server, counting } = await serverOn(t, postgres.url, false)
  await counting.enqueue(1)
  const dead = new PgBoss({ db: fromKysely(server.database.db.withoutPlugins()), supervise: false })
  await dead.start()
  t.equal((await dead.fetch(counted.name)).length, 1, 'it is active, and nobody works on it')
  await dead.stop({ graceful: false })

  const alive = await serverOn(t, postgres.url)
  await until(() => alive.counting.done.includes(1))
  t.strictSame([counting.done, alive.counting.done], [[], [1]])
})
