import { sql, type Kysely } from 'kysely'

/** A run with an open question waits for the answer, and is active meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table agent_run drop constraint agent_run_status_check;
    alter table agent_run add constraint agent_run_status_check
      check (status in ('QUEUED', 'RUNNING', 'WAITING', 'SUCCEEDED', 'FAILED', 'CANCELED'));
    alter table agent_run add column resumed_at timestamptz(3);
    alter table agent_run add column attempts_before integer not null default 0;
    drop index agent_run_active;
    create unique index agent_run_active on agent_run (workspace_id, issue_id)
      where status in ('QUEUED', 'RUNNING', 'WAITING');
  `.execute(db)
}
