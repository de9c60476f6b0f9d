import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table issue_link add column kind text, add column state text, add column state_at timestamptz(3);
  `.execute(db)
}
