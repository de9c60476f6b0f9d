import { sql, type Kysely } from 'kysely'

export async function up (db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What came from elsewhere, by its name there: an import that is run again finds it.
    create table imported_issue (
      workspace_id uuid not null,
      external_id text not null,
      issue_id uuid not null,
      primary key (workspace_id, external_id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id)
    );
    create index imported_issue_issue on imported_issue (workspace_id, issue_id);
  `.execute(db)
}
