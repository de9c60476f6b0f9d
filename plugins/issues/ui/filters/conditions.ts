import { mergeFilters, type FilterEntry, type Filters } from '../../../../lib/filter/filters.ts'

/* The conditions of filters, as the interface shows and changes them one by one. */

export interface KeyOfFilters {
  key: string
  kind: 'choice' | 'day' | 'number' | 'text' | 'flag'
  /** The name for issues without a value. Without it, all have one. */
  none?: string
}

/** Null is no value. */
export type ConditionValue = string | null
export interface Condition {
  key: string
  /** Its index among the conditions of its key. */
  at: number
  type: string
  values: readonly ConditionValue[]
}

const valueOf = (value: unknown): ConditionValue => (value === null ? null : String(value))

function conditionOf(key: string, at: number, entry: FilterEntry): Condition {
  if (typeof entry === 'boolean') return { key, at, type: 'IS', values: [String(entry)] }
  const { filterType, value } = entry
  if (filterType === 'UNDEFINED') return { key, at, type: 'IS', values: [null] }
  if (filterType === 'DEFINED') return { key, at, type: 'IS_NOT', values: [null] }
  return { key, at, type: filterType, values: value === undefined ? [] : [value].flat().map(valueOf) }
}

export const conditionsOf = (filters: Filters): Condition[] =>
  Object.entries(filters).flatMap(([key, entries]) => [entries].flat().map((entry, at) => conditionOf(key, at, entry)))

/** The only value of a flag is `true` or `false`. */
export type NewCondition = Pick<Condition, 'type' | 'values'>
const ORDER = ['LT', 'LTE', 'GT', 'GTE']

function entryOf({ kind }: Pick<KeyOfFilters, 'kind'>, { type, values }: NewCondition): FilterEntry {
  if (kind === 'flag') return values[0] === 'true'
  if (type === 'IS' && values.every(value => value === null)) return { filterType: 'UNDEFINED' }
  if (type === 'IS_NOT' && values.every(value => value === null)) return { filterType: 'DEFINED' }
  return { filterType: type, value: ORDER.includes(type) ? values[0] : values }
}

export const withCondition = (filters: Filters, property: KeyOfFilters, condition: NewCondition): Filters =>
  mergeFilters(filters, { [property.key]: entryOf(property, condition) })

function replaced(filters: Filters, { key, at }: Condition, ...entries: FilterEntry[]): Filters {
  const others = [filters[key] ?? []].flat().toSpliced(at, 1, ...entries)
  const { [key]: _, ...rest } = filters
  if (others.length === 0) return rest
  return { ...filters, [key]: others.length === 1 ? others[0]! : others }
}
export const withoutCondition = (filters: Filters, condition: Condition): Filters => replaced(filters, condition)

/** Without values there is no condition. */
export const withChanged = (
  filters: Filters,
  condition: Condition,
  property: KeyOfFilters,
  change: Partial<NewCondition>
): Filters => {
  const next = { ...condition, ...change }
  return next.values.length === 0
    ? withoutCondition(filters, condition)
    : replaced(filters, condition, entryOf(property, next))
}

type Names = ReadonlyArray<readonly [type: string, name: string]>
const OPERATORS: Record<KeyOfFilters['kind'], Names> = {
  choice: [
    ['IS', 'is'],
    ['IS_NOT', 'is not']
  ],
  text: [
    ['INCLUDES', 'contains'],
    ['EXCLUDES', 'does not contain']
  ],
  day: [
    ['IS', 'is'],
    ['IS_NOT', 'is not'],
    ['LT', 'before'],
    ['LTE', 'on or before'],
    ['GT', 'after'],
    ['GTE', 'on or after'],
    ['WITHIN', 'within'],
    ['NOT_WITHIN', 'not within']
  ],
  number: [
    ['IS', 'is'],
    ['IS_NOT', 'is not'],
    ['LT', 'less than'],
    ['LTE', 'at most'],
    ['GT', 'more than'],
    ['GTE', 'at least']
  ],
  flag: []
}
const EMPTY: Names = [
  ['UNDEFINED', 'is empty'],
  ['DEFINED', 'is not empty']
]
/** Kinds whose emptiness is an operator; a choice has it among its values. */
const hasEmpty = (property: KeyOfFilters) =>
  (property.kind === 'day' || property.kind === 'number') && property.none !== undefined

export const operatorsOf = (property: KeyOfFilters): Names => [
  ...OPERATORS[property.kind],
  ...(hasEmpty(property) ? EMPTY : [])
]

const isOnlyEmpty = ({ values }: NewCondition) => values.length > 0 && values.every(value => value === null)
/** The operator of a condition: its type, or `UNDEFINED` and `DEFINED` for the absence of a value. */
export function operatorOf(property: KeyOfFilters, condition: NewCondition): string {
  if (!hasEmpty(property) || !isOnlyEmpty(condition)) return condition.type
  return condition.type === 'IS' ? 'UNDEFINED' : 'DEFINED'
}

const NAMES = new Map([
  ...Object.values(OPERATORS).flat(),
  ...EMPTY,
  ['IS', 'is'],
  ['INCLUDES_ALL', 'has all of'],
  ['EXCLUDES', 'is none of']
] as const)
const SEVERAL = new Map([
  ['IS', 'is any of'],
  ['IS_NOT', 'is none of'],
  ['INCLUDES', 'contains any of'],
  ['EXCLUDES', 'contains none of']
])
export function operatorName(property: KeyOfFilters | undefined, condition: NewCondition): string {
  const type = property ? operatorOf(property, condition) : condition.type
  const several = condition.values.length > 1 ? SEVERAL.get(type) : undefined
  const own = property && operatorsOf(property).find(([known]) => known === type)?.[1]
  return several ?? own ?? NAMES.get(type) ?? type.toLowerCase()
}

/** The value that replaces “is empty” when another operator is chosen. */
const FIRST: Partial<Record<KeyOfFilters['kind'], string>> = { day: 'today', number: '1' }
const SPANS = ['WITHIN', 'NOT_WITHIN']
/** The last day of a span, or its first for what comes after it. */
const endOf = (span: string, type: string) => span.split('..').at(type.startsWith('GT') ? 0 : -1)!

/** The condition with another operator: its values stay, as far as they fit. */
export function withOperator(property: KeyOfFilters, condition: NewCondition, type: string): NewCondition {
  if (type === 'UNDEFINED') return { type: 'IS', values: [null] }
  if (type === 'DEFINED') return { type: 'IS_NOT', values: [null] }
  const isSpan = SPANS.includes(type)
  const wasSpan = SPANS.includes(condition.type)
  const first = hasEmpty(property) && isOnlyEmpty(condition) ? [FIRST[property.kind] ?? ''] : condition.values
  const values = first.map(value => {
    if (value === null || isSpan === wasSpan) return value
    return isSpan ? `today..${value}` : endOf(value, type)
  })
  return { type, values: ORDER.includes(type) ? values.filter(value => value !== null).slice(0, 1) : values }
}
