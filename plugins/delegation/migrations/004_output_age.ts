import { sql, type Kysely } from 'kysely'

/** For the removal of old output. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index agent_run_event_output on agent_run_event (at) where type <> 'status'`.execute(db)
}
