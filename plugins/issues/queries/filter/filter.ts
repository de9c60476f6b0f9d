import { sql, type RawBuilder } from 'kysely'
import type { SignedIn } from '../../../../core/api/contract.ts'
import type { Id, Reader } from '../../../../core/api/database/types.ts'
import { abbreviate, ApiError, invalid } from '../../../../core/api/errors.ts'
import type { IssuesDatabase, ReadyReason } from '../../contract.ts'
import type { Field } from '../../fields/field.ts'
import { isReady } from '../read/readiness.ts'
import { isAmongBlocked, isAmongBlocking, isOpen, isParent } from './conditions.ts'
import {
  flagFilter,
  linksFilter,
  referenceFilter,
  stateCategoryFilter,
  valueFilter,
  type Condition,
  type Entry,
  type FilterKey
} from './filter-keys.ts'
import { emptyReferences, lookUp } from '../read/lookup.ts'
import { relationFilter } from './relations.ts'

interface FilterOptions {
  caller: SignedIn
  /** `databaseTime` */
  at: RawBuilder<Date>
  fields: readonly Field[]
  reasons: readonly ReadyReason[]
}

/**
 * The keys of filters: those of the fields, and some that depend on several. Each is made on use, because most requests
 * use one or two.
 */
function filterKeys({ caller, at, fields, reasons }: FilterOptions): Record<string, () => FilterKey> {
  const { workspaceId, accountId } = caller
  const keyOf = (field: Field): FilterKey => {
    if (field.kind === 'value') return valueFilter(field)
    return field.kind === 'links' ? linksFilter(field, workspaceId) : referenceFilter(field, workspaceId)
  }
  const isBlocking = (): RawBuilder<boolean> => sql`(
    ${isAmongBlocking(workspaceId)} and ${isOpen(workspaceId)})`
  return {
    ...Object.fromEntries(fields.flatMap(field => field.filters.map(name => [name, () => keyOf(field)]))),
    stateCategory: () => stateCategoryFilter(workspaceId),
    relation: () => relationFilter(workspaceId),
    isParent: () => flagFilter(isParent(workspaceId)),
    isSubIssue: () => flagFilter(sql`(issue.parent_id is not null)`),
    isBlocked: () => flagFilter(isAmongBlocked(workspaceId)),
    isBlocking: () => flagFilter(isBlocking()),
    isReady: () => flagFilter(isReady(workspaceId, { accountIds: [accountId] }, at, reasons))
  }
}

/** Keys with tallied totals, so that nothing needs to be counted. */
const TALLIED = new Set(['state', 'status', 'stateCategory', 'team'])

/** The selection of `filters`. */
export interface Selection {
  /** Combined by AND. */
  conditions: Condition[]
  /**
   * SQL: the stored number of matching issues, if it is tallied: of states and teams, or of one label, assignee or
   * project.
   */
  keptTotal: RawBuilder<unknown> | undefined
  /** True if an index has the matching issues in the order of `updatedAt`. */
  indexed: boolean
}

/** Reads `filters`; names in them are looked up in one statement. @throws 400 that lists the known keys */
export async function readFilters(
  db: Reader<IssuesDatabase>,
  filters: Record<string, unknown>,
  options: FilterOptions
): Promise<Selection> {
  const keys = filterKeys(options)
  const references = emptyReferences()
  const read = Object.entries(filters).map(([name, given]) => {
    const key = Object.hasOwn(keys, name) ? keys[name]?.() : undefined
    if (key === undefined) throw unknownFilter(name, Object.keys(keys))
    const entry = entryOf(name, given, key)
    key.collect?.(entry, name, references)
    return { name, key, entry }
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

/** Unknown records are errors: the filter would find nothing without saying why. @throws 400 */
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

/** @throws 400 */
function entryOf(name: string, given: unknown, { types }: FilterKey): Entry {
  const entry = typeof given === 'boolean' ? { filterType: 'IS', value: given } : given
  if (!isEntry(entry) || !types.includes(entry.filterType)) {
    throw invalid(`body.filters.${name} must be {filterType, value}; its filter types are: ${types.join(', ')}.`, {
      field: `filters.${name}`,
      known: types
    })
  }
  const extra = Object.keys(entry).find(field => field !== 'filterType' && field !== 'value')
  if (extra === undefined) return entry
  throw invalid(
    `body.filters.${name}.${abbreviate(extra)} is not a field of a filter; the fields are: filterType, value.`,
    {
      field: `filters.${name}`
    }
  )
}

const isOneState = ({ name, entry }: { name: string; entry: Entry }) =>
  (name === 'state' || name === 'status') &&
  entry.filterType === 'IS' &&
  Array.isArray(entry.value) &&
  entry.value.length === 1
const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && typeof (value as Entry).filterType === 'string'
