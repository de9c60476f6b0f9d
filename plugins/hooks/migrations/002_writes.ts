import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table hook_write (
      workspace_id uuid not null,
      account_id uuid not null,
      issue_id uuid not null,
      at timestamptz(3) not null,
      primary key (workspace_id, account_id, issue_id),
      foreign key (workspace_id, account_id) references account (workspace_id, id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id)
    )`.execute(db)
}
