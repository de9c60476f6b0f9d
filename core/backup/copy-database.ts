import type { Kysely, Transaction } from 'kysely'
import type { CoreTables } from '../api/database/types.ts'
import { hasCitus } from '../db/distributed.ts'
import * as queries from './copy-queries.ts'

const MAX_BATCH_BYTES = 4 * 1024 * 1024
const MAX_BATCH_ROWS = 500

/** Replaces the rows of `to`, in one transaction of each, and compares. @throws Error when tables or values differ */
export async function copyDatabase(from: Kysely<CoreTables>, to: Kysely<CoreTables>): Promise<void> {
  for (const db of [from, to]) {
    if (await hasCitus(db)) throw new Error('A database with Citus is saved by pg_dump: docs/citus.md.')
  }
  // All statements are raw, and name their columns themselves.
  const [source, target] = [from, to].map(db => db.withoutPlugins() as unknown as Kysely<unknown>)
  await source!
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(reading => target!.transaction().execute(writing => copyAll(reading, writing)))
}

async function copyAll(from: Transaction<unknown>, to: Transaction<unknown>): Promise<void> {
  await queries.prepareCopy(from)
  await queries.prepareCopy(to)
  const tables = await commonTables(from, to)
  const indexes = await queries.readIndexes(from)
  const foreignKeys = await queries.emptyTables(to, tables)
  const digests = new Map<string, queries.TableDigest>()
  for (const table of tables) {
    const digest = await queries.digestTable(from, table)
    digests.set(table.name, digest)
    const fitting = Math.floor(MAX_BATCH_BYTES / Math.max(1, Number(digest.maxRowBytes)))
    const rowsAtOnce = Math.max(1, Math.min(MAX_BATCH_ROWS, fitting))
    for await (const rows of queries.readRowsOf(from, table, rowsAtOnce)) await queries.insertRows(to, table, rows)
  }
  for (const sequence of await queries.readSequences(to)) await queries.copySequence(from, to, sequence)
  await queries.completeTables(to, tables, indexes, foreignKeys)
  for (const table of tables) {
    const { rows, digest } = await queries.digestTable(to, table)
    const saved = digests.get(table.name)!
    if (rows === saved.rows && digest === saved.digest) continue
    throw new Error(`The copy of the table ${table.name} differs from it: nothing was changed. Please report this.`)
  }
}

async function commonTables(from: Transaction<unknown>, to: Transaction<unknown>): Promise<queries.CopiedTable[]> {
  const [migrationsFrom, migrationsTo] = [await queries.readMigrations(from), await queries.readMigrations(to)]
  const missing = migrationsFrom.filter(name => !migrationsTo.includes(name))
  if (missing.length > 0) {
    const owners = new Set(missing.map(name => name.replace(/^migration_(.*)\/.*/, '$1')))
    throw new Error(
      `The database has tables of ${[...owners].join(', ')} which this configuration does not know: turn these ` +
        'plugins on, or use the newer version of tracker that made them.'
    )
  }
  const tables = await queries.readTables(to)
  const others = new Map((await queries.readTables(from)).map(table => [table.name, JSON.stringify(table)]))
  const different = tables.filter(table => others.get(table.name) !== JSON.stringify(table))
  if (different.length > 0) {
    const names = different.map(({ name }) => name).join(', ')
    throw new Error(`The tables ${names} have other columns in the two databases: migrate both with this version.`)
  }
  return tables
}
