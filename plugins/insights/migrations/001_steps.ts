import { sql, type Kysely } from 'kysely'

/** Derived from issues and their history. The consumer fills it: it is new, so it rebuilds in batches. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table insight_step (
      workspace_id uuid not null,
      issue_id uuid not null,
      n integer not null,
      team_id uuid not null,
      at timestamptz(3) not null,
      figure text,
      account_id uuid,
      started_until timestamptz(3),
      started_at timestamptz(3),
      is_proven boolean,
      completed_before timestamptz(3),
      from_state_id uuid,
      from_state_name text,
      seconds double precision,
      is_first boolean not null,
      closes_at timestamptz(3),
      primary key (workspace_id, issue_id, n)
    );
    -- These have all that a question reads: the rows of a span are all over the table.
    create index insight_step_figure on insight_step (workspace_id, figure, at)
      include (team_id, issue_id, account_id, started_at, is_proven, completed_before) where figure is not null;
    create index insight_step_started on insight_step (workspace_id, started_until)
      include (team_id, issue_id, at, started_at) where started_until is not null;
    create index insight_step_closing on insight_step (workspace_id, closes_at)
      include (team_id, issue_id, from_state_id, from_state_name, seconds, is_first) where closes_at is not null;
    create index insight_step_unproven on insight_step (workspace_id, issue_id)
      where figure = 'completed' and is_proven is null;
  `.execute(db)
}
