import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table knowledge_entry (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      content text not null,
      kind text not null check (kind in ('FACT', 'DECISION', 'CONVENTION', 'PITFALL', 'HOWTO')),
      tags text[] not null default '{}',
      team_id uuid,
      project_id uuid,
      issue_id uuid,
      created_by_id uuid not null,
      created_at timestamptz(3) not null,
      supersedes_id uuid,
      status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUPERSEDED', 'DISPUTED')),
      expires_at timestamptz(3),
      deleted_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, team_id) references team (workspace_id, id),
      foreign key (workspace_id, project_id) references project (workspace_id, id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, created_by_id) references account (workspace_id, id),
      foreign key (workspace_id, supersedes_id) references knowledge_entry (workspace_id, id)
    );
    create index knowledge_entry_newest on knowledge_entry (workspace_id, id desc)
      where deleted_at is null and status <> 'SUPERSEDED';
    create index knowledge_entry_issue on knowledge_entry (workspace_id, issue_id)
      where issue_id is not null and deleted_at is null;
    create index knowledge_entry_project on knowledge_entry (workspace_id, project_id, id desc)
      where project_id is not null and deleted_at is null;
    create index knowledge_entry_team on knowledge_entry (workspace_id, team_id, id desc)
      where team_id is not null and deleted_at is null;
    create unique index knowledge_entry_successor on knowledge_entry (workspace_id, supersedes_id)
      where supersedes_id is not null and deleted_at is null;

    create table knowledge_serving (
      workspace_id uuid not null,
      id uuid not null,
      entry_id uuid not null,
      token_id uuid not null,
      session text,
      request_id text not null,
      at timestamptz(3) not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, entry_id) references knowledge_entry (workspace_id, id),
      foreign key (workspace_id, token_id) references token (workspace_id, id)
    );
    create index knowledge_serving_entry on knowledge_serving (workspace_id, entry_id, id desc);
  `.execute(db)
}
