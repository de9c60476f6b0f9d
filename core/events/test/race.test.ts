import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import t from 'tap'
import { onPostgres, testServer } from '../../../test/harness.ts'
import { makeEventLog } from '../log.ts'
import { lastPosition, readLog } from '../read.ts'
import { changed, makeTables, write } from './writers.ts'

t.setTimeout(240_000)
const skip = !onPostgres && 'needs a PostgreSQL server'

/** A replica's log in this process. */
const makeLog = (server: Awaited<ReturnType<typeof testServer>>) =>
  makeEventLog({
    database: server.database,
    log: pino({ level: 'silent' }),
    working: true,
    directUrl: server.databaseUrl,
    leaseSeconds: 2,
    now: () => new Date()
  })
const workspaceOf = async ({ database: { db } }: Awaited<ReturnType<typeof testServer>>) =>
  (await db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()).id

t.test('what commits late is waited for, and what appends nothing is not', { skip }, async t => {
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
    await log.horizon.refresh()
    const range = { after: 0, upTo: log.horizon.decided, limit: 100 }
    return (await readLog(db, range, { types: ['thing.changed'] })).map(({ rev }) => rev)
  }
  // The first to begin is the last to change the thing; another one that appended before both is open all the while.
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
const ID = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'

t.test('readers and consumers that are killed cover every event, in order', { skip }, async t => {
  const server = await testServer({ plugins: ['workspace'] })
  t.teardown(() => server.close())
  const { db } = server.database
  await makeTables(db)
  const log = makeLog(server)
  await log.prepare()

  const running = new Set<ChildProcess>()
  t.teardown(() => running.forEach(child => child.kill('SIGKILL')))
  const startReplica = async (name: string) => {
    const child = fork(new URL('./replica.ts', import.meta.url), [server.databaseUrl!, name])
    running.add(child)
    await once(child, 'message')
    return child
  }
  const replicas = [await startReplica('0'), await startReplica('1')]

  // A reader that asks for pages, as a client does.
  let isWriting = true
  const pages: string[] = []
  const reading = (async () => {
    for (let after = 0, isLast = false; ;) {
      isLast = !isWriting
      await log.horizon.refresh()
      const upTo = await lastPosition(db, log.horizon.decided)
      const events = await readLog(db, { after, upTo, limit: 40 }, { types: ['thing.changed'] })
      pages.push(...events.map(({ subject, rev }) => `${subject.id} ${rev}`))
      after = events.at(-1)?.position ?? after
      if (isLast && events.length === 0) return
      await sleep(1)
    }
  })()
  const killing = (async () => {
    for (let n = 2; n < 5; n++) {
      await sleep(1_500)
      const [victim] = replicas.splice(0, 1)
      victim!.kill('SIGKILL')
      running.delete(victim!)
      replicas.push(await startReplica(String(n)))
    }
  })()
  const workspaceId = await workspaceOf(server)
  const committed = await write({ db, logs: [log], workspaceId, writers: 20, each: 40, subjects: 30 })
  await killing
  isWriting = false
  await reading

  t.strictSame(new Set(pages), new Set(committed.keys()), 'pages cover every event')
  t.equal(pages.length, committed.size, 'once each')
  t.ok(isInOrder(pages), 'in the order of revisions')

  const seen = async () =>
    (
      await sql<{ key: string; process: string }>`
        select subject_id || ' ' || rev as key, process from race_seen order by n`.execute(db)
    ).rows
  while (new Set((await seen()).map(({ key }) => key)).size < committed.size) await sleep(100)
  const rows = await seen()
  t.strictSame(new Set(rows.map(({ key }) => key)), new Set(committed.keys()), 'the consumer covers every event')
  t.ok(isInOrder([...new Set(rows.map(({ key }) => key))]), 'in the order of revisions')
  t.ok(rows.length - committed.size <= 3 * 50, 'each kill repeats at most the last batch')
  t.ok(new Set(rows.map(({ process }) => process)).size > 1, 'others took over')
  await log.stop()
})

/** Of `subject rev`: whether the revisions of each subject only grow. */
function isInOrder(keys: readonly string[]): boolean {
  const last = new Map<string, number>()
  return keys.every(key => {
    const [subject, rev] = [key.slice(0, 36), Number(key.slice(37))]
    const before = last.get(subject) ?? 0
    last.set(subject, rev)
    return rev > before
  })
}
