import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Failed attempts at the event after the position.
    alter table event_consumer add attempts integer not null default 0`.execute(db)
}
