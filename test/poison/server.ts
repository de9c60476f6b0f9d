/*
 * A server, for the tests beside it, with a consumer and a job that crash or block the process on poison. They append
 * each handled name to the file POISON_LOG.
 */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { readConfiguration } from '../../core/config/config.ts'
import { contract, job } from '../../core/api/contract.ts'
import { listDeadLetters } from '../../core/events/consumers/dead-letters.ts'
import { eventType } from '../../core/events/contract.ts'
import { definePlugin, dependsOn } from '../../core/api/plugin.ts'
import { eventTypes } from '../../core/api/points.ts'
import { Closed } from '../../core/api/schemas.ts'
import { build } from '../../core/kernel/server.ts'
import { installed } from '../../plugins/index.ts'

const ID = '00000000-0000-4000-8000-000000000000'
const token = contract()('poison')
const swallowed = eventType(token, 'thing.swallowed', {
  summary: 'Something was swallowed.',
  data: Closed({ name: Type.String() })
})
const swallow = job<{ name: string }>()(token, 'swallow')

/** Ends the process, blocks it for ever, or does nothing. */
function take(name: string): void {
  if (name === 'exit') process.exit(1)
  if (name === 'kill') process.kill(process.pid, 'SIGKILL')
  if (name === 'spin') for (;;);
}
const note = (who: string, names: readonly string[]) =>
  appendFileSync(process.env['POISON_LOG']!, names.map(name => `${who} ${name}\n`).join(''))

const poison = definePlugin(dependsOn(token), {
  summary: 'Swallows poison',
  register(ctx) {
    ctx.contribute(eventTypes, swallowed)
    ctx.consume('victim', {
      events: [swallowed],
      batch: 16,
      onGap: 'skip',
      async handle(events) {
        for (const { data } of events) take(data.name)
        // Like a transaction: all of a batch or nothing.
        const names = events.map(({ data }) => data.name)
        note('victim', names)
      }
    })
    ctx.consume('bystander', {
      events: [swallowed],
      onGap: 'skip',
      async handle(events) {
        // Still at work when the other one crashes the process.
        await sleep(300)
        const names = events.map(({ data }) => data.name)
        note('bystander', names)
      }
    })
    ctx.work(swallow, { concurrency: 2, heartbeatSeconds: 10 }, async ([payload]) => {
      take(payload!.name)
      // Runs when the other one crashes the process.
      if (payload!.name === 'slow') await sleep(2_000)
      note('job', [payload!.name])
    })
  },
  routes(app, ctx) {
    const config = { public: true }
    const body = Closed({ names: Type.Array(Type.String()) })
    app.post('/events', { config, schema: { body } }, async ({ body }) => {
      const { id } = await ctx.db.selectFrom('workspace').select('id').orderBy('createdAt').executeTakeFirstOrThrow()
      const swallowings = body.names.map(name => ({ subjectId: ID, data: { name } }))
      await ctx.transaction(trx => ctx.emit(trx, swallowed, ctx.asServer(id), swallowings))
      return {}
    })
    app.post('/jobs', { config, schema: { body } }, async ({ body }) => {
      await ctx.transaction(trx =>
        ctx.enqueue(
          trx,
          swallow,
          body.names.map(name => ({ name }))
        )
      )
      return {}
    })
    // Raw, because the table is a library's.
    app.get('/failed', { config }, async () => {
      const failed = sql`
        select data->>'name' as name, output->>'message' as reason from pgboss.job where state = 'failed'`
      return (await failed.execute(ctx.db)).rows
    })
    app.get('/letters', { config }, async () => listDeadLetters(ctx.db))
  }
})

const plugins = { ...installed, poison: async () => ({ default: poison }) }
const configuration = await readConfiguration(plugins, process.env)
const server = await build({ configuration, leaseSeconds: 2 })
await server.start()
await server.app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.on('SIGTERM', () => {
  server.close().then(
    () => process.exit(0),
    () => process.exit(1)
  )
})
