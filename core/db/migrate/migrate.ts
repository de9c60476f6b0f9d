import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Migration } from 'kysely/migration'
import { version } from '../../../lib/packages/version.ts'
import { explainMigrationError } from '../start-errors.ts'
import { isConflict, retryConflicts } from '../transactions/retry.ts'

/** Runs beside this version while replicas are upgraded. */
export const RELEASE_BEFORE = '0.2.0'

/** By name: a start on an up-to-date database imports none. */
export type Migrations = Readonly<Record<string, () => Promise<Migration & Compatible>>>
interface Compatible {
  /** The oldest release that can run on the database. Default: `RELEASE_BEFORE`. */
  compatibleFrom?: string
}

export interface Owner {
  name: string
  migrations: Migrations
}
interface Applied {
  owner: string
  name: string
  /** Null: a release that recorded none. */
  compatibleFrom: string | null
}

/**
 * In the order of the owners, each with a table of its own for its migrations, so that plugins can be turned off and on
 * in any order.
 * @param allowed nothing is changed before it is fulfilled.
 * @throws Error that names the required release, when this one is too old for the database
 */
export async function migrateAll<DB>(
  db: Kysely<DB>,
  owners: readonly Owner[],
  log: FastifyBaseLogger,
  allowed: Promise<void> = Promise.resolve()
): Promise<void> {
  const pending = await pendingMigrations(db, owners, log)
  for (const { name, migrations } of owners) {
    const names = pending.filter(({ owner }) => owner === name).map(each => each.name)
    if (names.length === 0) continue
    await allowed
    // Requests of the release before may lock in another order.
    await retryConflicts(() =>
      db
        .withoutPlugins()
        .transaction()
        .execute(trx => migrate(trx, name, migrations, names))
    )
  }
}

/** In the order in which they are applied. @throws Error that names the required release, when this one is too old */
export async function pendingMigrations<DB>(
  db: Kysely<DB>,
  owners: readonly Owner[],
  log: FastifyBaseLogger
): Promise<Array<{ owner: string; name: string }>> {
  const applied = await appliedMigrations(db)
  assertNotTooOld(applied, owners, log)
  const done = new Set(applied.map(({ owner, name }) => `${owner}/${name}`))
  return owners
    .flatMap(({ name: owner, migrations }) =>
      Object.keys(migrations)
        .toSorted()
        .map(name => ({ owner, name }))
    )
    .filter(({ owner, name }) => !done.has(`${owner}/${name}`))
}

async function appliedMigrations<DB>(db: Kysely<DB>): Promise<Applied[]> {
  // Raw, as what follows: the catalogue, and tables that are read from it.
  const tables = await sql<{ table: string }>`
    select c.relname as table
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r'
      and c.relname like 'migration\\_%' and c.relname not like '%\\_lock'`.execute(db)
  if (tables.rows.length === 0) return []
  // JSON: release 0.1 has no column `compatible_from`.
  const selects = tables.rows.map(
    ({ table }) => sql`
      select ${table.slice('migration_'.length)} as owner, name, to_jsonb(m) ->> 'compatible_from' as "compatibleFrom"
      from ${sql.table(table)} m`
  )
  const { rows } = await sql<Applied>`${sql.join(selects, sql` union all `)}`.execute(db.withoutPlugins())
  return rows
}

function assertNotTooOld(applied: readonly Applied[], owners: readonly Owner[], log: FastifyBaseLogger): void {
  const known = new Map(owners.map(({ name, migrations }) => [name, migrations]))
  const others = new Set(applied.map(({ owner }) => owner).filter(owner => !known.has(owner)))
  if (others.size > 0) log.info({ owners: [...others] }, 'the database has tables of plugins that are not on here')
  // It is compatible with all that it knows.
  const newer = applied.filter(({ owner, name }) => known.has(owner) && !Object.hasOwn(known.get(owner)!, name))
  if (newer.length === 0) return
  const names = newer.map(({ owner, name }) => `${owner}/${name}`)
  const needed = newer.flatMap(({ compatibleFrom }) => compatibleFrom ?? []).toSorted(compareVersions)
  const oldest = needed.at(-1)
  if (oldest !== undefined && compareVersions(version, oldest) < 0) {
    throw new Error(
      `This is tracker ${version}, and the database needs ${oldest} or newer since it was upgraded ` +
        `(${names.join(', ')}): start that version, or restore the backup from before the upgrade.`
    )
  }
  log.info({ migrations: names }, 'the database was upgraded by a newer release, beside which this one may run')
}

/** Negative when `a` is older. `0.3.0-dev` is older than `0.3.0`. */
export function compareVersions(a: string, b: string): number {
  const [releaseA, releaseB] = [a.replace(/-.*/, ''), b.replace(/-.*/, '')]
  const byRelease = releaseA.localeCompare(releaseB, 'en', { numeric: true })
  return byRelease !== 0 ? byRelease : Number(b.includes('-')) - Number(a.includes('-'))
}

async function migrate<DB>(
  trx: Transaction<DB>,
  owner: string,
  migrations: Migrations,
  names: readonly string[]
): Promise<void> {
  // Raw, as what follows: function calls, and tables without types. On Citus, commands after changes of all shards,
  // such as `create function`, would be refused. On a large table, a statement may take longer than one of a request.
  await sql`
    select set_config('citus.multi_shard_modify_mode', 'sequential', true), set_config('statement_timeout', '0', true)
  `.execute(trx)
  // As Kysely's migrator makes it in release 0.2.0.
  const table = sql.table(`migration_${owner}`)
  await sql`
    create table if not exists ${table} (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(trx)
  await sql`alter table ${table} add column if not exists compatible_from text`.execute(trx)
  for (const name of names) {
    const migration = await migrations[name]!()
    await migration.up(trx).catch((error: unknown) => {
      if (isConflict(error)) throw error
      throw new Error(
        explainMigrationError(error) ??
          `The migration ${name} of '${owner}' failed; the database is as it was before it.`,
        { cause: error }
      )
    })
    await sql`
      insert into ${table} (name, timestamp, compatible_from)
      values (${name}, ${new Date().toISOString()}, ${migration.compatibleFrom ?? RELEASE_BEFORE})`.execute(trx)
  }
}
