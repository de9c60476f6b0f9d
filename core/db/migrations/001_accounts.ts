import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workspace (
      id uuid primary key,
      name text not null,
      created_at timestamptz(3) not null default now()
    );

    create table account (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      kind text not null check (kind in ('PERSON', 'AGENT')),
      fullname text not null,
      email text,
      role text not null default 'MEMBER' check (role in ('ADMIN', 'MEMBER')),
      scopes text[],
      created_by_id uuid,
      created_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, created_by_id) references account (workspace_id, id),
      check (kind = 'PERSON' or role = 'MEMBER'),
      check (kind = 'AGENT' or scopes is null)
    );
    create unique index account_email on account (workspace_id, lower(email)) where deleted_at is null;

    create table token (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      name text not null,
      hash bytea not null,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3),
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    );
    create index token_hash on token (hash);
    create index token_account on token (workspace_id, account_id);
  `.execute(db)
}
