import { PostgresIntrospector, sql, type Kysely, type TableMetadata } from 'kysely'

/**
 * Lists only the tables of migrations, for Kysely's migrator, which needs no others. Kysely's introspector reads all
 * columns of all tables, twice for each owner: a third of a first start's statements.
 */
export class MigrationTables extends PostgresIntrospector {
  readonly #db: Kysely<unknown>

  constructor(db: Kysely<unknown>) {
    super(db)
    this.#db = db
  }

  override async getTables(): Promise<TableMetadata[]> {
    // Raw, because the catalogue is not in the types of the tables.
    const { rows } = await sql<{ name: string; schema: string }>`
      select c.relname as name, n.nspname as schema
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind = 'r' and c.relname like 'migration\\_%'`.execute(this.#db)
    return rows.map(table => ({ ...table, isView: false, isForeign: false, columns: [] }))
  }
}
