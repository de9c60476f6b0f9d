import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Browsers, addresses and networks from which an account has signed in, as hashes.
    create table sign_in_place (
      workspace_id uuid not null,
      account_id uuid not null,
      place bytea not null,
      expires_at timestamptz(3) not null,
      primary key (workspace_id, account_id, place),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    );
    create index sign_in_place_expires_at on sign_in_place (expires_at)`.execute(db)
}
