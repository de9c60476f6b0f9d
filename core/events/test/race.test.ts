import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import t from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { makeEventLog } from '../log.ts'
import { readLog } from '../read.ts'
import { happened, probeOf, probeServer } from '../../../test/event-probe.ts'
import { changed, makeTables } from './writers.ts'

const skip = !onPostgres && 'needs a PostgreSQL server'

/** A replica's log in this process. */
const makeLog = (server: Awaited<ReturnType<typeof testServer>>) =>
  makeEventLog({
    database: server.database,
    log: pino({ level: 'silent' }),
    working: true,
    directUrl: server.databaseUrl,
    now: () => new Date()
  })
const workspaceOf = async ({ database: { db } }: Awaited<ReturnType<typeof testServer>>) =>
  (await db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()).id

t.test('late commits are waited for, and transactions that append nothing are not', { skip }, async t => {
  const server = await testServer({ plugins: ['workspace'] })
  t.teardown(() => server.close())
  const { db } = server.database
  await makeTables(db)
  const log = makeLog(server)
  t.teardown(() => log.stop())
  const caller = { workspaceId: await workspaceOf(server), accountId: null, tokenId: null, scopes: [] }
  const begin = async () => {
    const trx = await db.startTransaction().execute()
    await sql`insert into race_other values (1)`.execute(trx)
    return trx
  }
  const append = (trx: Awaited<ReturnType<typeof begin>>, rev: number, subjectId = ID) =>
    log.append(trx, changed, caller, [{ subjectId, rev, data: {} }])
  const read = async () => {
    await log.horizon.refresh()
    const range = { after: 0, upTo: log.horizon.decided, limit: 100 }
    return (await readLog(db, range, { types: ['thing.changed'] })).map(({ rev }) => rev)
  }
  // The first to begin is the last to change the thing; another one, which appended before both, stays open.
  const [silent, first, open, second] = [await begin(), await begin(), await begin(), await begin()]
  await append(open, 0, OTHER)
  await append(second, 1)
  await second.commit().execute()
  await append(first, 2)
  await first.commit().execute()
  t.strictSame(await read(), [], 'the one that is open may still commit before them')
  await open.commit().execute()
  t.strictSame(await read(), [0, 1, 2], 'in the order of revisions, though the second one has the lower number')
  await silent.rollback().execute()
})

t.test('a page holds what was changed before, although another transaction is appending', { skip }, async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const { db } = server.database
  const caller = { workspaceId: await workspaceOf(server), accountId: null, tokenId: null, scopes: [] }
  const open = await db.startTransaction().execute()
  await server.events.append(open, happened, caller, [{ subjectId: ID, data: { n: 1 } }])
  await probeOf(server).emit([2])
  const page = server.ok<{ events: Array<{ data: object }> }>('/v1/events?types=thing.happened')
  await sleep(50)
  await open.commit().execute()
  t.match((await page).events, [{ data: { n: 1 } }, { data: { n: 2 } }])
})
const ID = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'
