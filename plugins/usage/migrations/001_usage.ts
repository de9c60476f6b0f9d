import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table usage_report (
      workspace_id uuid not null,
      token_id uuid not null,
      report_id text not null,
      account_id uuid not null,
      issue_id uuid,
      run_id uuid,
      session text,
      model text not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      cached_tokens bigint not null,
      cost_micros bigint,
      is_estimated boolean not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (workspace_id, token_id, report_id),
      foreign key (workspace_id, account_id) references account (workspace_id, id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id)
    );
    create index usage_report_issue on usage_report (workspace_id, issue_id) where issue_id is not null;
    create index usage_report_run on usage_report (workspace_id, run_id) where run_id is not null;
    create index usage_report_time on usage_report (workspace_id, created_at)`.execute(db)
}
