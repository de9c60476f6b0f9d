import { sql, type RawBuilder } from 'kysely'
import type { Id, TransactionHandle } from '../../core/db/tables.ts'
import { accountRecords } from './accounts.ts'
import { recordKinds } from './contract.ts'
import { sortKinds } from './format.ts'
import type { Ctx } from './context.ts'

const FETCH_SIZE = 500
/** Maximum bytes of a record that is fetched together with others. */
const MAX_SHORT_RECORD_BYTES = 64 * 1024

/** All records that the plugins have of a workspace, as lines of one snapshot. */
export async function* exportLines(ctx: Ctx, workspaceId: Id): AsyncGenerator<string> {
  const { db, contributions } = ctx
  const trx = await db.startTransaction().setIsolationLevel('repeatable read').execute()
  try {
    // The reader of the lines may be slow. Raw: settings, and no query.
    await sql`
      select set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx)
    const kinds = contributions(recordKinds).map(({ item }) => item)
    for (const { kind, rows } of sortKinds([accountRecords(ctx), ...kinds])) {
      for await (const record of recordsOf(trx, rows(workspaceId, externalIdIn(workspaceId)))) {
        yield JSON.stringify({ kind, ...withoutEmpty(record) })
      }
    }
  } finally {
    await trx.rollback().execute()
  }
}

type DataRecord = Record<string, unknown>

/**
 * The records that a query answers, many at a time; a long one by itself, from a second cursor that passes over the
 * others: so no fetch is much larger than one record. Raw: Kysely has no cursors that other statements share.
 */
async function* recordsOf(trx: TransactionHandle, rows: RawBuilder<unknown>): AsyncGenerator<DataRecord> {
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

const withoutEmpty = (record: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
  )

/**
 * SQL: the name of a record in the file, by the column that holds its id; null where that is. Names of a source are not
 * used: two sources may have the same.
 */
const externalIdIn =
  (workspaceId: Id) =>
  (kind: string, column: string): RawBuilder<string> =>
    // Not min(): to find it the planner might walk the index of names.
    sql`coalesce((
      select (array_agg(m.external_id order by m.external_id))[1] from imported_record m
      where m.workspace_id = ${workspaceId} and m.kind = ${kind} and m.source = '' and m.id = ${sql.ref(column)}),
      ${sql.ref(column)}::text)`
