import { sql, type Kysely } from 'kysely'
import { distributeBeforeReferences } from '../../../core/api/database/queries.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table project (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      name text not null,
      description json,
      description_markdown text not null default '',
      team_id uuid,
      created_by_id uuid not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, team_id) references team (workspace_id, id),
      foreign key (workspace_id, created_by_id) references account (workspace_id, id)
    );
    create unique index project_name on project (workspace_id, lower(name)) where deleted_at is null;

    create table cycle (
      workspace_id uuid not null,
      id uuid not null,
      team_id uuid not null,
      name text not null,
      starts_at timestamptz(3) not null,
      ends_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, team_id) references team (workspace_id, id),
      check (ends_at > starts_at)
    );
  `.execute(db)
  await distributeBeforeReferences(db, 'project', 'cycle')
  // Citus forwards a command unchanged, so each is sent separately.
  for (const command of [
    sql`alter table issue add column project_id uuid`,
    sql`alter table issue add column cycle_id uuid`,
    sql`alter table issue add foreign key (workspace_id, project_id) references project (workspace_id, id)`,
    sql`alter table issue add foreign key (workspace_id, cycle_id) references cycle (workspace_id, id)`,
    sql`create index issue_project on issue (workspace_id, project_id) where project_id is not null`,
    sql`create index issue_cycle on issue (workspace_id, cycle_id) where cycle_id is not null`
  ]) {
    await command.execute(db)
  }
}
