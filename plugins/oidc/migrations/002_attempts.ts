import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Attempts to sign in that were begun and not used: each is used once, on any replica.
    create table oidc_attempt (
      state bytea primary key,
      expires_at timestamptz(3) not null
    );
    create index oidc_attempt_expires_at on oidc_attempt (expires_at)`.execute(db)
}
