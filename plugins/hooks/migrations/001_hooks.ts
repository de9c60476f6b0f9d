import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table hook_session (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      harness text not null,
      name text not null,
      started_at timestamptz(3) not null,
      seen_at timestamptz(3) not null,
      primary key (workspace_id, id),
      unique (workspace_id, account_id, harness, name),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    );

    create table hook_session_issue (
      workspace_id uuid not null,
      session_id uuid not null,
      issue_id uuid not null,
      reminded_of timestamptz(3),
      primary key (workspace_id, session_id, issue_id),
      foreign key (workspace_id, session_id) references hook_session (workspace_id, id) on delete cascade,
      foreign key (workspace_id, issue_id) references issue (workspace_id, id)
    );
  `.execute(db)
}
