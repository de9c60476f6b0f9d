import { sql, type Kysely } from 'kysely'

/** A team's rule for criteria before an issue is completed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table team add column closing_criteria text not null default 'ANY'
      check (closing_criteria in ('ANY', 'MET', 'PROVEN'))`.execute(db)
}
