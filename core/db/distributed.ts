import { sql, type Kysely } from 'kysely'
import { DEFAULT_SHARDS } from './limits.ts'
import type { DeclaredTables } from './citus/placement.ts'

/* The code for Citus is loaded only where the tables are distributed. All SQL is raw: the catalogue. */

export const hasCitus = async <DB>(db: Kysely<DB>): Promise<boolean> =>
  (await sql`select from pg_extension where extname = 'citus'`.execute(db)).rows.length > 0

async function hasDistributedTables<DB>(db: Kysely<DB>): Promise<boolean> {
  if (!(await hasCitus(db))) return false
  const { rows } = await sql`
    select from pg_dist_partition where logicalrelid = to_regclass('workspace')`.execute(db)
  return rows.length > 0
}

/** Distributes what migrations of a new version or plugin have added. @returns true if the database is distributed */
export async function distributeNewTables<DB>(db: Kysely<DB>, plugins: readonly DeclaredTables[]): Promise<boolean> {
  if (!(await hasDistributedTables(db))) return false
  const { distributeTables } = await import('./citus/distribute.ts')
  const { placementsOf } = await import('./citus/placement.ts')
  await distributeTables(db, { placements: placementsOf(plugins), shards: DEFAULT_SHARDS, onDistributed() {} })
  return true
}

/** For migrations that create tables of workspaces' rows, and foreign keys to them in existing tables. */
export async function distributeBeforeReferences<DB>(trx: Kysely<DB>, ...tables: string[]): Promise<void> {
  if (!(await hasDistributedTables(trx))) return
  const { distributeTable } = await import('./citus/distribute.ts')
  for (const table of tables) await distributeTable(trx, table, 'workspace', DEFAULT_SHARDS)
}
