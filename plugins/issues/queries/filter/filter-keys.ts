import { sql, type RawBuilder } from 'kysely'
import { isId } from '../../../../core/api/database/queries.ts'
import { abbreviate, invalid } from '../../../../core/api/errors.ts'
import { unknownName } from '../../../../core/api/text.ts'
import { STATE_CATEGORIES } from '../../../workspace/contract.ts'
import type { LinksField, NameSource, ReferenceField, ValueField } from '../../fields/field.ts'
import { states } from '../../fields/fields.ts'
import { parseIssueName } from '../../keys.ts'
import { addReference, type References, type ResolvedReferences } from '../read/lookup.ts'

export type Condition = RawBuilder<boolean>
export interface Entry {
  filterType: string
  value?: unknown
}

export interface FilterKey {
  types: readonly string[]
  collect?(entry: Entry, name: string, references: References): void
  /** @throws 400 for an invalid value, 404 for an unknown id */
  condition(entry: Entry, name: string, resolved: ResolvedReferences): Condition
  /** SQL: the stored number of issues that meet the condition alone, if it is tallied; called after `condition`. */
  keptTotal?(entry: Entry, name: string, resolved: ResolvedReferences): RawBuilder<unknown> | undefined
}

export const ABSENCE = ['UNDEFINED', 'DEFINED'] as const
export const SETS = ['IS', 'IS_NOT'] as const
const ORDER = ['GT', 'GTE', 'LT', 'LTE'] as const
const OPERATORS: Record<string, RawBuilder<unknown>> = { GT: sql`>`, GTE: sql`>=`, LT: sql`<`, LTE: sql`<=` }
export const isOrder = ({ filterType }: Entry): boolean => Object.hasOwn(OPERATORS, filterType)
export const isAbsence = ({ filterType }: Entry): boolean => filterType === 'UNDEFINED' || filterType === 'DEFINED'

export const badValue = (name: string, should: string) =>
  invalid(`body.filters.${name}.value ${should}.`, { field: `filters.${name}` })

export const describeValue = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : abbreviate(String(value))
}

export function listOf(entry: Entry, name: string): unknown[] {
  if (!Array.isArray(entry.value)) throw badValue(name, `must be an array for ${entry.filterType}`)
  if (entry.value.length > 1000) throw badValue(name, 'must have at most 1,000 items')
  return entry.value
}

export function names(source: ReferenceField['source'], entry: Entry, name: string): string[] {
  const look = source === 'issue' ? 'keys of issues' : source === 'team' ? 'identifiers of teams' : 'names'
  return listOf(entry, name).map(value => {
    const fits = typeof value === 'string' && (source !== 'issue' || parseIssueName(value) !== undefined)
    if (!fits) throw badValue(name, `must hold UUIDs or ${look}; '${describeValue(value)}' is none`)
    return value
  })
}

export function collectNames(
  source: ReferenceField['source'],
  entry: Entry,
  name: string,
  references: References
): void {
  if (isAbsence(entry)) return
  const field = `filters.${name}`
  for (const ref of names(source, entry, name)) {
    if (source === 'team') references.teams.set(ref, field)
    else if (source === 'issue') references.issues.set(ref, field)
    else if (!isId(ref)) addReference(references, source === 'state' ? states : source, ref, field)
  }
}

/** An unknown id matches nothing. @throws 400, 404 */
export function idsOf(
  source: ReferenceField['source'],
  refs: readonly string[],
  resolved: ResolvedReferences
): string[] {
  if (source === 'team') return refs.map(ref => resolved.team(ref).id)
  if (source === 'issue') return refs.map(ref => resolved.issue(ref).id)
  const named = source === 'state' ? states : source
  return refs.flatMap(ref => {
    if (isId(ref)) return [ref.toLowerCase()]
    return named.isShared ? resolved.allNamed(named, ref).map(({ id }) => id) : [resolved.named(named, ref).id]
  })
}

/** @param source of records that count as none once they are removed */
function totalOfOne(
  workspaceId: string,
  { filterType }: Entry,
  ids: readonly string[],
  source: NameSource | undefined
): RawBuilder<unknown> | undefined {
  const [id, ...others] = ids
  if ((filterType !== 'IS' && filterType !== 'INCLUDES') || id === undefined || others.length > 0) return undefined
  const isThere = source
    ? sql`and exists (
        select from ${sql.table(source.table)} r
        where r.workspace_id = ${workspaceId} and r.id = ${id}::uuid and r.deleted_at is null)`
    : sql``
  return sql`(
    select coalesce(sum(t.n), 0)::bigint from issue_things_tally t
    where t.workspace_id = ${workspaceId} and t.thing_id = ${id}::uuid ${isThere})`
}

