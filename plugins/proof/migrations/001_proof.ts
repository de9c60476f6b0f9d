import { sql, type Kysely } from 'kysely'

/**
 * Authors, times, tokens and evidence of ticked criteria. The table of `issues.009_ticks` of earlier versions is
 * unchanged.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists issue_tick (
      workspace_id uuid not null,
      issue_id uuid not null,
      digest text not null,
      occurrence integer not null,
      n integer not null,
      text text not null,
      by_id uuid,
      token_id uuid,
      at timestamptz(3) not null,
      evidence text,
      primary key (workspace_id, issue_id, digest, occurrence),
      foreign key (workspace_id, issue_id) references issue (workspace_id, id),
      foreign key (workspace_id, by_id) references account (workspace_id, id),
      foreign key (workspace_id, token_id) references token (workspace_id, id)
    );
    create index if not exists issue_tick_evidence on issue_tick (workspace_id, issue_id, n) where evidence is not null;
  `.execute(db)
}
