import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The id comes before the pool: until a table has statistics, the planner takes a pool for so selective that it
    -- would read all of it for a few ids.
    alter table embedding drop constraint embedding_workspace_id_pool_id_part_fkey;
    alter table embedding_text drop constraint embedding_text_pkey, add primary key (workspace_id, id, pool, part);
    alter table embedding add foreign key (workspace_id, pool, id, part)
      references embedding_text (workspace_id, pool, id, part) on delete cascade;
  `.execute(db)
}
