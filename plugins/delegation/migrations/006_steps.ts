import { sql, type Kysely } from 'kysely'

/** Steps are events of a run, too: what its agent said, which tools it used, and which files it changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table agent_run_event drop constraint agent_run_event_type_check;
    alter table agent_run_event add constraint agent_run_event_type_check
      check (type in ('status', 'stdout', 'stderr', 'message', 'tool', 'file', 'failure'));
    alter table agent_run_event add column name text;
  `.execute(db)
}
