import { sql, type RawBuilder } from 'kysely'
import type { SignedIn } from '../../../../core/api/contract.ts'
import type { Id, Reader } from '../../../../core/api/database/types.ts'
import { abbreviate, ApiError, invalid } from '../../../../core/api/errors.ts'
import type { Ctx } from '../../context.ts'
import { issueFilters, type IssuesDatabase, type ReadyReason } from '../../contract.ts'
import type { Field } from '../../fields/field.ts'
import { isReady, readinessOf } from '../read/readiness.ts'
import { isAmongBlocked, isAmongBlocking, isOpen, isParent } from './conditions.ts'
import { dayFilter } from './days.ts'
import type { FilterAsker, IssueFilter } from './extensions.ts'
import {
  flagFilter,
  linksFilter,
  referenceFilter,
  stateCategoryFilter,
  valueFilter,
  withNone,
  type Condition,
  type Entry,
  type FilterKey
} from './filter-keys.ts'
import { closedWithinFilter, contributedFilter, criteriaFilter, textFilter } from './more-keys.ts'
import { emptyReferences, lookUp } from '../read/lookup.ts'
import { relationFilter } from './relations.ts'

interface FilterOptions {
  caller: FilterAsker
  /** For days in words. */
  now: Date
  fields: readonly Field[]
  reasons: readonly ReadyReason[]
  contributed: readonly IssueFilter[]
}

function fieldFilter(field: Field, { caller: { workspaceId }, now }: FilterOptions): FilterKey {
  if (field.kind === 'links') return linksFilter(field, workspaceId)
  if (field.kind === 'reference') return referenceFilter(field, workspaceId)
  return field.type === 'date' || field.type === 'timestamptz' ? dayFilter(field, now) : valueFilter(field)
}

const OTHER_KEYS: Readonly<Record<string, (options: FilterOptions) => FilterKey>> = {
  stateCategory: ({ caller }) => stateCategoryFilter(caller.workspaceId),
  relation: ({ caller }) => relationFilter(caller.workspaceId),
  text: ({ caller }) => textFilter(caller.workspaceId),
  criteria: criteriaFilter,
  closedWithinDays: ({ caller }) => closedWithinFilter(caller),
  isParent: ({ caller }) => flagFilter(isParent(caller.workspaceId)),
  isSubIssue: () => flagFilter(sql`(issue.parent_id is not null)`),
  isBlocked: ({ caller }) => flagFilter(isAmongBlocked(caller.workspaceId)),
  isBlocking: ({ caller: { workspaceId } }) =>
    flagFilter(sql`(${isAmongBlocking(workspaceId)} and ${isOpen(workspaceId)})`),
  isReady: ({ caller: { workspaceId, accountId, at }, reasons }) =>
    flagFilter(isReady(workspaceId, { accountIds: [accountId] }, at, reasons))
}

/** Each key is made on use: most requests use one or two. */
function filterKeys(options: FilterOptions): Record<string, () => FilterKey> {
  const { caller, fields, contributed } = options
  const makers: ReadonlyArray<readonly [string, () => FilterKey]> = [
    ...fields.flatMap(field => field.filters.map(name => [name, () => fieldFilter(field, options)] as const)),
    ...Object.entries(OTHER_KEYS).map(([name, make]) => [name, () => make(options)] as const),
    ...contributed.map(filter => [filter.key, () => contributedFilter(filter, caller)] as const)
  ]
  return Object.fromEntries(makers.map(([name, make]) => [name, () => withNone(make())]))
}

/** @throws Error when two plugins add the same key */
export function filterNames(fields: readonly Field[], contributed: readonly IssueFilter[]): string[] {
  const names = [
    ...fields.flatMap(({ filters }) => filters),
    ...Object.keys(OTHER_KEYS),
    ...contributed.map(({ key }) => key)
  ]
  const twice = names.find((name, n) => names.indexOf(name) !== n)
  if (twice !== undefined) throw new Error(`Two filters of issues are called ${twice}: rename one.`)
  return names
}

export type ReadFilters = (
  db: Reader<IssuesDatabase>,
  caller: SignedIn,
  filters: Record<string, unknown>
) => Promise<Selection>

