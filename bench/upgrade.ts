/*
 * How long each migration since release 0.1.0 takes on a board of a million issues, beside what `upgrade --check` says:
 * TEST_DATABASE_URL=postgres://… node --require ./core/start/preload.cjs bench/upgrade.ts [ISSUES]
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { pino } from 'pino'
import { configure } from '../core/config/config.ts'
import { linesOf, secondsOf } from '../core/db/migrate/trial/duration.ts'
import { readSizes } from '../core/db/migrate/trial/queries.ts'
import { tryMigrations } from '../core/db/migrate/trial/trial.ts'
import { makeDatabase } from '../core/db/database.ts'
import { pendingMigrations, type Owner } from '../core/db/migrate/migrate.ts'
import { ownersOf } from '../core/kernel/server.ts'
import { installed } from '../plugins/index.ts'
import { withConnection } from '../test/runner/templates.ts'

const url = process.env['TEST_DATABASE_URL']
if (url === undefined) throw new Error('Set TEST_DATABASE_URL to a PostgreSQL server: scripts/postgres.sh start')
const issues = Number(process.argv[2] ?? 1_000_000)
const log = pino({ level: 'silent' })

/** Loads data of 0.1.0, and adds issues: each with a description of 600 bytes, and two changes. */
async function fill(client: pg.Client): Promise<void> {
  await client.query(await readFile(new URL('../test/upgrades/0.1.0.postgres.sql', import.meta.url), 'utf8'))
  // Without foreign keys and triggers, it is filled in a fraction of the time.
  await client.query('set search_path = public; set session_replication_role = replica')
  await copyRows(client, 'issue', issues, `id = gen_random_uuid(), number = 1000 + n, title = 'Issue ' || n`)
  await copyRows(client, 'issue_change', 2 * issues, 'id = gen_random_uuid()')
  await client.query('vacuum analyze')
}

/** Inserts copies of a row of a table, with other values in some columns. */
async function copyRows(client: pg.Client, table: string, count: number, changes: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' and attidentity = ''`,
    [table]
  )
  const changed = new Map(changes.split(', ').map(change => change.split(' = ') as [string, string]))
  const columns = rows.map(({ name }) => name)
  await client.query(`
    insert into ${table} (${columns.join(', ')})
    select ${columns.map(name => changed.get(name) ?? `t.${name}`).join(', ')}
    from (select * from ${table} limit 1) t, generate_series(1, ${count}) n`)
}

async function ownersOfAll(): Promise<Owner[]> {
  const configuration = await configure(installed, {
    plugins: Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: true }]))
  })
  return ownersOf(configuration.plugins)
}

const name = `tracker_bench_${randomBytes(4).toString('hex')}`
const databaseUrl = Object.assign(new URL(url), { pathname: name }).href
await withConnection(url, client => client.query(`create database ${name}`))
const database = makeDatabase({ url: databaseUrl, poolSize: 2 })
try {
  await withConnection(databaseUrl, fill)
  await database.open()
  const { db } = database
  const owners = await ownersOfAll()
  const pending = await pendingMigrations(db, owners, log)
  const sizes = await readSizes(db)
  const steps = await tryMigrations(owners, pending, log)
  for (const step of steps) {
    const { up } = await owners.find(({ name }) => name === step.owner)!.migrations[step.name]!()
    const begin = performance.now()
    await db
      .withoutPlugins()
      .transaction()
      .execute(async trx => {
        await sql`select set_config('statement_timeout', '0', true)`.execute(trx)
        await up(trx)
      })
    const seconds = (performance.now() - begin) / 1000
    const said = step.effects.reduce((sum, effect) => {
      const size = sizes.get(effect.table)
      return size === undefined ? sum : sum + secondsOf(effect, size)
    }, 0)
    const lines = linesOf(step, sizes).join('\n    ')
    console.log(`${seconds.toFixed(1)} s, said ${said.toFixed(1)} s: ${step.owner}/${step.name}\n    ${lines}`)
  }
  console.log([...sizes].filter(([, { rows }]) => rows > issues / 2))
} finally {
  await database.close()
  await withConnection(url, client => client.query(`drop database ${name} with (force)`))
}
