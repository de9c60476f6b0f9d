import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_key (
      workspace_id uuid not null,
      token_id uuid not null,
      key text not null,
      fingerprint bytea not null,
      status smallint,
      headers jsonb,
      body text,
      created_at timestamptz(3) not null,
      primary key (workspace_id, token_id, key)
    );
    create index idempotency_key_created on idempotency_key (created_at);
  `.execute(db)
}
