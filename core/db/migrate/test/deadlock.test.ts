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
  const isRequestWaiting = async () => {
    const { rows } = await sql`
      select from pg_locks where not granted and relation = 'first_table'::regclass`.execute(db)
    return rows.length > 0
  }
  const requestWaits = (async () => {
    while (!(await isRequestWaiting())) await sleep(10)
  })()
  let attempts = 0
  const migration = async () => ({
    async up(trx: Kysely<unknown>) {
      attempts++
      await hasSecond.promise
      await lock(trx, 'first_table')
      hasFirst.resolve()
      await requestWaits
      await lock(trx, 'second_table')
    }
  })
  const request = db.transaction().execute(async trx => {
    await lock(trx, 'second_table')
    hasSecond.resolve()
    await hasFirst.promise
    // PostgreSQL stops the first of two waiting transactions that looks for a deadlock: this one never looks.
    await sql`set local deadlock_timeout = '1h'`.execute(trx)
    await lock(trx, 'first_table')
  })
  const owners = [{ name: 'notes', migrations: { '001_notes': migration } }]
  await Promise.all([migrateAll(db, owners, pino({ level: 'silent' })), request])
  t.equal(attempts, 2)
})
