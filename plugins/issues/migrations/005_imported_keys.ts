import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table issue_old_key (
      workspace_id uuid not null,
      key text not null,
      issue_id uuid not null,
      primary key (workspace_id, key, issue_id),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id)
    );
    create index issue_old_key_issue on issue_old_key (workspace_id, issue_id);

    create table issue_key_reservation (
      workspace_id uuid not null,
      id uuid not null,
      team_id uuid not null,
      number int not null,
      primary key (workspace_id, id),
      unique (workspace_id, team_id, number),
      foreign key (workspace_id, team_id) references team (workspace_id, id)
    );
  `.execute(db)
}
