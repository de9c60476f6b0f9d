import { sql, type RawBuilder } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'

/** Rows per statement: locks are short, and no transaction grows with the workspace. */
export const BATCH_ROWS = 1_000

/** Its plugin may be off. */
export interface DataTable {
  name: string
  /** Its first column is `workspace_id`. */
  key: string[]
  referencedBy: string[]
  /** Foreign keys to the table itself, beside `workspace_id`. */
  ownReferences: string[]
}

export const revokeAllTokens = (trx: Trx, workspaceId: Id, at: Date) =>
  trx
    .updateTable('token')
    .set({ revokedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('revokedAt', 'is', null)
    .execute()

export const removeWorkspaceRow = (trx: Trx, workspaceId: Id) =>
  trx.deleteFrom('workspace').where('id', '=', workspaceId).execute()

export const removeRowsOf = (trx: Trx, workspaceId: Id, table: DataTable): Promise<number> =>
  changeBatch(trx, workspaceId, table, sql`delete from ${sql.table(table.name)}`)

export const clearReferences = (trx: Trx, workspaceId: Id, table: DataTable, column: string): Promise<number> => {
  const clear = sql`update ${sql.table(table.name)} set ${sql.ref(column)} = null`
  return changeBatch(trx, workspaceId, table, clear, sql`and ${sql.ref(column)} is not null`)
}

async function changeBatch(
  trx: Trx,
  workspaceId: Id,
  { name, key }: DataTable,
  change: RawBuilder<unknown>,
  condition = sql``
): Promise<number> {
  const columns = sql.join(key.map(column => sql.ref(column)))
  // Raw, because the tables and their keys are read from the catalogue.
  const { numAffectedRows = 0n } = await sql`
    ${change} where workspace_id = ${workspaceId} and (${columns}) in (
      select ${columns} from ${sql.table(name)} where workspace_id = ${workspaceId} ${condition}
      limit ${BATCH_ROWS})`.execute(trx.withoutPlugins())
  return Number(numAffectedRows)
}

export async function listDataTables(db: Db): Promise<DataTable[]> {
  // Raw, because the catalogue has no types.
  const { rows } = await sql<DataTable>`
    with data as (
      select c.oid, c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attname = 'workspace_id' and not a.attisdropped),
    reference as (
      select conrelid as source, confrelid as target, conkey as columns from pg_constraint where contype = 'f')
    select data.name,
      array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = i.indrelid
        where i.indrelid = data.oid and i.indisprimary and a.attnum = any(i.indkey)) as key,
      array(select distinct other.name::text from reference r join data other on other.oid = r.source
        where r.target = data.oid and r.source <> data.oid) as "referencedBy",
      array(select distinct a.attname::text from reference r join pg_attribute a
        on a.attrelid = r.source and a.attnum = any(r.columns) and a.attname <> 'workspace_id'
        where r.target = data.oid and r.source = data.oid) as "ownReferences"
    from data order by data.name`.execute(db)
  return rows
}
