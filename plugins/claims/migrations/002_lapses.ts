import { sql, type Kysely } from 'kysely'

/** When claims have lapsed; of those before, the last one of each issue is known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table issue_claim_lapse (
      workspace_id uuid not null,
      issue_id uuid not null,
      at timestamptz(3) not null,
      holder_id uuid not null,
      primary key (workspace_id, issue_id, at),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, holder_id) references account (workspace_id, id)
    );
    create index issue_claim_lapse_at on issue_claim_lapse (workspace_id, at);
    insert into issue_claim_lapse (workspace_id, issue_id, at, holder_id)
    select workspace_id, issue_id, lapsed_at, holder_id from issue_claim where lapsed_at is not null`.execute(db)
}
