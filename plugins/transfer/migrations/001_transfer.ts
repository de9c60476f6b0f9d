import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What came from elsewhere, by its name there: an import that is run again finds it, and an export calls it so.
    create table imported_record (
      workspace_id uuid not null references workspace (id),
      kind text not null,
      external_id text not null,
      id uuid not null,
      primary key (workspace_id, kind, external_id)
    );
    create index imported_record_id on imported_record (workspace_id, kind, id);
  `.execute(db)
}
