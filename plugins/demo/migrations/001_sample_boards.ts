import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // No foreign key leaves a workspace: a sample board whose workspace does not exist was removed.
  await sql`
    create table sample_board (
      workspace_id uuid primary key references workspace (id),
      sample_workspace_id uuid not null,
      made_from_id uuid not null,
      admin_id uuid not null
    );
  `.execute(db)
}
