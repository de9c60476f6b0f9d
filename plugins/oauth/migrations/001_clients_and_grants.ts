import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table oauth_client (
      id uuid primary key,
      name text not null,
      redirect_uris text[] not null,
      network bytea not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null
    );
    create index oauth_client_network on oauth_client (network, created_at);
    create index oauth_client_expires_at on oauth_client (expires_at);

    create table oauth_grant (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      person_id uuid not null,
      client_id text not null,
      client_name text not null,
      redirect_host text not null,
      scopes text[] not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      connected_at timestamptz(3),
      revoked_at timestamptz(3),
      primary key (workspace_id, id),
      foreign key (workspace_id, account_id) references account (workspace_id, id),
      foreign key (workspace_id, person_id) references account (workspace_id, id)
    );
    create index oauth_grant_account on oauth_grant (workspace_id, account_id);
    create index oauth_grant_person on oauth_grant (workspace_id, person_id);
    create index oauth_grant_expires_at on oauth_grant (expires_at);

    create table oauth_connector (
      workspace_id uuid not null,
      agent_id uuid not null,
      person_id uuid not null,
      primary key (workspace_id, agent_id, person_id),
      foreign key (workspace_id, agent_id) references account (workspace_id, id),
      foreign key (workspace_id, person_id) references account (workspace_id, id)
    );
    create index oauth_connector_person on oauth_connector (workspace_id, person_id);
  `.execute(db)
}
