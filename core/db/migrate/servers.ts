import { sql, type Kysely } from 'kysely'

/** Servers wait for events on such a connection. */
export const EVENTS_APPLICATION = 'tracker events'

/** @param own such connections of this process. @throws Error when servers use the database */
export async function assertNoServers<DB>(db: Kysely<DB>, own: 0 | 1): Promise<void> {
  // Raw, as what follows: the catalogue, and a table that may not be there. A server behind a pooler is detected by the
  // leases of its consumers.
  const { rows } = await sql<{ listening: number; hasConsumers: boolean }>`
    select count(*)::int as listening, to_regclass('event_consumer') is not null as "hasConsumers"
    from pg_stat_activity
    where datname = current_database() and application_name = ${EVENTS_APPLICATION}`.execute(db.withoutPlugins())
  const { listening, hasConsumers } = rows[0]!
  if (listening > own || (hasConsumers && (await hasLeases(db)))) {
    throw new Error('Servers use this database: stop all of them first. One that was killed counts for 15 seconds.')
  }
}

async function hasLeases<DB>(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql`select from event_consumer where leased_until > now() limit 1`.execute(db)
  return rows.length > 0
}
