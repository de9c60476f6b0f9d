import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table text_revision (
      workspace_id uuid not null,
      subject_type text not null,
      subject_id uuid not null,
      n integer not null,
      issue_id uuid not null,
      markdown text not null,
      bytes integer not null generated always as (octet_length(markdown)) stored,
      total_bytes bigint not null,
      edited_at timestamptz(3) not null,
      edited_by_id uuid not null,
      primary key (workspace_id, subject_type, subject_id, n),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, edited_by_id) references account (workspace_id, id)
    )`.execute(db)
  await sql`create index text_revision_issue on text_revision (workspace_id, issue_id)`.execute(db)
}
