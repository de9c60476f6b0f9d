import { sql, type Kysely } from 'kysely'

/**
 * Data for changes that are based on an older revision: the change that made each revision, former descriptions, and
 * the changes that an account was told of. Each command is sent separately, because the table of changes is distributed
 * already.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table issue_change add column rev integer`.execute(db)
  await sql`
    create table issue_former_description (
      workspace_id uuid not null,
      issue_id uuid not null,
      rev integer not null,
      markdown text not null,
      bytes integer not null generated always as (octet_length(markdown)) stored,
      replaced_at timestamptz(3) not null,
      replaced_by_id uuid not null,
      is_ticks boolean not null,
      primary key (workspace_id, issue_id, rev),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, replaced_by_id) references account (workspace_id, id)
    )`.execute(db)
  await sql`create index issue_former_description_age on issue_former_description (replaced_at)`.execute(db)
  await sql`
    create table issue_told_change (
      workspace_id uuid not null,
      issue_id uuid not null,
      account_id uuid not null,
      rev integer not null,
      told_at timestamptz(3) not null,
      primary key (workspace_id, issue_id, account_id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, account_id) references account (workspace_id, id)
    )`.execute(db)
  await sql`create index issue_told_change_age on issue_told_change (told_at)`.execute(db)
}
