import { sql, type Kysely } from 'kysely'

/** Cycles that repeat by themselves, and are closed; indexes over the history, for what was in a cycle when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cycle_rule (
      workspace_id uuid not null,
      team_id uuid not null,
      weeks smallint not null,
      start_day text not null,
      carry_over text not null,
      set_by_id uuid not null,
      set_at timestamptz(3) not null,
      primary key (workspace_id, team_id),
      foreign key (workspace_id, team_id) references team (workspace_id, id),
      foreign key (workspace_id, set_by_id) references account (workspace_id, id)
    )`.execute(db)
  // Citus forwards a command unchanged, so each is sent separately.
  for (const command of [
    sql`alter table cycle add column closed_at timestamptz(3)`,
    sql`alter table cycle add column carry_over text`,
    sql`alter table cycle add column is_repeated boolean not null default false`,
    sql`create index cycle_team on cycle (workspace_id, team_id, ends_at) where deleted_at is null`,
    // Changes of releases before have only names.
    sql`create index issue_change_to_cycle on issue_change (workspace_id, coalesce(to_id::text, to_name))
      where change = 'cycle'`,
    sql`create index issue_change_from_cycle on issue_change (workspace_id, coalesce(from_id::text, from_name))
      where change = 'cycle'`
  ]) {
    await command.execute(db)
  }
}
