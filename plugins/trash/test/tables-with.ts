import { sql } from 'kysely'
import type { TestServer } from '../../../test/runner/harness.ts'

/** The tables that have a text, but for the log of events. */
export async function tablesWith({ database: { db } }: TestServer, text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'event'`.execute(db)
  const having: string[] = []
  for (const { name } of rows) {
    const holds = await sql`
      select 1 from ${sql.table(name)} one where to_jsonb(one)::text like ${`%${text}%`} limit 1`.execute(db)
    if (holds.rows.length > 0) having.push(name)
  }
  return having
}
