import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Until a table has statistics, workspace and pool count as so rare that all of a pool is read for a few ids, unless the id comes before.
    alter table search_document drop constraint search_document_pkey, add primary key (workspace_id, id, pool);
  `.execute(db)
}
