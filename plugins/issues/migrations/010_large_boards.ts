import { sql, type Kysely } from 'kysely'

/** Indexes for selective filters and the manual order on boards that are too large to be scanned. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index issue_due_date on issue (workspace_id, due_date) where due_date is not null and deleted_at is null;
    create index issue_estimate on issue (workspace_id, estimate) where estimate is not null and deleted_at is null;
    create index issue_created_by on issue (workspace_id, created_by_id) where deleted_at is null;
    create index issue_by_hand on issue (workspace_id, (-sort_order) desc, id desc) where deleted_at is null;
  `.execute(db)
}
