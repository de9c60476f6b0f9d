import { sql, type Kysely } from 'kysely'

/**
 * On a Citus worker, the trigger writes to the tally's local shard by the shard's name: through the name of the
 * distributed table, Citus would plan each write anew and keep every such plan as long as the session lives.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function issue_tally_add(issues name, of_workspace uuid, of_team uuid, of_state uuid, change bigint)
    returns void language plpgsql as $$
    begin
      if issues = 'issue' then
        insert into issue_tally (workspace_id, team_id, state_id, shard, n)
          values (of_workspace, of_team, of_state, issue_tally_shard(), change)
          on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
      else
        execute format(
          'insert into %s as tally (workspace_id, team_id, state_id, shard, n) values ($1, $2, $3, $4, $5)
            on conflict (workspace_id, team_id, state_id, shard) do update set n = tally.n + excluded.n',
          shard_name('issue_tally', get_shard_id_for_distribution_column('issue_tally', of_workspace)))
          using of_workspace, of_team, of_state, issue_tally_shard(), change;
      end if;
    end $$`.execute(db)
  await sql`
    create or replace function issue_tally_inserted() returns trigger language plpgsql as $$
    declare
      added record;
    begin
      for added in
        select workspace_id, team_id, state_id, count(*) as n from inserted where deleted_at is null group by 1, 2, 3
      loop
        perform issue_tally_add(tg_table_name, added.workspace_id, added.team_id, added.state_id, added.n);
      end loop;
      return null;
    end $$`.execute(db)
  await sql`
    create or replace function issue_tally_moved() returns trigger language plpgsql as $$
    begin
      if old.deleted_at is null then
        perform issue_tally_add(tg_table_name, old.workspace_id, old.team_id, old.state_id, -1);
      end if;
      if new.deleted_at is null then
        perform issue_tally_add(tg_table_name, new.workspace_id, new.team_id, new.state_id, 1);
      end if;
      return null;
    end $$`.execute(db)
}
