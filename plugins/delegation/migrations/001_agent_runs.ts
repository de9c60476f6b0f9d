import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_agent (
      workspace_id uuid not null,
      id uuid not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, id) references account (workspace_id, id)
    );

    create table agent_run (
      workspace_id uuid not null,
      id uuid not null,
      issue_id uuid not null,
      agent_id uuid not null,
      requested_by_id uuid not null,
      instructions text,
      status text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED')),
      attempt integer not null default 0,
      created_at timestamptz(3) not null,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      picked_up_at timestamptz(3),
      error_reason text,
      error_message text,
      summary text,
      lease_id uuid,
      lease_until timestamptz(3),
      token_id uuid,
      primary key (workspace_id, id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, agent_id) references account (workspace_id, id),
      foreign key (workspace_id, requested_by_id) references account (workspace_id, id),
      foreign key (workspace_id, token_id) references token (workspace_id, id),
      check ((status = 'RUNNING') = (lease_id is not null and lease_until is not null and token_id is not null)),
      check ((status in ('SUCCEEDED', 'FAILED', 'CANCELED')) = (finished_at is not null)),
      check ((status in ('FAILED', 'CANCELED')) = (error_reason is not null))
    );
    -- Whatever races: at most one active run per issue.
    create unique index agent_run_active on agent_run (workspace_id, issue_id) where status in ('QUEUED', 'RUNNING');
    create index agent_run_lease on agent_run (lease_until) where status = 'RUNNING';
    create index agent_run_queued on agent_run (created_at) where status = 'QUEUED';
    create index agent_run_issue on agent_run (workspace_id, issue_id, id desc);
    create index agent_run_status on agent_run (workspace_id, status, id desc);

    create table agent_run_event (
      workspace_id uuid not null,
      id uuid not null,
      run_id uuid not null,
      seq bigint generated always as identity,
      at timestamptz(3) not null,
      type text not null check (type in ('status', 'stdout', 'stderr')),
      text text not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, run_id) references agent_run (workspace_id, id)
    );
    create index agent_run_event_run on agent_run_event (workspace_id, run_id, seq);
  `.execute(db)
}
