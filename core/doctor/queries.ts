import { sql, type Kysely } from 'kysely'
import type { CoreTables } from '../api/database/types.ts'

/** The version of the database's server, and its clock. */
export async function serverOf(db: Kysely<CoreTables>): Promise<{ version: string; now: Date }> {
  // Raw: functions of the server, without tables.
  const { rows } = await sql<{ version: string; now: Date }>`
    select current_setting('server_version') as version, clock_timestamp() as now`.execute(db.withoutPlugins())
  return rows[0]!
}
