import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- By which tokens the texts of a pool are indexed: those of an older version are indexed again, in the background.
    alter table search_pool add column tokens_version smallint not null default 1;
  `.execute(db)
}
