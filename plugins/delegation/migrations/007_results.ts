import { sql, type Kysely } from 'kysely'

/** The work that a run links, what came of its review, and the run that a run tries again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table agent_run add column retry_of_id uuid;
    alter table agent_run add column result_branch text;
    alter table agent_run add column result_url text;
    alter table agent_run add column result_at timestamptz(3);
    alter table agent_run add column review text;
    alter table agent_run add constraint agent_run_review_check check (review in ('ACCEPTED', 'SENT_BACK'));
    alter table agent_run add column reviewed_at timestamptz(3);
    alter table agent_run add column reviewed_by_id uuid;
    alter table agent_run add constraint agent_run_workspace_id_reviewed_by_id_fkey
      foreign key (workspace_id, reviewed_by_id) references account (workspace_id, id);
    create index agent_run_unreviewed on agent_run (workspace_id, issue_id)
      where result_at is not null and review is null;
  `.execute(db)
}
