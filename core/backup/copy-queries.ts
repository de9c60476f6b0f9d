import { sql, type Kysely, type Transaction } from 'kysely'

/* All raw: the catalogue, and statements that change what tables are. Names are as text, escaped by the database. */

type Handle = Kysely<unknown>
type Trx = Transaction<unknown>

export interface CopiedTable {
  /** Escaped, with the schema if that is not the one of tracker's tables. */
  name: string
  columns: Array<{ name: string; type: string }>
}
interface TableObject {
  name: string
  table: string
  definition: string
}

/** The schemas of tracker's tables: in a PostgreSQL database there may be others. */
const SCHEMAS = sql`(n.nspname = current_schema() or n.nspname = 'pgboss')`
const NAME = sql`case when n.nspname = current_schema() then '' else quote_ident(n.nspname) || '.' end
  || quote_ident(c.relname)`

/** Settings by which both databases write a value as the same text, and none ends a long copy. */
export async function prepareCopy(trx: Trx): Promise<void> {
  await sql`
    select set_config(name, value, true) from (values
      ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0'), ('timezone', 'UTC'),
      ('datestyle', 'ISO'), ('intervalstyle', 'postgres'), ('bytea_output', 'hex'), ('extra_float_digits', '1')
    ) setting (name, value)`.execute(trx)
}

/** pg-boss counts its queues in a table for each day, which it makes and drops: each database has others. */
const IS_OF_QUEUE_STATS = sql`exists (
  select from pg_inherits i join pg_class parent on parent.oid = i.inhparent
  where i.inhrelid = c.oid and parent.relname = 'queue_stats')`

/** Locks of release 0.2.0, which a new database does not have. */
const IS_OF_FORMER_MIGRATOR = sql`c.relname like 'migration\\_%\\_lock'`

export async function readTables(db: Handle): Promise<CopiedTable[]> {
  const { rows } = await sql<CopiedTable>`
    select ${NAME} as name, json_agg(json_build_object(
      'name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod)) order by a.attname) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and ${SCHEMAS} and not ${IS_OF_QUEUE_STATS} and not ${IS_OF_FORMER_MIGRATOR}
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.oid, c.relname, n.nspname order by 1`.execute(db)
  return rows
}

export async function readSequences(db: Handle): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select ${NAME} as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and ${SCHEMAS} order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** The indexes that no constraint and no partitioned table owns. */
export async function readIndexes(db: Handle): Promise<TableObject[]> {
  const { rows } = await sql<TableObject>`
    select ${NAME} as name, '' as table, pg_get_indexdef(c.oid, 0, true) as definition
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_index i on i.indexrelid = c.oid
    where c.relkind = 'i' and ${SCHEMAS} and not c.relispartition
      and not exists (select from pg_constraint where conindid = c.oid) order by 1`.execute(db)
  return rows
}

export async function readForeignKeys(db: Handle): Promise<TableObject[]> {
  const { rows } = await sql<TableObject>`
    select quote_ident(k.conname) as name, ${NAME} as table, pg_get_constraintdef(k.oid, true) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and k.conparentid = 0 and ${SCHEMAS} order by 2, 1`.execute(db)
  return rows
}

export async function readMigrations(db: Handle): Promise<string[]> {
  const names = (await readTables(db)).map(({ name }) => name)
  const tables = names.filter(name => name.startsWith('migration_'))
  const applied = await Promise.all(
    tables.map(table =>
      sql<{ name: string }>`select ${table} || '/' || name as name from ${sql.raw(table)} order by 1`.execute(db)
    )
  )
  return applied.flatMap(({ rows }) => rows.map(({ name }) => name))
}

export interface TableDigest {
  rows: string
  /** A digest of all values, which does not depend on the order of the rows. */
  digest: string
  maxRowBytes: string
}
export async function digestTable(trx: Trx, { name, columns }: CopiedTable): Promise<TableDigest> {
  const values = sql.raw(columns.map(column => `${column.name}::text`).join(', '))
  const { rows } = await sql<TableDigest>`
    select count(*)::text as rows, coalesce(sum(hashtextextended(text, 0)::numeric), 0)::text as digest,
      coalesce(max(octet_length(text)), 0)::text as "maxRowBytes"
    from (select row(${values})::text as text from ${sql.raw(name)}) r`.execute(trx)
  return rows[0]!
}

