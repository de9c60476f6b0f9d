import pg, { type ClientBase } from 'pg'

export type TableCounts = Record<string, number>

type Client = Pick<ClientBase, 'query'>

export const countRows = async (client: Client): Promise<TableCounts> => measureTables(client, 'count(*)')

/** Counts the rows of all tables, and reads each value of them. @throws Error that names a table with damaged pages */
export const readRows = async (client: Client): Promise<TableCounts> =>
  measureTables(client, 'count(hashtextextended(t::text, 0))')

async function measureTables(client: Client, count: string): Promise<TableCounts> {
  const { rows: tables } = await client.query<{ schema: string; name: string }>(`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1, 2`)
  const counts: TableCounts = {}
  for (const { schema, name } of tables) {
    const table = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
    const { rows } = await client
      .query<{ rows: string }>(`select ${count} as rows from ${table} t`)
      .catch((error: unknown) => {
        throw new Error(`The table ${schema}.${name} cannot be read: it is damaged.`, { cause: error })
      })
    counts[`${schema}.${name}`] = Number(rows[0]?.rows)
  }
  return counts
}
