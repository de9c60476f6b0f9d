import { sql, type RawBuilder } from 'kysely'
import type { Principal } from '../../../core/contract.ts'
import { isId } from '../../../core/db/sql.ts'
import type { ShortReads } from '../../../core/db/short-reads.ts'
import { ApiError, invalid, shown } from '../../../core/errors.ts'
import { STATE_CATEGORIES } from '../../workspace/contract.ts'
import type { IssueReference, IssuesDatabase, ReadyRule } from '../contract.ts'
import { parseIssueName } from '../keys.ts'
import { isReady } from '../readiness.ts'
import { lookUp, wantNothing } from './lookup.ts'

type Condition = RawBuilder<boolean>
interface Entry {
  filterType: string
  value?: unknown
}

/** One key of `filters`: how its values look, and what each filter type means for it. */
interface FilterKey {
  types: readonly string[]
  /** @throws 400 when the entry's value does not fit */
  condition(entry: Entry, name: string): Condition
}

const ABSENCE = ['UNDEFINED', 'DEFINED'] as const
const SETS = ['IS', 'IS_NOT'] as const
const ORDER = ['GT', 'GTE', 'LT', 'LTE'] as const
const OPERATORS: Record<string, RawBuilder<unknown>> = { GT: sql`>`, GTE: sql`>=`, LT: sql`<`, LTE: sql`<=` }

const bad = (name: string, should: string) =>
  invalid(`body.filters.${name}.value ${should}.`, { field: `filters.${name}` })

/** A value in a message: an object or a list may refuse to be text. */
const shownValue = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : shown(String(value))
}

function list(entry: Entry, name: string): unknown[] {
  if (!Array.isArray(entry.value)) throw bad(name, `must be an array for ${entry.filterType}`)
  if (entry.value.length > 1000) throw bad(name, 'must have at most 1,000 items')
  return entry.value
}
function ids(entry: Entry, name: string): string[] {
  const values = list(entry, name)
  const wrong = values.find(value => typeof value !== 'string' || !isId(value))
  if (wrong !== undefined) throw bad(name, `must hold UUIDs; '${shownValue(wrong)}' is none`)
  return values as string[]
}

/** A column that holds one of a set of ids. */
const idKey = (column: string, nullable: boolean): FilterKey => ({
  types: nullable ? [...SETS, ...ABSENCE] : SETS,
  condition(entry, name) {
    const ref = sql.ref(column)
    if (entry.filterType === 'UNDEFINED') return sql`${ref} is null`
    if (entry.filterType === 'DEFINED') return sql`${ref} is not null`
    const values = ids(entry, name)
    // One value is compared as one: then an index has the rows in the board's order.
    if (values.length === 1) {
      return entry.filterType === 'IS'
        ? sql`${ref} = ${values[0]}::uuid`
        : sql`${ref} is distinct from ${values[0]}::uuid`
    }
    const wanted = sql`${values}::uuid[]`
    return entry.filterType === 'IS' ? sql`${ref} = any(${wanted})` : sql`(${ref} is null or ${ref} <> all(${wanted}))`
  }
})

/** A column that refers to a record of another plugin; one that was removed is as none. */
const referenceKey = ({ table, column }: IssueReference, workspaceId: string): FilterKey => ({
  types: [...SETS, ...ABSENCE],
  condition(entry, name) {
    const ref = sql.ref(`issue.${column}`)
    const there = (which: RawBuilder<unknown>) => sql`(
      select r.id from ${sql.table(table)} r where r.workspace_id = ${workspaceId} and r.deleted_at is null ${which})`
    const isNot = (records: RawBuilder<unknown>) => sql<boolean>`(${ref} is null or ${ref} not in ${records})`
    if (entry.filterType === 'UNDEFINED') return isNot(there(sql``))
    if (entry.filterType === 'DEFINED') return sql`${ref} in ${there(sql``)}`
    const records = there(sql`and r.id = any(${ids(entry, name)}::uuid[])`)
    return entry.filterType === 'IS' ? sql`${ref} in ${records}` : isNot(records)
  }
})

