import { sql, type RawBuilder } from 'kysely'
import { isId } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { ImportedFields, RecordKind } from '../contract.ts'

interface RecordsOf {
  workspaceId: Id
  kind: string
  /** Empty for a file of the import format. */
  source: string
}

export async function importedIds(trx: Trx, workspaceId: Id, kind: string): Promise<Map<string, Id>> {
  const rows = await trx
    .selectFrom('importedRecord')
    .select(['externalId', 'id'])
    .where('workspaceId', '=', workspaceId)
    .where('kind', '=', kind)
    .where('source', '=', '')
    .execute()
  return new Map(rows.map(({ externalId, id }) => [externalId, id]))
}

export const listImported = (
  db: Db,
  { workspaceId, kind, sources }: Omit<RecordsOf, 'source'> & { sources: readonly string[] },
  names: readonly string[]
): Promise<Array<{ externalId: string; id: Id }>> =>
  db
    .selectFrom('importedRecord')
    .select(['externalId', 'id'])
    .where('workspaceId', '=', workspaceId)
    .where('kind', '=', kind)
    .where('source', 'in', [...sources])
    .where('externalId', '=', sql<string>`any(${names}::text[])`)
    .execute()

/** The ids of records by name; of records without another name in their table, by id. */
export async function findStored(
  trx: Trx,
  { workspaceId, kind, source }: RecordsOf,
  { table, isRecord = sql`true` }: Pick<RecordKind, 'table' | 'isRecord'>,
  names: readonly string[]
): Promise<Map<string, Id>> {
  // Name by name: any other plan reads all former imports, and a long `= any` takes long to plan. Raw, because the
  // table follows from the kind of records.
  const { rows } = await sql<{ externalId: string; id: Id }>`
    select r.external_id, r.id from unnest(${names}::text[]) as wanted (name)
    cross join lateral (
      select external_id, id from imported_record
      where workspace_id = ${workspaceId} and kind = ${kind} and source = ${source} and external_id = wanted.name
      limit 1
    ) r
    union all
    select id::text, id from ${sql.table(table)}
    where workspace_id = ${workspaceId} and id = any(${names.filter(isId)}::uuid[]) and ${isRecord}`.execute(trx)
  return new Map(rows.map(({ externalId, id }) => [externalId, id]))
}

export async function listLastImported(
  trx: Trx,
  { workspaceId, kind, source }: RecordsOf,
  names: readonly string[]
): Promise<Map<string, ImportedFields | null>> {
  const rows = await trx
    .selectFrom('importedRecord')
    .select(['externalId', 'fields'])
    .where('workspaceId', '=', workspaceId)
    .where('kind', '=', kind)
    .where('source', '=', source)
    .where('externalId', '=', sql<string>`any(${names}::text[])`)
    .execute()
  return new Map(rows.map(({ externalId, fields }) => [externalId, fields]))
}

export async function storeNames(
  trx: Trx,
  { workspaceId, kind, source }: RecordsOf,
  names: ReadonlyArray<{ name: string; id: Id; fields: ImportedFields | null }>
): Promise<void> {
  // Raw: one JSON parameter holds all rows, so that the SQL does not depend on their number.
  await sql`
    insert into imported_record (workspace_id, kind, source, external_id, id, fields)
    select ${workspaceId}, ${kind}, ${source}, name, id, fields
    from json_to_recordset(${JSON.stringify(names)}::json) as r (name text, id uuid, fields json)
    on conflict (workspace_id, kind, source, external_id) do update set fields = excluded.fields`.execute(trx)
}

export const updateImportedFields = (
  trx: Trx,
  { workspaceId, kind, source }: RecordsOf,
  name: string,
  fields: ImportedFields
) =>
  trx
    .updateTable('importedRecord')
    .set({ fields: JSON.stringify(fields) })
    .where('workspaceId', '=', workspaceId)
    .where('kind', '=', kind)
    .where('source', '=', source)
    .where('externalId', '=', name)
    .execute()

export async function namesInTexts(
  trx: Db | Trx,
  names: RawBuilder<{ id: Id; name: string }>
): Promise<Map<Id, string>> {
  // Raw, because the kind of records has made the query.
  const { rows } = await sql<{ id: Id; name: string }>`${names}`.execute(trx)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function currentFields(
  trx: Db | Trx,
  current: RawBuilder<{ id: Id }>
): Promise<Map<Id, Record<string, unknown> & { id: Id }>> {
  // Raw, because the kind of records has made the query.
  const { rows } = await sql<Record<string, unknown> & { id: Id }>`${current}`.execute(trx)
  return new Map(rows.map(row => [row.id, row]))
}

// Raw, these three: Kysely has no settings, no ANALYZE, and savepoints only in controlled transactions.

export const allowSlowSource = (trx: Trx) =>
  sql`select set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx)

export async function withSavepoint<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint import_batch`.execute(trx)
  try {
    const result = await work()
    await sql`release savepoint import_batch`.execute(trx)
    return result
  } catch (error) {
    await sql`rollback to savepoint import_batch`.execute(trx)
    throw error
  }
}

export const analyze = (db: Db, table: string) => sql`analyze ${sql.table(table)}`.execute(db)
