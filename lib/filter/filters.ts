import { TEXT_KEY, type Operator, type Term, type TermValue } from './grammar.ts'

/* A typed filter as `filters` of `POST /v1/issues/filter`, and the other way round. */

export type FilterEntry = boolean | { readonly filterType: string; readonly value?: unknown }
/** Conditions by key; all of them hold. */
export type Filters = Readonly<Record<string, FilterEntry | readonly FilterEntry[]>>

/** Keys that have a shorter name in a typed filter. */
const KEYS_BY_NAME = new Map([
  ['due', 'dueDate'],
  ['created', 'createdAt'],
  ['updated', 'updatedAt'],
  ['category', 'stateCategory']
])
const NAMES_BY_KEY = new Map([...KEYS_BY_NAME].map(([name, key]) => [key, name]))
/** Keys of which `none` is a value like others. */
const NONE_IS_VALUE = new Set(['priority', 'criteria'])
/** In a typed filter, `is:blocked` is the flag `isBlocked`; one flag has another name. */
const WATCHING = 'watching'
const FLAG = /^is(?=[A-Z])/

const FILTER_TYPES = { lt: 'LT', lte: 'LTE', gt: 'GT', gte: 'GTE' } as const
const OPERATORS = new Map<string, Operator>([
  ['LT', 'lt'],
  ['LTE', 'lte'],
  ['GT', 'gt'],
  ['GTE', 'gte']
])

/** The key of a typed name: `due` is `dueDate`. */
export const keyNamed = (name: string): string => KEYS_BY_NAME.get(name.toLowerCase()) ?? name
const isFlag = (key: string): boolean => key === WATCHING || FLAG.test(key)
/** How a term of a key begins: `due:`; a flag has no values, so that it is the whole term: `is:blocked`. */
export const headOf = (key: string): string =>
  isFlag(key) ? `is:${wordOfFlag(key)}` : `${NAMES_BY_KEY.get(key) ?? key}:`

export function mergeFilters(...all: readonly Filters[]): Filters {
  const merged = new Map<string, Filters[string]>()
  for (const [key, entry] of all.flatMap(filters => Object.entries(filters))) {
    const before = merged.get(key)
    merged.set(key, before === undefined ? entry : [before, entry].flat())
  }
  return Object.fromEntries(merged)
}

export const filtersOfTerms = (terms: readonly Term[]): Filters => mergeFilters(...terms.map(filterOf))

function filterOf(term: Term): Filters {
  const { key: name, isNegated, operator, values } = term
  const [value] = values
  if (name.toLowerCase() === 'is' && operator === 'is' && values.length === 1 && typeof value === 'string') {
    return { [flagNamed(value)]: !isNegated }
  }
  const key = keyNamed(name)
  if (operator !== 'is') return { [key]: { filterType: FILTER_TYPES[operator], value } }
  return { [key]: entryOf(key, isNegated, values) }
}

function entryOf(key: string, isNegated: boolean, values: readonly TermValue[]): FilterEntry {
  if (values.some(value => typeof value === 'object' && value !== null)) {
    return { filterType: isNegated ? 'NOT_WITHIN' : 'WITHIN', value: values.map(spanOf) }
  }
  if (key === TEXT_KEY) return { filterType: isNegated ? 'EXCLUDES' : 'INCLUDES', value: values.map(textOf) }
  if (NONE_IS_VALUE.has(key)) return { filterType: isNegated ? 'IS_NOT' : 'IS', value: values.map(textOf) }
  if (values.every(value => value === null)) return { filterType: isNegated ? 'DEFINED' : 'UNDEFINED' }
  return { filterType: isNegated ? 'IS_NOT' : 'IS', value: values }
}

const textOf = (value: TermValue) => value ?? 'none'
const spanOf = (value: TermValue) => {
  if (value === null) return null
  return typeof value === 'string' ? `${value}..${value}` : `${value.from}..${value.to}`
}

/** `sub-issue` is `isSubIssue`. */
function flagNamed(word: string): string {
  const folded = word.toLowerCase()
  if (folded === WATCHING) return WATCHING
  return `is${folded.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}`
}
const wordOfFlag = (key: string): string =>
  key
    .replace(FLAG, '')
    .replaceAll(/(?<=[a-z])[A-Z]/g, letter => `-${letter}`)
    .toLowerCase()

/**
 * The terms of filters: the inverse of `filtersOfTerms`.
 * @throws RangeError for filters that have no typed form, such as an empty list of values
 */
export const termsOfFilters = (filters: Filters): Term[] =>
  Object.entries(filters).flatMap(([key, entries]) => [entries].flat().flatMap(entry => termsOf(key, entry)))

function termsOf(key: string, entry: FilterEntry): Term[] {
  if (typeof entry === 'boolean') return [flagTerm(key, entry)]
  const { filterType, value } = entry
  const items: unknown[] = Array.isArray(value) ? value : [value]
  if (typeof items[0] === 'boolean' && items.length === 1) return [flagTerm(key, items[0])]
  const name = NAMES_BY_KEY.get(key) ?? key
  const term = (isNegated: boolean, values: readonly TermValue[], operator: Operator = 'is'): Term => ({
    key: name,
    isNegated,
    operator,
    values
  })
  if (filterType === 'UNDEFINED' || filterType === 'DEFINED') return [term(filterType === 'DEFINED', [null])]
  if (items.length === 0 || value === undefined) throw new RangeError(`The filter ${key} has no values.`)
  const operator = OPERATORS.get(filterType)
  if (operator !== undefined) return [term(false, [String(items[0])], operator)]
  switch (filterType) {
    case 'WITHIN':
    case 'NOT_WITHIN':
      return [term(filterType === 'NOT_WITHIN', items.map(rangeOf))]
    case 'INCLUDES_ALL':
      return items.map(one => term(false, [valueOf(key, one)]))
    case 'IS':
    case 'INCLUDES':
    case 'IS_NOT':
    case 'EXCLUDES': {
      const values = items.map(one => valueOf(key, one))
      return [term(filterType === 'IS_NOT' || filterType === 'EXCLUDES', values)]
    }
  }
  throw new RangeError(`The filter type ${filterType} of ${key} cannot be typed.`)
}

function flagTerm(key: string, isMet: boolean): Term {
  if (!isFlag(key)) throw new RangeError(`The filter ${key} cannot be typed.`)
  return { key: 'is', isNegated: !isMet, operator: 'is', values: [wordOfFlag(key)] }
}

function valueOf(key: string, value: unknown): TermValue {
  if (value === null) return null
  const text = String(value)
  return NONE_IS_VALUE.has(key) && text.toLowerCase() === 'none' ? null : text
}

/** A single day is the span between today and that day. */
function rangeOf(value: unknown): TermValue {
  if (value === null) return null
  const [from = '', to] = String(value).split('..')
  return to === undefined ? { from: 'today', to: from } : { from, to }
}
