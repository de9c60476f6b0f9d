import { sql, type Kysely } from 'kysely'

/** Locks rows of the tally in one order, so that of two connections with the same shard one waits for the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function issue_tally_inserted() returns trigger language plpgsql as $$
    begin
      insert into issue_tally (workspace_id, team_id, state_id, shard, n)
        select workspace_id, team_id, state_id, pg_backend_pid() % 64, count(*) from inserted
        where deleted_at is null group by 1, 2, 3 order by 1, 2, 3
        on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
      return null;
    end $$;
  `.execute(db)
}
