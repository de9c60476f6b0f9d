import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { onPostgres, runsOnCitus, testServer } from '../../../test/runner/harness.ts'

const CONNECTIONS = 4
const REQUESTS = 16

const skip = (!onPostgres || (await runsOnCitus())) && 'needs TEST_DATABASE_URL of one PostgreSQL'

t.test('requests that look for what is ready leave connections to those that write', { skip }, async t => {
  const server = await testServer({ settings: { databasePool: CONNECTIONS } })
  t.teardown(() => server.close())
  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'The only one' } })
  await server.idle()
  const blocker = await testServer({ on: server, settings: { jobs: false } })
  t.teardown(() => blocker.close())
  const { promise: done, resolve: release } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = blocker.database.db.transaction().execute(async trx => {
    // Raw: a command. Queries of blockers wait for it.
    await sql`lock table issue_relation in access exclusive mode`.execute(trx)
    locked.resolve()
    await done
  })
  await locked.promise
  const looking = Array.from({ length: REQUESTS }, (_, n) => {
    if (n % 3 === 0) return server.call('/v1/issues/ready')
    if (n % 3 === 1) return server.call('/v1/issues/pick_up_next', { body: {} })
    return server.call('/v1/issues/filter', { body: { filters: { isReady: true }, perPage: 5 } })
  })
  await sleep(500)
  const written = await Promise.race([
    server.call('/v1/labels', { body: { name: 'Written meanwhile' } }),
    sleep(5_000, undefined)
  ])
  release()
  await holding
  t.equal(written?.statusCode, 201)
  for (const { statusCode } of await Promise.all(looking)) t.equal(statusCode, 200)
})
