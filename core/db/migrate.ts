import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'

/**
 * Brings the tables of one owner up to date. Each owner (the core, each plugin) has migration tables of its own,
 * so that a plugin can be turned off and on again without the others' order mattering.
 * Replicas that start together wait for each other.
 */
export async function migrate<DB> (db: Kysely<DB>, owner: string, getMigrations: () => Promise<Record<string, Migration>>): Promise<void> {
  const { error, results } = await new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations },
    migrationTableName: `migration_${owner}`,
    migrationLockTableName: `migration_${owner}_lock`
  }).migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(r => r.status === 'Error')?.migrationName
  throw new Error(`The migration ${failed ?? '(none begun)'} of '${owner}' failed; the database is as it was before it.`, { cause: error })
}
