import { sql, type Kysely } from 'kysely'
import type { CoreTables } from '../../api/database/types.ts'
import { PARTITION } from '../read.ts'

const BATCH_ROWS = 1_000

export async function removeEvents(db: Kysely<CoreTables>, before: Date): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ removed: number }>`
      with oldest as (
        select workspace_id, position, at from event
        where partition = ${PARTITION} order by position limit ${BATCH_ROWS}),
      removed as (
        delete from event using oldest
        where event.workspace_id = oldest.workspace_id and event.partition = ${PARTITION}
          and event.position = oldest.position and oldest.at < ${before}
        returning event.position),
      noted as (
        update event_partition set removed_to = greatest(removed_to, (select max(position) from removed))
        where partition = ${PARTITION} and exists (select from removed))
      select count(*) as removed from removed`.execute(db)
    if ((rows[0]?.removed ?? 0) < BATCH_ROWS) return
  }
}
