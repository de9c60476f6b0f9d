import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table git_hook (
      workspace_id uuid not null references workspace (id),
      id uuid not null,
      repository text not null,
      secret text not null,
      account_id uuid not null,
      created_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    );
    create index git_hook_id on git_hook (id);

    create table git_delivery (
      workspace_id uuid not null,
      hook_id uuid not null,
      delivery_id text not null,
      signature text not null,
      at timestamptz(3) not null default now(),
      primary key (workspace_id, hook_id, delivery_id),
      unique (workspace_id, hook_id, signature),
      foreign key (workspace_id, hook_id) references git_hook (workspace_id, id)
    );
    create index git_delivery_at on git_delivery (at);
  `.execute(db)
}
