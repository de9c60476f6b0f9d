import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The default is for servers of the previous version, which run until all are replaced.
  await sql`
    alter table hook_session_issue add column told_at timestamptz(3) not null default now();
    update hook_session_issue told set told_at = session.seen_at from hook_session session
      where session.workspace_id = told.workspace_id and session.id = told.session_id;
    create index hook_session_issue_told on hook_session_issue (workspace_id, issue_id, told_at desc);
  `.execute(db)
}
