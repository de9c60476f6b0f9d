import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The id comes before the pool: until a table has statistics, the planner takes a pool for so selective that it
    -- would read all of it for a few ids.
    alter table search_document drop constraint search_document_pkey, add primary key (workspace_id, id, pool);
  `.execute(db)
}
