import pg from 'pg'
import { withConnection } from './runner/templates.ts'

/** A statement, or one that a trigger has run. */
export interface StatementRows {
  query: string
  /** Rows read: of tables and indexes, and pairs compared by joins. */
  rows: number
}

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}
interface Explained {
  'Query Text': string
  Plan: PlanNode
}

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
  client_min_messages: 'log'
}

/** Makes each new connection to a database report how its statements are run. */
export const explainAll = (url: string): Promise<void> =>
  withConnection(url, async client => {
    const name = client.escapeIdentifier(new URL(url).pathname.slice(1))
    for (const [setting, value] of Object.entries(SETTINGS)) {
      await client.query(`alter database ${name} set ${setting} = ${client.escapeLiteral(value)}`)
    }
  })

/** Removes the planner's statistics of all tables, as if they had just been filled. */
export const forgetStatistics = (url: string): Promise<void> =>
  withConnection(url, async client => {
    const tables = `from pg_class where relnamespace = 'public'::regnamespace`
    await client.query(`delete from pg_statistic where starelid in (select oid ${tables})`)
    await client.query(`update pg_class set reltuples = -1, relpages = 0 where oid in (select oid ${tables})`)
  })

/** Turns autovacuum off for all tables. */
export const stopAutovacuum = (url: string): Promise<void> =>
  withConnection(url, async client => {
    const { rows } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
    )
    for (const { name } of rows) await client.query(`alter table ${name} set (autovacuum_enabled = false)`)
  })

/** Runs `work`. @returns the statements of this process meanwhile, to a database of `explainAll` */
export async function recordRows(work: () => Promise<unknown>): Promise<StatementRows[]> {
  const statements: StatementRows[] = []
  // Notices arrive at each connection; those of the pool have no listeners.
  const { emit } = pg.Connection.prototype
  pg.Connection.prototype.emit = function (event: string, ...args: unknown[]) {
    const [message] = args as [{ message?: string }?]
    const plan = event === 'notice' ? /^duration: .*? plan:\n(.*)$/s.exec(message?.message ?? '')?.[1] : undefined
    if (plan !== undefined) {
      const { 'Query Text': query, Plan } = JSON.parse(plan) as Explained
      statements.push({ query, rows: rowsOf(Plan) })
    }
    return emit.call(this, event, ...args)
  }
  try {
    await work()
  } finally {
    pg.Connection.prototype.emit = emit
  }
  return statements
}

function rowsOf(node: PlanNode): number {
  const looked =
    (/ Scan$/.test(node['Node Type']) ? node['Actual Rows'] : 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0)
  return looked * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), 0)
}