export function filterReader(ctx: Ctx, fields: readonly Field[]): ReadFilters {
  const { reasons } = readinessOf(ctx)
  const contributed = ctx.contributions(issueFilters).map(({ item }) => item)
  return (db, { workspaceId, accountId }, filters) =>
    readFilters(db, filters, {
      caller: { workspaceId, accountId, at: ctx.use.database.time() },
      now: ctx.now(),
      fields,
      reasons,
      contributed
    })
}

/** Keys with tallied totals, so that nothing needs to be counted. */
const TALLIED = new Set(['state', 'status', 'stateCategory', 'team'])

export interface Selection {
  conditions: Condition[]
  /** SQL: the stored number of matching issues, if it is tallied. */
  keptTotal: RawBuilder<unknown> | undefined
  /** True if an index has the matching issues in the order of `updatedAt`. */
  indexed: boolean
}

const MAX_ENTRIES = 20

/** @throws 400 that lists the known keys */
async function readFilters(
  db: Reader<IssuesDatabase>,
  filters: Record<string, unknown>,
  options: FilterOptions
): Promise<Selection> {
  const keys = filterKeys(options)
  const references = emptyReferences()
  const read = Object.entries(filters).flatMap(([name, filter]) => {
    const key = Object.hasOwn(keys, name) ? keys[name]?.() : undefined
    if (key === undefined) throw unknownFilter(name, Object.keys(keys))
    return entriesOf(name, filter, key).map(entry => {
      key.collect?.(entry, name, references)
      return { name, key, entry }
    })
  })
  const resolved = await lookUp(db, options.caller, references)
  const conditions = read.map(({ name, key, entry }) => conditionOf(name, () => key.condition(entry, name, resolved)))
  const [first, ...others] = read
  const ofOne = first && others.length === 0 ? first.key.keptTotal?.(first.entry, first.name, resolved) : undefined
  return {
    conditions,
    keptTotal: read.every(({ name }) => TALLIED.has(name)) ? tally(options.caller.workspaceId, conditions) : ofOne,
    indexed: read.length === 0 || (read.length === 1 && read.every(isOneState))
  }
}

/** The stored totals, read with the same conditions over rows of the tally. */
const tally = (workspaceId: Id, conditions: readonly Condition[]) => sql`(
  select coalesce(sum(issue.n), 0)::bigint from issue_tally issue
  where ${sql.join([sql`issue.workspace_id = ${workspaceId}`, ...conditions], sql` and `)})`

/** @throws 400 for unknown records: the filter would find nothing without saying why */
function conditionOf(name: string, make: () => Condition): Condition {
  try {
    return make()
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) {
      throw invalid(error.message, { field: `filters.${name}` })
    }
    throw error
  }
}

const unknownFilter = (name: string, known: readonly string[]) =>
  invalid(`body.filters.${abbreviate(name)} is not a filter; the filters are: ${known.join(', ')}.`, {
    field: `filters.${abbreviate(name)}`,
    known
  })

function entriesOf(name: string, filter: unknown, key: FilterKey): Entry[] {
  if (!Array.isArray(filter)) return [entryOf(name, filter, key)]
  if (filter.length > 0 && filter.length <= MAX_ENTRIES) return filter.map(one => entryOf(name, one, key))
  throw invalid(`body.filters.${name} must be one condition, or a list of 1 to ${MAX_ENTRIES}, all of which hold.`, {
    field: `filters.${name}`
  })
}

function entryOf(name: string, filter: unknown, { types }: FilterKey): Entry {
  const entry = typeof filter === 'boolean' ? { filterType: 'IS', value: filter } : filter
  if (!isEntry(entry) || !types.includes(entry.filterType)) {
    throw invalid(`body.filters.${name} must be {filterType, value}; its filter types are: ${types.join(', ')}.`, {
      field: `filters.${name}`,
      known: types
    })
  }
  const extra = Object.keys(entry).find(field => field !== 'filterType' && field !== 'value')
  if (extra === undefined) return entry
  const field = `filters.${name}`
  throw invalid(`body.${field}.${abbreviate(extra)} is not a field of a filter; the fields are: filterType, value.`, {
    field
  })
}

const isOneState = ({ name, entry }: { name: string; entry: Entry }) =>
  (name === 'state' || name === 'status') &&
  entry.filterType === 'IS' &&
  Array.isArray(entry.value) &&
  entry.value.length === 1
const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && typeof (value as Entry).filterType === 'string'
