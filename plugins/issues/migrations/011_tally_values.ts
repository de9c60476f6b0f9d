import { sql, type Kysely } from 'kysely'

/**
 * Row by row: on a Citus worker, where the trigger runs, an insert of values goes to the local rows, and one of a query
 * would not see the trigger's transition tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function issue_tally_inserted() returns trigger language plpgsql as $$
    declare
      own_shard smallint := issue_tally_shard();
      added record;
    begin
      for added in
        select workspace_id, team_id, state_id, count(*) as n from inserted where deleted_at is null group by 1, 2, 3
      loop
        insert into issue_tally (workspace_id, team_id, state_id, shard, n)
          values (added.workspace_id, added.team_id, added.state_id, own_shard, added.n)
          on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
      end loop;
      return null;
    end $$;

    create or replace function issue_tally_moved() returns trigger language plpgsql as $$
    declare
      own_shard smallint := issue_tally_shard();
    begin
      if old.deleted_at is null then
        insert into issue_tally (workspace_id, team_id, state_id, shard, n)
          values (old.workspace_id, old.team_id, old.state_id, own_shard, -1)
          on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
      end if;
      if new.deleted_at is null then
        insert into issue_tally (workspace_id, team_id, state_id, shard, n)
          values (new.workspace_id, new.team_id, new.state_id, own_shard, 1)
          on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
      end if;
      return null;
    end $$;
  `.execute(db)
}
