import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reaction (
      workspace_id uuid not null,
      comment_id uuid not null,
      emoji text not null,
      account_id uuid not null,
      created_at timestamptz(3) not null,
      primary key (workspace_id, comment_id, emoji, account_id),
      foreign key (workspace_id, comment_id) references comment (workspace_id, id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    )`.execute(db)
}
