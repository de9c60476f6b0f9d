import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      state text not null,
      store text not null,
      name text not null,
      url_name text not null,
      mime_type text not null,
      bytes bigint not null,
      sha256 bytea not null,
      width integer,
      height integer,
      subject_type text,
      subject_id uuid,
      created_by_id uuid not null,
      created_at timestamptz(3) not null,
      primary key (workspace_id, id),
      check ((subject_type is null) = (subject_id is null)),
      foreign key (workspace_id, created_by_id) references account (workspace_id, id)
    );
    create index file_subject on file (workspace_id, subject_type, subject_id, id) where subject_id is not null;
    create index file_unused on file (created_at) where subject_id is null;

    create table file_part (
      workspace_id uuid not null references workspace (id),
      file_id uuid not null,
      n integer not null,
      data bytea not null,
      primary key (workspace_id, file_id, n),
      foreign key (workspace_id, file_id) references file (workspace_id, id) on delete cascade
    );
    alter table file_part alter column data set storage external;

    create table file_usage (
      workspace_id uuid not null primary key references workspace (id),
      bytes bigint not null
    );
  `.execute(db)
}
