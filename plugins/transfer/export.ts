import { sql, type RawBuilder } from 'kysely'
import type { Id } from '../../core/db/tables.ts'
import { accountRecords } from './accounts.ts'
import { recordKinds } from './contract.ts'
import { inOrder } from './format.ts'
import type { Ctx } from './context.ts'

const FETCHED_AT_ONCE = 500

/** Everything of a workspace that the plugins have records of, as lines, all as of one moment. */
export async function* exportLines({ db, scopes, contributions }: Ctx, workspaceId: Id): AsyncGenerator<string> {
  const trx = await db.startTransaction().setIsolationLevel('repeatable read').execute()
  try {
    // The reader of the lines may be slow.
    await sql`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`.execute(
      trx
    )
    const kinds = contributions(recordKinds).map(({ item }) => item)
    for (const { kind, rows } of inOrder([accountRecords(scopes), ...kinds])) {
      await sql`declare records no scroll cursor for select row_to_json(every) as record from (${rows(workspaceId, externalIdIn(workspaceId))}) every`.execute(
        trx
      )
      for (;;) {
        const { rows: fetched } = await sql<{
          record: Record<string, unknown>
        }>`fetch ${sql.lit(FETCHED_AT_ONCE)} from records`.execute(trx)
        for (const { record } of fetched) yield JSON.stringify({ kind, ...withoutEmpty(record) })
        if (fetched.length < FETCHED_AT_ONCE) break
      }
      await sql`close records`.execute(trx)
    }
  } finally {
    await trx.rollback().execute()
  }
}

const withoutEmpty = (record: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
  )

/** SQL: the name of a record in the file, by the column that holds its id; null where that is. */
const externalIdIn =
  (workspaceId: Id) =>
  (kind: string, column: string): RawBuilder<string> =>
    // Not min(): to find it the planner might walk the index of names.
    sql`coalesce((
      select (array_agg(m.external_id order by m.external_id))[1] from imported_record m
      where m.workspace_id = ${workspaceId} and m.kind = ${kind} and m.id = ${sql.ref(column)}), ${sql.ref(column)}::text)`