export function referenceFilter(field: ReferenceField, workspaceId: string): FilterKey {
  const { source, isNullable } = field
  const ref = sql.ref(`issue.${field.column}`)
  const hidden = field.hidesRemoved && typeof source !== 'string' ? source.table : undefined
  return {
    types: isNullable ? [...SETS, ...ABSENCE] : SETS,
    collect: (entry, name, references) => collectNames(source, entry, name, references),
    condition(entry, name, resolved) {
      const ids = isAbsence(entry) ? [] : idsOf(source, names(source, entry, name), resolved)
      if (hidden !== undefined) return isOfRecords(ref, hidden, workspaceId, entry, ids)
      if (entry.filterType === 'UNDEFINED') return sql`${ref} is null`
      if (entry.filterType === 'DEFINED') return sql`${ref} is not null`
      return isOneOf(ref, ids, entry)
    },
    keptTotal(entry, name, resolved) {
      if (!field.isTallied || typeof source === 'string' || isAbsence(entry)) return undefined
      const ids = idsOf(source, names(source, entry, name), resolved)
      return totalOfOne(workspaceId, entry, ids, field.hidesRemoved ? source : undefined)
    }
  }
}

function isOneOf(ref: RawBuilder<unknown>, ids: readonly string[], { filterType }: Entry): Condition {
  // A single value is compared with `=`: then an index has the rows in the board's order.
  if (ids.length === 1) {
    return filterType === 'IS' ? sql`${ref} = ${ids[0]}::uuid` : sql`${ref} is distinct from ${ids[0]}::uuid`
  }
  const idArray = sql`${ids}::uuid[]`
  return filterType === 'IS' ? sql`${ref} = any(${idArray})` : sql`(${ref} is null or ${ref} <> all(${idArray}))`
}

function isOfRecords(
  ref: RawBuilder<unknown>,
  table: string,
  workspaceId: string,
  { filterType }: Entry,
  ids: readonly string[]
): Condition {
  // A removed one counts as none.
  const there = (which: RawBuilder<unknown>) => sql`(
    select r.id from ${sql.table(table)} r where r.workspace_id = ${workspaceId} and r.deleted_at is null ${which})`
  const isNot = (records: RawBuilder<unknown>) => sql<boolean>`(${ref} is null or ${ref} not in ${records})`
  if (filterType === 'UNDEFINED') return isNot(there(sql``))
  if (filterType === 'DEFINED') return sql`${ref} in ${there(sql``)}`
  const records = there(sql`and r.id = any(${ids}::uuid[])`)
  return filterType === 'IS' ? sql`${ref} in ${records}` : isNot(records)
}

export const linksFilter = (field: LinksField, workspaceId: string): FilterKey => ({
  types: ['IS', 'IS_NOT', 'INCLUDES', 'INCLUDES_ALL', 'EXCLUDES', ...ABSENCE],
  collect: (entry, name, references) => collectNames(field.source, entry, name, references),
  condition(entry, name, resolved) {
    const { filterType } = entry
    const id = sql.ref(`il.${field.column}`)
    const rows = sql`${sql.table(field.table)} il join ${sql.table(field.source.table)} l
      on l.workspace_id = il.workspace_id and l.id = ${id} and l.deleted_at is null`
    const has = (which: RawBuilder<unknown>) => sql<boolean>`issue.id in (
      select il.issue_id from ${rows} where il.workspace_id = ${workspaceId} ${which})`
    if (filterType === 'UNDEFINED') return sql`not (${has(sql``)})`
    if (filterType === 'DEFINED') return has(sql``)
    const linkedIds = [...new Set(idsOf(field.source, names(field.source, entry, name), resolved))]
    if (filterType === 'INCLUDES_ALL') {
      return sql`(
        select count(*) from ${rows}
        where il.workspace_id = ${workspaceId} and il.issue_id = issue.id and ${id} = any(${linkedIds}::uuid[])
      ) = ${linkedIds.length}::int`
    }
    const any = has(sql`and ${id} = any(${linkedIds}::uuid[])`)
    return filterType === 'IS' || filterType === 'INCLUDES' ? any : sql`not (${any})`
  },
  keptTotal(entry, name, resolved) {
    if (!field.isTallied || isAbsence(entry)) return undefined
    const ids = [...new Set(idsOf(field.source, names(field.source, entry, name), resolved))]
    return totalOfOne(workspaceId, entry, ids, field.source)
  }
})

