import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- When the issues of a workspace were filed: times at even distances in the order of their creation.
    create table search_timeline (
      workspace_id uuid primary key references workspace (id),
      issues integer not null,
      times timestamptz(3)[] not null
    );
  `.execute(db)
}
