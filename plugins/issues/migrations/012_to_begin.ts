import { sql, type Kysely } from 'kysely'

/** Indexes for ready issues in the order of picking them up, and for blocking relations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index issue_to_begin on issue (workspace_id, state_id, ((5 - priority) % 5) desc, created_at, id)
      include (priority)
      where deleted_at is null and described and criteria_total <> 0;
    create index issue_relation_blocks on issue_relation (workspace_id, issue_id, related_issue_id)
      where type = 'BLOCKS' and deleted_at is null;
  `.execute(db)
}
