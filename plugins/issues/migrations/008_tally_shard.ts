import { sql, type Kysely } from 'kysely'

/**
 * A transaction that moves several issues changes several rows of the tally, in the order of its moves. One transaction
 * at a time writes to a shard, to avoid deadlocks.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function issue_tally_shard() returns smallint language plpgsql as $$
    declare
      shard smallint := pg_backend_pid() % 64;
    begin
      perform pg_advisory_xact_lock(hashtext('issues.tally'), shard);
      return shard;
    end $$;

    create or replace function issue_tally_inserted() returns trigger language plpgsql as $$
    declare
      own_shard smallint := issue_tally_shard();
    begin
      insert into issue_tally (workspace_id, team_id, state_id, shard, n)
        select workspace_id, team_id, state_id, own_shard, count(*) from inserted
        where deleted_at is null group by 1, 2, 3
        on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
      return null;
    end $$;

    create or replace function issue_tally_moved() returns trigger language plpgsql as $$
    declare
      own_shard smallint := issue_tally_shard();
    begin
      insert into issue_tally (workspace_id, team_id, state_id, shard, n)
        select old.workspace_id, team_id, state_id, own_shard, sum(d)
        from (values
          (old.team_id, old.state_id, case when old.deleted_at is null then -1 else 0 end),
          (new.team_id, new.state_id, case when new.deleted_at is null then 1 else 0 end)
        ) as moved (team_id, state_id, d)
        group by team_id, state_id
        on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
      return null;
    end $$;
  `.execute(db)
}
