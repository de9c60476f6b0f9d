import { sql, type Kysely } from 'kysely'

/** Records that were deleted before are kept as if they had been deleted now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table trash_start (
      workspace_id uuid primary key references workspace (id),
      at timestamptz(3) not null
    )`.execute(db)
  await sql`insert into trash_start (workspace_id, at) select id, now() from workspace`.execute(db)
}
