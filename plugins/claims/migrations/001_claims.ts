import { sql, type Kysely } from 'kysely'

/**
 * Issues that are assigned and in progress get a claim; those of agents last as long as a new one by default. Where
 * `issues.007_claims` of earlier versions has made the tables, they stay as they are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists issue_claim (
      workspace_id uuid not null,
      issue_id uuid not null,
      holder_id uuid not null,
      session text,
      since timestamptz(3) not null,
      expires_at timestamptz(3),
      lapsed_at timestamptz(3),
      ended_at timestamptz(3),
      is_given_back boolean not null default false,
      fence integer not null,
      primary key (workspace_id, issue_id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, holder_id) references account (workspace_id, id)
    );
    create index if not exists issue_claim_holder on issue_claim (workspace_id, holder_id) where ended_at is null;
    create index if not exists issue_claim_due on issue_claim (expires_at) where ended_at is null and lapsed_at is null;

    create table if not exists issue_lost_claim (
      workspace_id uuid not null,
      issue_id uuid not null,
      account_id uuid not null,
      session text not null,
      lost_at timestamptz(3) not null,
      primary key (workspace_id, issue_id, account_id, session),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    );

    insert into issue_claim (workspace_id, issue_id, holder_id, since, expires_at, fence)
    select issue.workspace_id, issue.id, issue.assignee_id, coalesce(issue.assigned_at, issue.updated_at),
      case when holder.kind = 'AGENT' then now() + interval '120 minutes' end, 1
    from issue
    join workflow_state state on state.workspace_id = issue.workspace_id and state.id = issue.state_id
      and state.category = 'STARTED'
    join account holder on holder.workspace_id = issue.workspace_id and holder.id = issue.assignee_id
      and holder.deleted_at is null
    where issue.deleted_at is null
    on conflict do nothing;
  `.execute(db)
}
