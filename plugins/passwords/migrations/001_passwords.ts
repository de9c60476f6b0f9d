import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table password (
      workspace_id uuid not null,
      account_id uuid not null,
      hash text not null,
      changed_at timestamptz(3) not null default now(),
      primary key (workspace_id, account_id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    );

    create table sign_in_failure (
      subject bytea primary key,
      failures integer not null,
      last_at timestamptz(3) not null
    );
    create index sign_in_failure_last_at on sign_in_failure (last_at);
  `.execute(db)
}
