import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_view (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      owner_id uuid not null,
      is_shared boolean not null,
      name text not null,
      icon text,
      team_id uuid,
      filters json not null,
      order_by text not null,
      group_by text,
      sub_group_by text,
      layout text not null,
      properties text[] not null,
      hidden_groups text[] not null,
      collapsed_groups text[] not null,
      closed_within_days integer,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, owner_id) references account (workspace_id, id),
      foreign key (workspace_id, team_id) references team (workspace_id, id)
    );
    create index saved_view_owner on saved_view (workspace_id, owner_id);

    create table favourite (
      workspace_id uuid not null,
      account_id uuid not null,
      subject_type text not null,
      subject_id uuid not null,
      position integer not null,
      primary key (workspace_id, account_id, subject_type, subject_id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    );
    create index favourite_subject on favourite (workspace_id, subject_id);
  `.execute(db)
}
