import { sql, type Kysely } from 'kysely'

/** The size of descriptions, without reading them: long answers are read in statements of bounded bytes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table issue add column description_bytes integer not null
    generated always as (coalesce(octet_length(description::text), 0)) stored`.execute(db)
}