export async function* readRowsOf(
  trx: Trx,
  { name, columns }: CopiedTable,
  rowsAtOnce: number
): AsyncGenerator<Array<Record<string, string | null>>> {
  const values = sql.raw(columns.map((column, n) => `${column.name}::text as c${n}`).join(', '))
  await sql`declare copied no scroll cursor for select ${values} from ${sql.raw(name)}`.execute(trx)
  for (;;) {
    const { rows } = await sql<Record<string, string | null>>`fetch ${sql.lit(rowsAtOnce)} from copied`.execute(trx)
    if (rows.length === 0) break
    yield rows
  }
  await sql`close copied`.execute(trx)
}

export async function insertRows(
  trx: Trx,
  { name, columns }: CopiedTable,
  rows: ReadonlyArray<Record<string, string | null>>
): Promise<void> {
  const list = (text: (column: CopiedTable['columns'][number], n: number) => string) =>
    sql.raw(columns.map(text).join(', '))
  const values = columns.map((_, n) => sql`${rows.map(row => row[`c${n}`] ?? null)}::text[]`)
  await sql`
    insert into ${sql.raw(name)} (${list(column => column.name)}) overriding system value
    select ${list(({ type }, n) => `c${n}::${type}`)}
    from unnest(${sql.join(values)}) as given (${list((_, n) => `c${n}`)})`.execute(trx)
}

export async function copySequence(from: Trx, to: Trx, name: string): Promise<void> {
  const { rows } = await sql<{ value: string; isCalled: boolean }>`
    select last_value::text as value, is_called as "isCalled" from ${sql.raw(name)}`.execute(from)
  const { value, isCalled } = rows[0]!
  await sql`select setval(${name}::regclass, ${value}::bigint, ${isCalled})`.execute(to)
}

/** Takes away what would check or change each row, and the rows. @returns the foreign keys, to be put back */
export async function emptyTables(trx: Trx, tables: readonly CopiedTable[]): Promise<TableObject[]> {
  const foreignKeys = await readForeignKeys(trx)
  for (const { name, table } of foreignKeys) {
    await sql.raw(`alter table ${table} drop constraint ${name}`).execute(trx)
  }
  for (const { name } of await readIndexes(trx)) await sql.raw(`drop index ${name}`).execute(trx)
  await sql.raw(`truncate ${tables.map(({ name }) => name).join(', ')}`).execute(trx)
  await setTriggers(trx, tables, 'disable')
  return foreignKeys
}

export async function completeTables(
  trx: Trx,
  tables: readonly CopiedTable[],
  indexes: readonly TableObject[],
  foreignKeys: readonly TableObject[]
): Promise<void> {
  for (const { definition } of indexes) await sql.raw(definition).execute(trx)
  await setTriggers(trx, tables, 'enable')
  for (const { name, table, definition } of foreignKeys) {
    await sql.raw(`alter table ${table} add constraint ${name} ${definition}`).execute(trx)
  }
  for (const { name } of tables) await sql.raw(`analyze ${name}`).execute(trx)
}

async function setTriggers(trx: Trx, tables: readonly CopiedTable[], to: 'enable' | 'disable'): Promise<void> {
  for (const { name } of tables) await sql.raw(`alter table ${name} ${to} trigger user`).execute(trx)
}

export async function hasData<DB>(db: Kysely<DB>): Promise<boolean> {
  const { rows: tables } = await sql<{ isThere: boolean }>`
    select to_regclass('account') is not null as "isThere"`.execute(db)
  if (!tables[0]!.isThere) return false
  const { rows } = await sql<{ isUsed: boolean }>`
    select exists (select from account) or exists (select from workspace) as "isUsed"`.execute(db)
  return rows[0]!.isUsed
}

export async function databaseBytes<DB>(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select pg_database_size(current_database())::text as bytes`.execute(db)
  return Number(rows[0]!.bytes)
}
