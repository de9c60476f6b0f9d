import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { pino } from 'pino'
import t from 'tap'
import { onPostgres, testServer } from '../../../../test/runner/harness.ts'
import { migrateAll } from '../migrate.ts'

const lock = <DB>(on: Kysely<DB>, table: string) =>
  sql`lock table ${sql.table(table)} in access exclusive mode`.execute(on)

const skip = !onPostgres && 'the embedded database has one connection'

t.test('a migration that a request of an earlier release stops by a deadlock is repeated', { skip }, async t => {
  const server = await testServer({ plugins: [] })
  t.teardown(() => server.close())
  const db = server.database.db.withoutPlugins()
  await sql`create table first_table (n integer)`.execute(db)
  await sql`create table second_table (n integer)`.execute(db)
  const [hasFirst, hasSecond] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let attempts = 0
  const migration = async () => ({
    async up(trx: Kysely<unknown>) {
      attempts++
      await hasSecond.promise
      await lock(trx, 'first_table')
      hasFirst.resolve()
      await lock(trx, 'second_table')
    }
  })
  const isMigrationWaiting = async () => {
    const { rows } = await sql`
      select from pg_locks where not granted and relation = 'second_table'::regclass`.execute(server.database.db)
    return rows.length > 0
  }
  const request = db.transaction().execute(async trx => {
    await lock(trx, 'second_table')
    hasSecond.resolve()
    await hasFirst.promise
    // Who waits first is stopped: PostgreSQL looks for deadlocks after a second of waiting.
    while (!(await isMigrationWaiting())) await sleep(10)
    await lock(trx, 'first_table')
  })
  const owners = [{ name: 'notes', migrations: { '001_notes': migration } }]
  await Promise.all([migrateAll(db, owners, pino({ level: 'silent' })), request])
  t.equal(attempts, 2)
})