export const valueFilter = (field: ValueField): FilterKey => ({
  types: field.isNullable ? [...SETS, ...ORDER, ...ABSENCE] : [...SETS, ...ORDER],
  condition(entry, name) {
    const { filterType } = entry
    const ref = sql.ref(`issue.${field.column}`)
    const cast = sql.raw(field.type)
    if (filterType === 'UNDEFINED') return sql`${ref} is null`
    if (filterType === 'DEFINED') return sql`${ref} is not null`
    const operator = OPERATORS[filterType]
    if (operator) {
      const values = Array.isArray(entry.value) ? entry.value : [entry.value]
      if (values.length !== 1) throw badValue(name, `must be one value for ${filterType}`)
      return sql`${ref} ${operator} ${filterValue(field, name, values[0])}::${cast}`
    }
    const valueArray = sql`${listOf(entry, name).map(value => filterValue(field, name, value))}::${cast}[]`
    return filterType === 'IS'
      ? sql`${ref} = any(${valueArray})`
      : sql`(${ref} is null or ${ref} <> all(${valueArray}))`
  }
})

function filterValue({ key, words, filterValues }: ValueField, name: string, value: unknown): string | number {
  const read = filterValues?.read(value)
  if (read !== undefined) return read
  if (words && typeof value === 'string') throw unknownName(key, value, words, `filters.${name}`)
  throw badValue(name, `must hold ${filterValues?.look ?? 'values'}; '${describeValue(value)}' is not`)
}

/** In any case. @throws 400 */
export const wordsOf = <W extends string>(entry: Entry, name: string, words: readonly W[]): W[] =>
  listOf(entry, name).map(value => {
    const word = words.find(word => typeof value === 'string' && value.toUpperCase() === word)
    if (word !== undefined) return word
    throw badValue(name, `must hold words (${words.join(', ')}); '${describeValue(value)}' is none`)
  })

/** Without a join: a workspace has few states. */
export const stateCategoryFilter = (workspaceId: string): FilterKey => ({
  types: SETS,
  condition(entry, name) {
    const categories = wordsOf(entry, name, STATE_CATEGORIES)
    const within = sql<boolean>`issue.state_id in (
      select s.id from workflow_state s
      where s.workspace_id = ${workspaceId} and s.category = any(${categories}::text[]))`
    return entry.filterType === 'IS' ? within : sql`not ${within}`
  }
})

const HAVING_ONE = ['IS', 'INCLUDES', 'WITHIN']
const HAVING_NONE = ['IS_NOT', 'EXCLUDES', 'NOT_WITHIN']

/** Takes null among the values of lists: an issue without a value has that one. */
export function withNone(key: FilterKey): FilterKey {
  if (!key.types.includes('UNDEFINED')) return key
  const isNull = (value: unknown) => value === null
  const namesNone = ({ filterType, value }: Entry) =>
    [...HAVING_ONE, ...HAVING_NONE].includes(filterType) && Array.isArray(value) && value.some(isNull)
  const others = (entry: Entry, name: string): Entry => ({
    ...entry,
    value: listOf(entry, name).filter(value => !isNull(value))
  })
  return {
    ...key,
    collect(entry, name, references) {
      key.collect?.(namesNone(entry) ? others(entry, name) : entry, name, references)
    },
    condition(entry, name, resolved) {
      if (!namesNone(entry)) return key.condition(entry, name, resolved)
      const isOther = HAVING_NONE.includes(entry.filterType)
      const none = key.condition({ filterType: isOther ? 'DEFINED' : 'UNDEFINED' }, name, resolved)
      const some = key.condition(others(entry, name), name, resolved)
      return isOther ? sql`(${none} and ${some})` : sql`(${none} or ${some})`
    },
    keptTotal: (entry, name, resolved) => (namesNone(entry) ? undefined : key.keptTotal?.(entry, name, resolved))
  }
}

export const flagFilter = (condition: Condition): FilterKey => ({
  types: ['IS'],
  condition(entry, name) {
    const values = Array.isArray(entry.value) ? entry.value : [entry.value]
    if (values.length !== 1 || typeof values[0] !== 'boolean') throw badValue(name, 'must be true or false')
    return values[0] ? condition : sql`not ${condition}`
  }
})
