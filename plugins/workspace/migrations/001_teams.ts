import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table team (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      identifier text not null,
      name text not null,
      created_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      primary key (workspace_id, id)
    );
    -- Also of deleted teams: their keys must never mean another issue.
    create unique index team_identifier on team (workspace_id, upper(identifier));

    create table workflow_state (
      workspace_id uuid not null,
      id uuid not null,
      team_id uuid not null,
      name text not null,
      category text not null check (category in ('TRIAGE', 'BACKLOG', 'UNSTARTED', 'STARTED', 'COMPLETED', 'CANCELED')),
      position double precision not null,
      color text not null,
      created_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, team_id) references team (workspace_id, id)
    );
    create unique index workflow_state_name on workflow_state (workspace_id, team_id, lower(name))
      where deleted_at is null;

    create table label (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      name text not null,
      color text not null,
      created_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      primary key (workspace_id, id)
    );
    create unique index label_name on label (workspace_id, lower(name)) where deleted_at is null;
  `.execute(db)
}
