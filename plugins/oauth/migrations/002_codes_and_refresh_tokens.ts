import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table oauth_code (
      workspace_id uuid not null,
      hash bytea not null,
      grant_id uuid not null,
      redirect_uri text not null,
      code_challenge text not null,
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      primary key (workspace_id, hash),
      foreign key (workspace_id, grant_id) references oauth_grant (workspace_id, id)
    );
    create index oauth_code_hash on oauth_code (hash);
    create index oauth_code_grant on oauth_code (workspace_id, grant_id);
    create index oauth_code_expires_at on oauth_code (expires_at);

    create table oauth_refresh_token (
      workspace_id uuid not null,
      hash bytea not null,
      grant_id uuid not null,
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      uses integer not null,
      primary key (workspace_id, hash),
      foreign key (workspace_id, grant_id) references oauth_grant (workspace_id, id)
    );
    create index oauth_refresh_token_hash on oauth_refresh_token (hash);
    create index oauth_refresh_token_grant on oauth_refresh_token (workspace_id, grant_id);
    create index oauth_refresh_token_expires_at on oauth_refresh_token (expires_at);
  `.execute(db)
}
