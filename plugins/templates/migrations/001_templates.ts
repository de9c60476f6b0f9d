import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table issue_template (
      workspace_id uuid not null,
      id uuid not null,
      team_id uuid not null,
      name text not null,
      title text,
      description_markdown text not null,
      label_ids uuid[] not null,
      criteria text[] not null,
      priority smallint not null,
      created_by_id uuid not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      deleted_by_id uuid,
      purged_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, team_id) references team (workspace_id, id),
      foreign key (workspace_id, created_by_id) references account (workspace_id, id),
      foreign key (workspace_id, deleted_by_id) references account (workspace_id, id)
    );
    create unique index issue_template_name on issue_template (workspace_id, team_id, lower(name))
      where deleted_at is null;
    create index issue_template_trash on issue_template (workspace_id, deleted_at desc, id desc)
      where deleted_at is not null and purged_at is null;
  `.execute(db)
}
