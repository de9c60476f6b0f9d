import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table inbox_entry (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      reason text not null,
      subject_type text not null,
      subject_id uuid not null,
      issue_id uuid not null,
      actor_id uuid,
      at timestamptz(3) not null,
      read_at timestamptz(3),
      primary key (workspace_id, id),
      unique (workspace_id, account_id, subject_id, reason),
      foreign key (workspace_id, account_id) references account (workspace_id, id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, actor_id) references account (workspace_id, id)
    );
    create index inbox_entry_order on inbox_entry (workspace_id, account_id, at desc, id desc);
    create index inbox_entry_unread on inbox_entry (workspace_id, account_id, at desc, id desc) where read_at is null;
    create index inbox_entry_subject on inbox_entry (workspace_id, subject_id);
    create index inbox_entry_read on inbox_entry (read_at) where read_at is not null;

    create table inbox_watch (
      workspace_id uuid not null,
      issue_id uuid not null,
      account_id uuid not null,
      is_watching boolean not null,
      primary key (workspace_id, issue_id, account_id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    );
  `.execute(db)
}
