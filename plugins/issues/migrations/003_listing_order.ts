import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- By urgency: urgent first, none last.
    create index issue_urgency on issue (workspace_id, ((5 - priority) % 5) desc, id desc) where deleted_at is null;
    -- Until when an issue had the number; null for what came from another tracker.
    alter table issue_former_key add column moved_at timestamptz(3);
    create index issue_former_key_issue on issue_former_key (workspace_id, issue_id);
  `.execute(db)
}
