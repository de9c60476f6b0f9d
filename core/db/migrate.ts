import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { explainMigrationError } from '../start-errors.ts'

/** By name, how to load each migration: a start on an up-to-date database loads none. */
export type Migrations = Readonly<Record<string, () => Promise<Migration>>>

/**
 * Brings the tables of every owner (the core, each plugin) up to date, in their order. Each has migration tables of
 * its own, so that a plugin can be turned off and on again without the others' order mattering.
 * Replicas that start together wait for each other.
 * @param allowed nothing is changed before this promise is fulfilled
 */
export async function migrateAll<DB>(
  db: Kysely<DB>,
  owners: ReadonlyArray<{ name: string; migrations: Migrations }>,
  allowed: Promise<void> = Promise.resolve()
): Promise<void> {
  const done = await appliedMigrations(db)
  for (const { name, migrations } of owners) {
    // A start on an up-to-date database, the usual one, asks once and not a dozen times per owner.
    const isNew = (migration: string) => !done.has(`${name}/${migration}`)
    if (!Object.keys(migrations).some(isNew)) continue
    await allowed
    await migrate(db, name, migrations)
  }
}

/** `owner/migration` of all that were ever applied here. */
async function appliedMigrations<DB>(db: Kysely<DB>): Promise<Set<string>> {
  // Raw, because the catalogue is not in the types of the tables.
  const tables = await sql<{ table: string }>`
    select c.relname as table
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r'
      and c.relname like 'migration\\_%' and c.relname not like '%\\_lock'`.execute(db)
  if (tables.rows.length === 0) return new Set()
  const names = tables.rows.map(
    ({ table }) => sql`select ${table.slice('migration_'.length)} || '/' || name as name from ${sql.table(table)}`
  )
  // Raw, because the tables are read from the catalogue.
  const { rows } = await sql<{ name: string }>`${sql.join(names, sql` union all `)}`.execute(db.withoutPlugins())
  return new Set(rows.map(row => row.name))
}

async function migrate<DB>(db: Kysely<DB>, owner: string, migrations: Migrations): Promise<void> {
  const loaded = Object.entries(migrations).map(async ([name, load]) => [name, await load()] as const)
  const { error, results } = await new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations: async () => Object.fromEntries(await Promise.all(loaded)) },
    migrationTableName: `migration_${owner}`,
    migrationLockTableName: `migration_${owner}_lock`
  }).migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(r => r.status === 'Error')?.migrationName
  throw new Error(
    explainMigrationError(error) ??
      `The migration ${failed ?? '(none begun)'} of '${owner}' failed; the database is as it was before it.`,
    { cause: error }
  )
}
