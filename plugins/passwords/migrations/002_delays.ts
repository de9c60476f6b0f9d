import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Before this time attempts are refused. Null in the rows of the release before, which has subjects of its own.
    alter table sign_in_failure add next_at timestamptz(3)`.execute(db)
}
