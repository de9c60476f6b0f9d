import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table job_crash (
      -- The queue and a hash of the payload.
      job text primary key,
      -- Processes that have ended while it ran; the attempt under way counts.
      ends integer not null,
      at timestamptz(3) not null
    )`.execute(db)
}
