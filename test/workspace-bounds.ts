import { parse } from 'libpg-query'

/*
 * Checks that a statement bounds each table of a workspace's data by a workspace: by a parameter in the same query, or
 * by the equality of `workspace_id` with a table that has one there. The row of an outer query is no bound: a
 * distributed engine plans each subquery by itself.
 */

/** A node of PostgreSQL's parse tree: its type by its only key, or the fields of a type. */
type Node = { readonly [key: string]: unknown }
/** An equality of `workspace_id`: the bounded table, and the other one; undefined: a parameter. */
interface Equality {
  bounds: string
  by: string | undefined
}
/** The tables in the FROM of one query, and the bounds in its conditions. */
class Level {
  /** The names of the tables, by alias. */
  readonly tables = new Map<string, string>()
  readonly equalities: Equality[] = []

  unbounded(): string[] {
    const bounded = new Set<string>()
    for (let before = -1; before < bounded.size;) {
      before = bounded.size
      for (const { bounds, by } of this.equalities) if (by === undefined || bounded.has(by)) bounded.add(bounds)
    }
    return [...this.tables].filter(([name]) => !bounded.has(name)).map(([, table]) => table)
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const childrenOf = (value: unknown): unknown[] => (isNode(value) ? Object.values(value) : [])
const within = (value: unknown, type: string): Node | undefined => {
  const node = isNode(value) ? value[type] : undefined
  return isNode(node) ? node : undefined
}
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => String(within(value, 'String')?.['sval'] ?? '')
const withoutCast = (value: unknown): unknown => {
  const cast = within(value, 'TypeCast')
  return cast ? withoutCast(cast['arg']) : value
}

/** True for known statements about all workspaces. */
export const isOfAllWorkspaces = (text: string): boolean => OF_ALL_WORKSPACES.some(known => known.test(text))

const OLD_LOSSES = new RegExp(
  '^delete from "issue_lost_claim" where "lost_at" < ' +
    '(statement_timestamp\\(\\)|coalesce\\(\\$1::timestamptz, statement_timestamp\\(\\)\\)) ' +
    '- make_interval\\(days => \\$\\d\\)$'
)
const OLD_FILES = new RegExp(
  '^select "workspace_id", "id", "store", "bytes" from "file" where "state" = \\$1 and "subject_id" is null ' +
    'and "created_at" < \\$2 order by "created_at" limit \\$3$'
)
const RULES_OF_CYCLES = new RegExp(
  '^select "r"\\."workspace_id", "r"\\."team_id" from "cycle_rule" as "r" inner join "team" as "t" ' +
    'on "t"\\."workspace_id" = "r"\\."workspace_id" and "t"\\."id" = "r"\\."team_id" where "t"\\."deleted_at" is null$'
)
/** Statements about all workspaces: they find a request's workspace, or belong to background work. */
const OF_ALL_WORKSPACES: readonly RegExp[] = [
  // Sign-in: the token determines the workspace.
  /^\s*select token\.workspace_id, .* where token\.hash = \$1/s,
  // Tests for the first start.
  /^select "id" from "token"$/,
  // The log and its consumers, which follow all workspaces.
  /^\s*select .* from "?event"? .*"partition" = \$\d+/s,
  /^\s*select c\.name, .* from event_consumer c/s,
  // Removal of old rows.
  /^delete from "\w+" where "(\w+_)?at" < \$1$/,
  OLD_LOSSES,
  /^\s*with oldest as \(\s*select workspace_id, position, at from event/,
  /^\s*with old as materialized \(\s*select .* from "\w+" old where .*old\.(\w+_)?at < \$\d/s,
  // Due work, with its workspace; and counts for health and metrics.
  /^select ("w"\.)?"workspace_id", [^(]+ from "(account|agent_run|issue_claim|webhook)" /,
  OLD_FILES,
  RULES_OF_CYCLES,
  /^\s*select c\.workspace_id .* from issue_claim c\s.* union /s,
  /^\s*select count\(\*\).* from "(agent_run|embedding_text|event_dead_letter|issue_claim|webhook)"/s
]

/**
 * @param workspaceTables the tables with a `workspace_id`
 * @returns the statements with a query that does not bound its workspace, each after its tables
 */
export async function unboundedStatements(
  statements: Iterable<string>,
  workspaceTables: ReadonlySet<string>
): Promise<string[]> {
  const unbounded: string[] = []
  for (const text of statements) {
    const tables = isOfAllWorkspaces(text) ? [] : await unboundedTables(text, workspaceTables)
    if (tables.length > 0) unbounded.push(`${tables.join(', ')}: ${text}`)
  }
  return unbounded
}

/**
 * @param workspaceTables the tables with a `workspace_id`
 * @returns those that some query of the statement does not bound
 */
async function unboundedTables(text: string, workspaceTables: ReadonlySet<string>): Promise<string[]> {
  const tree: unknown = await parse(text)
  const unbounded: string[] = []

  function visit(value: unknown): void {
    for (const type of ['SelectStmt', 'UpdateStmt', 'DeleteStmt']) {
      const query = within(value, type)
      if (query) visitQuery(query)
    }
    for (const child of childrenOf(value)) visit(child)
  }

  function visitQuery(query: Node): void {
    const level = new Level()
    for (const item of [...listOf(query['fromClause']), ...listOf(query['usingClause'])]) addFrom(level, item)
    // For an UPDATE or DELETE.
    if (isNode(query['relation'])) addTable(level, query['relation'])
    addConditions(level, query['whereClause'])
    unbounded.push(...level.unbounded())
    // The halves of a UNION are no nodes of their own.
    for (const half of [query['larg'], query['rarg']]) if (isNode(half)) visitQuery(half)
  }

  /** @returns the aliases in the item */
  function addFrom(level: Level, item: unknown): string[] {
    const table = within(item, 'RangeVar')
    if (table) return addTable(level, table)
    const join = within(item, 'JoinExpr')
    if (!join) return []
    const [left, right] = [addFrom(level, join['larg']), addFrom(level, join['rarg'])]
    // The condition of an outer join removes no row of its outer side.
    const bounded = { JOIN_INNER: undefined, JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: [] }[
      String(join['jointype'])
    ]
    addConditions(level, join['quals'], bounded)
    return [...left, ...right]
  }

  function addTable(level: Level, table: Node): string[] {
    const name = String(table['relname'])
    const alias = isNode(table['alias']) ? String(table['alias']['aliasname']) : name
    if (workspaceTables.has(name)) level.tables.set(alias, name)
    return [alias]
  }

  /** @param bounded the aliases that the condition can bound; undefined: all */
  function addConditions(level: Level, condition: unknown, bounded?: readonly string[]): void {
    const both = within(condition, 'BoolExpr')
    if (both?.['boolop'] === 'AND_EXPR') for (const one of listOf(both['args'])) addConditions(level, one, bounded)
    const compared = within(condition, 'A_Expr')
    if (compared?.['kind'] !== 'AEXPR_OP' || textOf(listOf(compared['name'])[0]) !== '=') return
    const sides = [compared['lexpr'], compared['rexpr']].map(withoutCast)
    for (const [side, other] of [sides, sides.toReversed()]) {
      const bounds = tableOf(level, side)
      const by = tableOf(level, other)
      const isBounded = bounds !== undefined && (bounded === undefined || bounded.includes(bounds))
      if (isBounded && (by !== undefined || within(other, 'ParamRef'))) level.equalities.push({ bounds, by })
    }
  }

  /** The table whose `workspace_id` an expression is. */
  function tableOf({ tables }: Level, expression: unknown): string | undefined {
    const names = listOf(within(expression, 'ColumnRef')?.['fields']).map(textOf)
    if (names.at(-1) !== 'workspace_id') return undefined
    const [onlyTable] = tables.size === 1 ? tables.keys() : []
    const table = names.length > 1 ? names.at(-2) : onlyTable
    return table !== undefined && tables.has(table) ? table : undefined
  }

  visit(tree)
  return unbounded
}