/** A column with an order. `cast` is the SQL type of the values; `read` checks one. */
const orderedKey = (
  column: string,
  cast: RawBuilder<unknown>,
  nullable: boolean,
  read: (value: unknown) => string | number | undefined,
  looks: string
): FilterKey => ({
  types: nullable ? [...SETS, ...ORDER, ...ABSENCE] : [...SETS, ...ORDER],
  condition(entry, name) {
    const ref = sql.ref(column)
    if (entry.filterType === 'UNDEFINED') return sql`${ref} is null`
    if (entry.filterType === 'DEFINED') return sql`${ref} is not null`
    const checked = (value: unknown) => {
      const good = read(value)
      if (good === undefined) throw bad(name, `must hold ${looks}; '${shownValue(value)}' is not`)
      return good
    }
    const operator = OPERATORS[entry.filterType]
    if (operator) {
      const values = Array.isArray(entry.value) ? entry.value : [entry.value]
      if (values.length !== 1) throw bad(name, `must be one value for ${entry.filterType}`)
      return sql`${ref} ${operator} ${checked(values[0])}::${cast}`
    }
    const wanted = sql`${list(entry, name).map(checked)}::${cast}[]`
    return entry.filterType === 'IS' ? sql`${ref} = any(${wanted})` : sql`(${ref} is null or ${ref} <> all(${wanted}))`
  }
})

const time = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value))
    ? new Date(value).toISOString()
    : undefined
const day = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
const finite = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
const smallint = (value: unknown) =>
  Number.isInteger(value) && Math.abs(value as number) < 32_768 ? (value as number) : undefined

/** States by category, without a join: a workspace has few of them. */
const stateCategory: FilterKey = {
  types: SETS,
  condition(entry, name) {
    const wanted = list(entry, name)
    const wrong = wanted.find(value => !(STATE_CATEGORIES as readonly unknown[]).includes(value))
    if (wrong !== undefined) {
      throw bad(name, `must hold categories (${STATE_CATEGORIES.join(', ')}); '${shownValue(wrong)}' is none`)
    }
    const within = sql<boolean>`issue.state_id in (select s.id from workflow_state s where s.workspace_id = issue.workspace_id and s.category = any(${wanted}::text[]))`
    return entry.filterType === 'IS' ? within : sql`not ${within}`
  }
}

/** Teams by id or identifier. */
const team: FilterKey = {
  types: SETS,
  condition(entry, name) {
    const refs = list(entry, name).map(value => {
      if (typeof value !== 'string') throw bad(name, 'must hold UUIDs or identifiers of teams')
      return value
    })
    const within = sql<boolean>`issue.team_id in (select t.id from team t where t.workspace_id = issue.workspace_id
      and (t.id = any(${refs.filter(isId)}::uuid[]) or upper(t.identifier) = any(${refs.map(ref => ref.toUpperCase())}::text[])))`
    return entry.filterType === 'IS' ? within : sql`not ${within}`
  }
}

/** Issues under a parent, named by id or key. */
const parent: FilterKey = {
  types: [...SETS, ...ABSENCE],
  condition(entry, name) {
    if (entry.filterType === 'UNDEFINED') return sql`issue.parent_id is null`
    if (entry.filterType === 'DEFINED') return sql`issue.parent_id is not null`
    const names = list(entry, name).map(value => {
      const parsed = typeof value === 'string' ? parseIssueName(value) : undefined
      if (parsed === undefined) throw bad(name, `must hold UUIDs or keys of issues; '${shownValue(value)}' is none`)
      return parsed
    })
    const byId = names.flatMap(n => ('id' in n ? [n.id] : []))
    const byKey = names.flatMap(n => ('id' in n ? [] : [`${n.identifier}-${n.number}`]))
    const within = sql<boolean>`coalesce(issue.parent_id in (
      select p.id from issue p join team pt on pt.workspace_id = p.workspace_id and pt.id = p.team_id
      where p.workspace_id = issue.workspace_id and (p.id = any(${byId}::uuid[]) or (p.number = any(${names.flatMap(n => ('id' in n ? [] : [n.number]))}::int[]) and upper(pt.identifier) || '-' || p.number = any(${byKey}::text[])))), false)`
    return entry.filterType === 'IS' ? within : sql`not ${within}`
  }
}

