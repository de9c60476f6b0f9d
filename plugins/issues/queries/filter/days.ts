import { sql, type RawBuilder } from 'kysely'
import { DAY_FORMS, dayOfWords } from '../../../../lib/util/day-words.ts'
import { DAY_MS } from '../../../../lib/util/days.ts'
import type { ValueField } from '../../fields/field.ts'
import { anyOf } from './conditions.ts'
import {
  badValue,
  describeValue,
  isOrder,
  listOf,
  valueFilter,
  type Condition,
  type Entry,
  type FilterKey
} from './filter-keys.ts'

/* Filters of days and times: days in words, and spans of days. All days are those of UTC. */

const SPAN_FORMS = `${DAY_FORMS}, or two of them, such as -7d..today`

type Span = readonly [first: string, last: string]

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
const startOf = (day: string): string => `${day}T00:00:00.000Z`

/** The span of `FROM..TO`, in either order; of a single day that between today and it. @throws 400 */
function spanOf(value: unknown, name: string, now: Date): Span {
  const ends = typeof value === 'string' ? value.split('..') : []
  const days = (ends.length === 1 ? ['today', ...ends] : ends).map(end => dayOfWords(end, now))
  const [one, other, ...more] = days
  if (one === undefined || other === undefined || more.length > 0) {
    throw badValue(name, `must hold spans of days (${SPAN_FORMS}); '${describeValue(value)}' is none`)
  }
  return one <= other ? [one, other] : [other, one]
}

function isWithin({ column, type }: ValueField, spans: readonly Span[]): Condition {
  const ref = sql.ref(`issue.${column}`)
  const conditions = spans.map(([first, last]) =>
    type === 'date'
      ? sql<boolean>`${ref} between ${first}::date and ${last}::date`
      : sql<boolean>`(${ref} >= ${startOf(first)}::timestamptz and ${ref} < ${startOf(dayAfter(last))}::timestamptz)`
  )
  return anyOf(conditions)
}

const outside = ({ column }: ValueField, within: RawBuilder<boolean>): Condition =>
  sql`(${sql.ref(`issue.${column}`)} is null or not ${within})`

function withTimes(entry: Entry, dayIn: (value: unknown) => string | undefined): Entry {
  const { filterType } = entry
  const [value, ...others] = [entry.value].flat()
  const day = others.length === 0 ? dayIn(value) : undefined
  if (day === undefined) return entry
  // The whole day: a time after it is after its end.
  if (filterType === 'GT') return { filterType: 'GTE', value: startOf(dayAfter(day)) }
  if (filterType === 'LTE') return { filterType: 'LT', value: startOf(dayAfter(day)) }
  return { filterType, value: startOf(day) }
}

function withDays(entry: Entry, dayIn: (value: unknown) => string | undefined): Entry {
  const withDay = (value: unknown) => dayIn(value) ?? value
  return { ...entry, value: Array.isArray(entry.value) ? entry.value.map(withDay) : withDay(entry.value) }
}

export function dayFilter(field: ValueField, now: Date): FilterKey {
  const plain = valueFilter(field)
  const dayIn = (value: unknown) =>
    typeof value === 'string' && field.filterValues?.read(value) === undefined ? dayOfWords(value, now) : undefined
  return {
    ...plain,
    types: [...plain.types, 'WITHIN', 'NOT_WITHIN'],
    condition(entry, name, resolved) {
      const { filterType } = entry
      if (filterType === 'WITHIN' || filterType === 'NOT_WITHIN') {
        const within = isWithin(
          field,
          listOf(entry, name).map(value => spanOf(value, name, now))
        )
        return filterType === 'WITHIN' ? within : outside(field, within)
      }
      if (field.type === 'date') return plain.condition(withDays(entry, dayIn), name, resolved)
      if (isOrder(entry)) return plain.condition(withTimes(entry, dayIn), name, resolved)
      // A time is one of some days, if all that was sent are days.
      const values: unknown[] = Array.isArray(entry.value) ? entry.value : []
      const spans = values.flatMap((value): Span[] => {
        const day = typeof value === 'string' ? dayOfWords(value, now) : undefined
        return day === undefined ? [] : [[day, day]]
      })
      if (spans.length === 0 || spans.length < values.length) return plain.condition(entry, name, resolved)
      const within = isWithin(field, spans)
      return filterType === 'IS' ? within : outside(field, within)
    }
  }
}
