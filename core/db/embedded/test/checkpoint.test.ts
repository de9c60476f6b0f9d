import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { onPostgres, testServer } from '../../../../test/runner/harness.ts'
import { temporaryFolder } from '../../../../test/runner/temporary-folder.ts'
import { makeDatabase } from '../../database.ts'
import { maintainEmbedded } from '../maintenance.ts'

const MIB = 1024 * 1024

t.test(
  'the write-ahead log of the embedded database does not grow for ever',
  { skip: onPostgres && 'PostgreSQL looks after its own' },
  async t => {
    const server = await testServer({ plugins: ['workspace'], settings: { jobs: false } })
    t.teardown(() => server.close())
    const { db } = server.database
    const walBytes = async () =>
      (
        await sql<{ bytes: number }>`
          select (pg_current_wal_insert_lsn() - redo_lsn)::float8 as bytes from pg_control_checkpoint()`.execute(db)
      ).rows[0]!.bytes
    await sql`create table filler (text text)`.execute(db)
    while ((await walBytes()) < 40 * MIB) {
      await sql`insert into filler select string_agg(md5(random()::text), '') from generate_series(1, 30000)`.execute(
        db
      )
    }
    await maintainEmbedded(db)
    t.ok((await walBytes()) < MIB, 'what is on disk need not be read again')
  }
)

t.test('time that passes opens no database that nothing has used', async t => {
  const dataDir = join(temporaryFolder(t), 'data')
  mock.timers.enable({ apis: ['setInterval'] })
  const database = makeDatabase({ dataDir, poolSize: 1 })
  mock.timers.tick(3_600_000)
  mock.timers.reset()
  await sleep(500)
  await database.close()
  t.notOk(existsSync(dataDir))
})

t.test('a database that is closed while its maintenance runs reports no error', async t => {
  const dataDir = join(temporaryFolder(t), 'data')
  const errors: unknown[] = []
  const begun = Promise.withResolvers<void>()
  mock.timers.enable({ apis: ['setInterval'] })
  const database = makeDatabase({
    dataDir,
    poolSize: 1,
    onAnswer: statement => statement.includes('pg_control_checkpoint') && begun.resolve(),
    onMaintenanceError: error => errors.push(error)
  })
  await sql`create table note (text text)`.execute(database.db)
  mock.timers.tick(60_000)
  mock.timers.reset()
  await begun.promise
  await database.close()
  await sleep(0)
  t.strictSame(errors, [])
})