const label = (workspaceId: string): FilterKey => ({
  types: ['IS', 'IS_NOT', 'INCLUDES', 'INCLUDES_ALL', 'EXCLUDES', ...ABSENCE],
  condition(entry, name) {
    const has = (which: RawBuilder<unknown>) => sql<boolean>`issue.id in (
      select il.issue_id from issue_label il join label l on l.workspace_id = il.workspace_id and l.id = il.label_id and l.deleted_at is null
      where il.workspace_id = ${workspaceId} ${which})`
    if (entry.filterType === 'UNDEFINED') return sql`not (${has(sql``)})`
    if (entry.filterType === 'DEFINED') return has(sql``)
    const wanted = [...new Set(ids(entry, name).map(id => id.toLowerCase()))]
    if (entry.filterType === 'INCLUDES_ALL') {
      return sql`(select count(*) from issue_label il join label l on l.workspace_id = il.workspace_id and l.id = il.label_id and l.deleted_at is null
        where il.workspace_id = issue.workspace_id and il.issue_id = issue.id and il.label_id = any(${wanted}::uuid[])) = ${wanted.length}::int`
    }
    const any = has(sql`and il.label_id = any(${wanted}::uuid[])`)
    return entry.filterType === 'IS' || entry.filterType === 'INCLUDES' ? any : sql`not (${any})`
  }
})

const flag = (condition: Condition): FilterKey => ({
  types: ['IS'],
  condition(entry, name) {
    const values = Array.isArray(entry.value) ? entry.value : [entry.value]
    if (values.length !== 1 || typeof values[0] !== 'boolean') throw bad(name, 'must be true or false')
    return values[0] ? condition : sql`not ${condition}`
  }
})

const openBlocker = (
  side: 'issue_id' | 'related_issue_id',
  other: 'issue_id' | 'related_issue_id'
) => sql<boolean>`exists (
  select 1 from issue_relation r
  join issue o on o.workspace_id = r.workspace_id and o.id = r.${sql.raw(other)} and o.deleted_at is null
  join workflow_state os on os.workspace_id = o.workspace_id and os.id = o.state_id and os.category not in ('COMPLETED', 'CANCELED')
  where r.workspace_id = issue.workspace_id and r.${sql.raw(side)} = issue.id and r.type = 'BLOCKS' and r.deleted_at is null)`
const isBlocked = openBlocker('related_issue_id', 'issue_id')

export interface FilterOptions {
  principal: Principal
  references: readonly IssueReference[]
  readyRules: readonly ReadyRule[]
}

function filterKeys({ principal, references, readyRules }: FilterOptions): Record<string, FilterKey> {
  const state = idKey('issue.state_id', false)
  return {
    state,
    status: state,
    stateCategory,
    team,
    assignee: idKey('issue.assignee_id', true),
    label: label(principal.workspaceId),
    priority: orderedKey('issue.priority', sql`smallint`, false, smallint, 'priorities (0 to 4)'),
    ...Object.fromEntries(references.map(r => [r.key, referenceKey(r, principal.workspaceId)])),
    parent,
    createdBy: idKey('issue.created_by_id', false),
    dueDate: orderedKey('issue.due_date', sql`date`, true, day, 'dates (YYYY-MM-DD)'),
    createdAt: orderedKey('issue.created_at', sql`timestamptz`, false, time, 'times (ISO 8601)'),
    updatedAt: orderedKey('issue.updated_at', sql`timestamptz`, false, time, 'times (ISO 8601)'),
    estimate: orderedKey('issue.estimate', sql`float8`, true, finite, 'numbers'),
    isParent: flag(
      sql`exists (select 1 from issue c where c.workspace_id = issue.workspace_id and c.parent_id = issue.id and c.deleted_at is null)`
    ),
    isSubIssue: flag(sql`(issue.parent_id is not null)`),
    isBlocked: flag(isBlocked),
    isBlocking: flag(
      sql`(${openBlocker('issue_id', 'related_issue_id')} and exists (select 1 from workflow_state s where s.workspace_id = issue.workspace_id and s.id = issue.state_id and s.category not in ('COMPLETED', 'CANCELED')))`
    ),
    isReady: flag(isReady({ accountIds: [principal.accountId] }, readyRules))
  }
}

