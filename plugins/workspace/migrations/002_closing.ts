import { sql, type Kysely } from 'kysely'

/** What a team asks of the criteria of an issue before it is completed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table team add column closing_criteria text not null default 'ANY'
      check (closing_criteria in ('ANY', 'MET', 'PROVEN'))`.execute(db)
}
