import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agent_run add column depth integer not null default 0`.execute(db)
}
