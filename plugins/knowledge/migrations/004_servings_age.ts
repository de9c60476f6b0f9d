import { sql, type Kysely } from 'kysely'

/** For the removal of old ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index knowledge_serving_at on knowledge_serving (at)`.execute(db)
}
