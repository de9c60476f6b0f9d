import { sql, type Kysely } from 'kysely'

/**
 * The ids of what a change of a reference or list tells by name, so that a history can be evaluated after renames. Rows
 * of releases before have none. Each command is sent separately, because the table is distributed already.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table issue_change add column from_id uuid`.execute(db)
  await sql`alter table issue_change add column to_id uuid`.execute(db)
}
