import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table oidc_identity (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      issuer text not null,
      subject text not null,
      linked_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      unique (workspace_id, issuer, subject),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    );
    create index oidc_identity_account on oidc_identity (workspace_id, account_id);
    create index oidc_identity_subject on oidc_identity (issuer, subject);
  `.execute(db)
}
