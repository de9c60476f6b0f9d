import { sql } from 'kysely'
import type { Id } from '../../core/db/tables.ts'
import type { Ctx } from './context.ts'

/** Rows of one statement: locks are short, and no transaction grows with the workspace. */
const BATCH_ROWS = 1_000

/** A table of a workspace's data, whichever plugin owns it, on or off. */
interface Table {
  name: string
  /** The primary key; its first column is `workspace_id`. */
  key: string[]
  /** Tables with foreign keys to this one, itself left out. */
  referencedBy: string[]
  /** Columns with foreign keys to the table itself, beside `workspace_id`. */
  ownReferences: string[]
}

/**
 * Removes a workspace with all of its rows, in every table that has a `workspace_id`.
 * @param report called with the number of removed rows, and the table of the last ones
 */
export async function removeWorkspace(
  { db, now }: Ctx,
  workspaceId: Id,
  report: (rows: number, table: string) => void
): Promise<void> {
  // From now on no request writes into it.
  await db
    .updateTable('token')
    .set({ revokedAt: now() })
    .where('workspaceId', '=', workspaceId)
    .where('revokedAt', 'is', null)
    .execute()

  let removed = 0
  for (const table of inOrderOfRemoval(await tablesOf(db))) {
    for (const column of table.ownReferences) {
      await repeat(() => execute(sql`update ${sql.table(table.name)} set ${sql.ref(column)} = null`, table, column))
    }
    await repeat(async () => {
      const rows = await execute(sql`delete from ${sql.table(table.name)}`, table)
      removed += rows
      if (rows > 0) report(removed, table.name)
      return rows
    })
  }
  await db.deleteFrom('workspace').where('id', '=', workspaceId).execute()

  /** One batch. @returns how many rows it changed */
  async function execute(change: ReturnType<typeof sql>, { name, key }: Table, notNull?: string): Promise<number> {
    const columns = sql.join(key.map(column => sql.ref(column)))
    // Raw, because the tables and their keys are read from the catalogue.
    const { numAffectedRows = 0n } = await sql`
      ${change} where workspace_id = ${workspaceId} and (${columns}) in (
        select ${columns} from ${sql.table(name)}
        where workspace_id = ${workspaceId} ${notNull === undefined ? sql`` : sql`and ${sql.ref(notNull)} is not null`}
        limit ${BATCH_ROWS})`.execute(db.withoutPlugins())
    return Number(numAffectedRows)
  }
}

/** Until a batch is not full. */
async function repeat(batch: () => Promise<number>): Promise<void> {
  while ((await batch()) === BATCH_ROWS);
}

async function tablesOf(db: Ctx['db']): Promise<Table[]> {
  // Raw, because no type has the tables of the catalogue.
  const { rows } = await sql<Table>`
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
    from data order by data.name`.execute(db.withoutPlugins())
  return rows
}

/** Each table after all that have foreign keys to it. */
function inOrderOfRemoval(tables: readonly Table[]): Table[] {
  const ordered = new Set<Table>()
  const visiting = new Set<Table>()
  function visit(table: Table): void {
    if (ordered.has(table)) return
    if (visiting.has(table)) throw new Error(`The foreign keys of the table ${table.name} lead back to it.`)
    visiting.add(table)
    for (const other of tables) if (table.referencedBy.includes(other.name)) visit(other)
    ordered.add(table)
  }
  tables.forEach(visit)
  return [...ordered]
}
