import { sql, type RawBuilder } from 'kysely'
import type { Id, TransactionHandle } from '../../../core/api/database/types.ts'
import type { ExternalIdOf } from '../contract.ts'

const FETCH_SIZE = 500
/** Maximum bytes of a record that is fetched together with others. */
const MAX_SHORT_RECORD_BYTES = 64 * 1024

type DataRecord = Record<string, unknown>

/**
 * Fetches many records of a query at a time; a long one alone, from a second cursor that skips the others: so no fetch
 * is much larger than one record. Raw: Kysely has no cursors that other statements share.
 */
export async function* readRecords(trx: TransactionHandle, rows: RawBuilder<unknown>): AsyncGenerator<DataRecord> {
  const lines = sql`(
    select line, octet_length(line) > ${sql.lit(MAX_SHORT_RECORD_BYTES)} as is_long
    from (select row_to_json(every)::text as line from (${rows}) as every offset 0) as written)`
  await sql`
    declare records no scroll cursor for
    select case when not is_long then line::json end as record from ${lines} as line`.execute(trx)
  let hasLong = false
  for (;;) {
    const { rows: fetched } = await sql<{ record: DataRecord | null }>`
      fetch ${sql.lit(FETCH_SIZE)} from records`.execute(trx)
    for (const { record } of fetched) {
      if (record !== null) {
        yield record
        continue
      }
      if (!hasLong) {
        await sql`
          declare long_records no scroll cursor for
          select line::json as record from ${lines} as line where is_long`.execute(trx)
        hasLong = true
      }
      const { rows: long } = await sql<{ record: DataRecord }>`fetch 1 from long_records`.execute(trx)
      yield long[0]!.record
    }
    if (fetched.length < FETCH_SIZE) break
  }
  await sql`close records`.execute(trx)
  if (hasLong) await sql`close long_records`.execute(trx)
}

/** Names of a source are not used: two sources may have the same. */
export const externalIdIn =
  (workspaceId: Id): ExternalIdOf =>
  (kind, column) =>
    // Not min(): for that the planner might walk the index of names.
    sql`coalesce((
      select (array_agg(imported.external_id order by imported.external_id))[1] from imported_record imported
      where imported.workspace_id = ${workspaceId} and imported.kind = ${kind} and imported.source = ''
        and imported.id = ${sql.ref(column)}),
      ${sql.ref(column)}::text)`

/** Raw: settings. */
export const allowSlowReader = (trx: TransactionHandle) =>
  sql`
    select set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx)