/** Keys of which a board's totals are kept, so that nothing needs to be counted. */
const TALLIED = new Set(['state', 'status', 'stateCategory', 'team'])

/** The conditions of `filters`, to be ANDed. @throws 400 that lists what is known when something is not */
export function filterConditions(
  filters: Record<string, unknown>,
  options: FilterOptions
): { conditions: Condition[]; tallied: boolean; indexed: boolean } {
  const keys = filterKeys(options)
  const entries = Object.entries(filters)
  const conditions = entries.map(([name, given]) => {
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined
    if (key === undefined) {
      throw invalid(`body.filters.${shown(name)} is not a filter; the filters are: ${Object.keys(keys).join(', ')}.`, {
        field: `filters.${shown(name)}`,
        known: Object.keys(keys)
      })
    }
    const entry = typeof given === 'boolean' ? { filterType: 'IS', value: given } : given
    if (!isEntry(entry) || !key.types.includes(entry.filterType)) {
      throw invalid(
        `body.filters.${name} must be {filterType, value}; its filter types are: ${key.types.join(', ')}.`,
        { field: `filters.${name}`, known: key.types }
      )
    }
    const extra = Object.keys(entry).find(field => field !== 'filterType' && field !== 'value')
    if (extra !== undefined) {
      throw invalid(
        `body.filters.${name}.${shown(extra)} is not a field of a filter; the fields are: filterType, value.`,
        { field: `filters.${name}` }
      )
    }
    return key.condition(entry, name)
  })
  return {
    conditions,
    tallied: entries.every(([name]) => TALLIED.has(name)),
    indexed: entries.length === 0 || (entries.length === 1 && entries.every(isOneState))
  }
}
const isOneState = ([name, entry]: [string, unknown]) =>
  (name === 'state' || name === 'status') &&
  isEntry(entry) &&
  entry.filterType === 'IS' &&
  Array.isArray(entry.value) &&
  entry.value.length === 1
const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && typeof (value as Entry).filterType === 'string'

/**
 * Refuses teams and parents that are not there: a filter by them would find nothing, and not say why. After
 * `filterConditions`, which has seen to it that they are names.
 * @throws 400
 */
export async function requireNamed(
  reads: ShortReads<IssuesDatabase>,
  workspaceId: string,
  filters: Record<string, unknown>
): Promise<void> {
  const namesIn = (key: string) => {
    const entry = filters[key]
    return isEntry(entry) && Array.isArray(entry.value) ? entry.value.map(String) : []
  }
  const [teams, parents] = [namesIn('team'), namesIn('parent')]
  if (teams.length + parents.length === 0) return
  const wanted = wantNothing()
  for (const ref of teams) wanted.teams.add(ref)
  for (const ref of parents) wanted.issues.add(ref)
  const found = await lookUp(reads, workspaceId, wanted, [])
  const check = (key: string, names: readonly string[], find: (ref: string) => unknown) => {
    try {
      for (const ref of names) find(ref)
    } catch (error) {
      if (error instanceof ApiError) throw invalid(`body.filters.${key}: ${error.message}`, { field: `filters.${key}` })
      throw error
    }
  }
  check('team', teams, found.team)
  check('parent', parents, found.issue)
}
