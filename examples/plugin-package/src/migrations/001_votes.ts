import { sql, type Kysely } from 'tracker/api'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table votes_vote (
      workspace_id uuid not null references workspace (id),
      issue_id uuid not null,
      account_id uuid not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, issue_id, account_id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    )
  `.execute(db)
}
