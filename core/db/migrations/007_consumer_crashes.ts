import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table event_consumer
      -- Processes that have ended while they had the consumer, since it last handled the events after the position.
      add crashes integer not null default 0,
      -- Events that are being handled after such an end; 0: none.
      add handling integer not null default 0`.execute(db)
}
