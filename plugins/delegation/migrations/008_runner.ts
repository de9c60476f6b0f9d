import { sql, type Kysely } from 'kysely'

/** Which of several runners a run gets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agent_run add column runner text not null default 'default'`.execute(db)
}
