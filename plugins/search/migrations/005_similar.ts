import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What was found close to a new issue, but too late for the answer to filing it: for its context, for a day.
    create table issue_similar (
      workspace_id uuid not null,
      issue_id uuid not null,
      similar_ids uuid[] not null,
      scores float8[] not null,
      found_at timestamptz(3) not null,
      primary key (workspace_id, issue_id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id)
    );
  `.execute(db)
}
