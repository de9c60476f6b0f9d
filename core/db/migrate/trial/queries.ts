import { sql, type Kysely } from 'kysely'

export interface TableState {
  name: string
  /** Changes when the table is rewritten. */
  file: string
  indexes: string[]
  /** Foreign keys and checks, which are compared with all rows when they are added. */
  rules: string[]
}

/** By oid. */
export async function readTables<DB>(db: Kysely<DB>): Promise<Map<string, TableState>> {
  // Raw, as what follows: the catalogue.
  const { rows } = await sql<TableState & { oid: string }>`
    select c.oid::text, c.relname as name, c.relfilenode::text as file,
      array(select indexrelid::text from pg_index where indrelid = c.oid) as indexes,
      array(select k.oid::text from pg_constraint k where conrelid = c.oid and contype in ('f', 'c')) as rules
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    order by c.relname`.execute(db.withoutPlugins())
  return new Map(rows.map(({ oid, ...state }) => [oid, state]))
}

/** Modes of the current transaction's locks on tables, by oid. */
export async function readLocks<DB>(db: Kysely<DB>): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ oid: string; modes: string[] }>`
    select relation::text as oid, array_agg(mode) as modes from pg_locks
    where pid = pg_backend_pid() and locktype = 'relation' and granted group by relation`.execute(db.withoutPlugins())
  return new Map(rows.map(({ oid, modes }) => [oid, modes]))
}

export interface TableSize {
  /** As ANALYZE or VACUUM counted them, or as the size lets expect. */
  rows: number
  bytes: number
  indexes: number
}

/** By name. */
export async function readSizes<DB>(db: Kysely<DB>): Promise<Map<string, TableSize>> {
  const { rows } = await sql<TableSize & { name: string }>`
    select c.relname as name, pg_table_size(c.oid)::float8 as bytes,
      case when c.reltuples >= 0 then c.reltuples else pg_relation_size(c.oid) / 100 end::float8 as rows,
      (select count(*)::int from pg_index where indrelid = c.oid) as indexes
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`.execute(
    db.withoutPlugins()
  )
  return new Map(rows.map(({ name, ...size }) => [name, size]))
}
