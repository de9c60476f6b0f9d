import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Migration } from 'kysely/migration'
import { version } from '../../../lib/packages/version.ts'
import { explainMigrationError } from '../start-errors.ts'
import { isConflict, retryConflicts } from '../transactions/retry.ts'

/** The release before this version: both run side by side while replicas are upgraded. */
export const RELEASE_BEFORE = '0.2.0'

/** The importer of each migration, by name: a start on an up-to-date database loads none. */
export type Migrations = Readonly<Record<string, () => Promise<Migration & Compatible>>>
interface Compatible {
  /** The oldest release that can run on the migrated database. Default: `RELEASE_BEFORE` of the migrating release. */
  compatibleFrom?: string
}

export interface Owner {
  /** `core`, or the name of a plugin. */
  name: string
  migrations: Migrations
}
interface Applied {
  owner: string
  name: string
  /** Null: a release that recorded none has applied it. */
  compatibleFrom: string | null
}

/**
 * Migrates the tables of every owner (the core, each plugin), in their order. Each owner has migration tables of its
 * own, so that a plugin can be turned off and on again independently of the others' order. Replicas that start together
 * wait for each other.
 * @param allowed nothing is changed before this promise is fulfilled
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
    // Requests of the release before may hold locks in another order.
    await retryConflicts(() =>
      db
        .withoutPlugins()
        .transaction()
        .execute(trx => migrate(trx, name, migrations, names))
    )
  }
}

/**
 * The migrations that are not applied yet, in the order in which they are applied.
 * @throws Error that names the required release, when this one is too old for the database
 */
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

/** All migrations ever applied to the database. */
async function appliedMigrations<DB>(db: Kysely<DB>): Promise<Applied[]> {
  // Raw, because the catalogue is not in the types of the tables.
  const tables = await sql<{ table: string }>`
    select c.relname as table
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r'
      and c.relname like 'migration\\_%' and c.relname not like '%\\_lock'`.execute(db)
  if (tables.rows.length === 0) return []
  // JSON, because the tables of release 0.1 have no column `compatible_from`.
  const selects = tables.rows.map(
    ({ table }) => sql`
      select ${table.slice('migration_'.length)} as owner, name, to_jsonb(m) ->> 'compatible_from' as "compatibleFrom"
      from ${sql.table(table)} m`
  )
  // Raw, because the tables are read from the catalogue.
  const { rows } = await sql<Applied>`${sql.join(selects, sql` union all `)}`.execute(db.withoutPlugins())
  return rows
}

/** @throws Error when a newer release has changed tables incompatibly */
function assertNotTooOld(applied: readonly Applied[], owners: readonly Owner[], log: FastifyBaseLogger): void {
  const known = new Map(owners.map(({ name, migrations }) => [name, migrations]))
  const others = new Set(applied.map(({ owner }) => owner).filter(owner => !known.has(owner)))
  if (others.size > 0) log.info({ owners: [...others] }, 'the database has tables of plugins that are not on here')
  // This version is compatible with all migrations that it knows.
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

/** @param names the pending ones, in their order */
async function migrate<DB>(
  trx: Transaction<DB>,
  owner: string,
  migrations: Migrations,
  names: readonly string[]
): Promise<void> {
  // Raw, as what follows: function calls, and tables that are not in the types. On Citus, commands after changes of all
  // shards, such as `create function`, would be refused; other engines ignore the setting. On a large table, a statement
  // may take longer than one of a request.
  await sql`
    select set_config('citus.multi_shard_modify_mode', 'sequential', true), set_config('statement_timeout', '0', true)
  `.execute(trx)
  // As Kysely's migrator made it for release 0.2.0, which may run beside.
  const table = sql.table(`migration_${owner}`)
  await sql`create table if not exists ${table} (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    trx
  )
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
