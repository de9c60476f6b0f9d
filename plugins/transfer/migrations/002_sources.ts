import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A record is named by the source that it comes from and its name there. What was imported is remembered as digests
    -- of its fields: the next import tells what changed there, here, or on both sides.
    alter table imported_record
      add column source text not null default '',
      add column fields json,
      drop constraint imported_record_pkey,
      add primary key (workspace_id, kind, source, external_id);
  `.execute(db)
}
