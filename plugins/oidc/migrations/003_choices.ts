import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Proven identities that are in several workspaces: each waits, for a short time, until one is chosen.
    create table oidc_choice (
      secret bytea primary key,
      issuer text not null,
      subject text not null,
      expires_at timestamptz(3) not null
    );
    create index oidc_choice_expires_at on oidc_choice (expires_at)`.execute(db)
}
