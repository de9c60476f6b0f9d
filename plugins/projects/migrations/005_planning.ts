import { sql, type Kysely } from 'kysely'
import { distributeBeforeReferences } from '../../../core/api/database/queries.ts'

/** State, lead, members and dates of projects; their milestones and updates; the milestones of issues. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Citus forwards a command unchanged, so each is sent separately.
  for (const command of [
    sql`alter table project add column state text not null default 'PLANNED'`,
    sql`alter table project add column lead_id uuid`,
    sql`alter table project add column member_ids uuid[] not null default '{}'`,
    sql`alter table project add column starts_on date`,
    sql`alter table project add column target_on date`,
    sql`alter table project add foreign key (workspace_id, lead_id) references account (workspace_id, id)`
  ]) {
    await command.execute(db)
  }
  await sql`
    create table milestone (
      workspace_id uuid not null,
      id uuid not null,
      project_id uuid not null,
      name text not null,
      date date,
      created_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, project_id) references project (workspace_id, id)
    );
    create unique index milestone_name on milestone (workspace_id, project_id, lower(name)) where deleted_at is null;

    create table project_update (
      workspace_id uuid not null,
      id uuid not null,
      project_id uuid not null,
      health text not null,
      body json,
      body_markdown text not null,
      created_by_id uuid not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, project_id) references project (workspace_id, id),
      foreign key (workspace_id, created_by_id) references account (workspace_id, id)
    );
    create index project_update_time on project_update (workspace_id, project_id, created_at desc, id desc);
  `.execute(db)
  await distributeBeforeReferences(db, 'milestone', 'project_update')
  for (const command of [
    sql`alter table issue add column milestone_id uuid`,
    sql`alter table issue add foreign key (workspace_id, milestone_id) references milestone (workspace_id, id)`,
    sql`create index issue_milestone on issue (workspace_id, milestone_id) where milestone_id is not null`
  ]) {
    await command.execute(db)
  }
}
