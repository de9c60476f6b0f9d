import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // No foreign key: writing a serving does not wait for transactions that lock the issue.
  await sql`alter table knowledge_serving add column issue_id uuid`.execute(db)
}
