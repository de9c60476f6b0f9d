import { dayOfWords } from '../../../../lib/util/day-words.ts'
import { dayText } from '../../../ui/browser/contract.ts'
import type { FilterProperty } from './properties/property.ts'
import type { ConditionValue, NewCondition } from './conditions.ts'

interface Suggestion {
  title: string
  hint?: string
  condition: NewCondition
}
const suggestion = (title: string, type: string, value: ConditionValue): Suggestion => ({
  title,
  condition: { type, values: [value] }
})

const SPANS = {
  past: ['-7d..today', '-30d..today'],
  future: ['today..+7d', 'today..+30d']
}

const RELATIVE = /^([+-]?)(\d{1,4})([dwm])$/
const UNITS: Record<string, string> = { d: 'day', w: 'week', m: 'month' }
/** `7 days` of `-7d`, with its sign. */
function relative(words: string): { sign: string; length: string } | undefined {
  const [, sign = '', number, unit = ''] = RELATIVE.exec(words) ?? []
  if (number === undefined) return undefined
  return { sign, length: `${number} ${UNITS[unit]}${number === '1' ? '' : 's'}` }
}
/** Relative days stay relative: tomorrow they are other days. */
function dayName(words: string): string {
  const distance = relative(words)
  if (distance) return distance.sign === '-' ? `${distance.length} ago` : `in ${distance.length}`
  return /^\d{4}-/.test(words) && isDay(words) ? dayText(words) : words
}
/** `last 7 days`, `4 Dec to 8 Dec` */
function spanName(span: string): string {
  const [from = '', to] = span.includes('..') ? span.split('..') : ['today', span]
  const [before, after] = [to === 'today' && relative(from), from === 'today' && relative(to ?? '')]
  if (before && before.sign === '-') return `last ${before.length}`
  if (after && after.sign !== '-') return `next ${after.length}`
  return `${dayName(from)} to ${dayName(to ?? '')}`
}
const asTitle = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
export function typedName(
  { kind, none = 'none' }: FilterProperty,
  { type }: Pick<NewCondition, 'type'>,
  value: ConditionValue
): string {
  if (value === null) return none.toLowerCase()
  if (kind === 'text') return `“${value}”`
  if (kind !== 'day') return value
  return isSpan(type) ? spanName(value) : dayName(value)
}

const isSpan = (type: string) => type === 'WITHIN' || type === 'NOT_WITHIN'
const isDay = (text: string) => dayOfWords(text, new Date()) !== undefined
const clean = (text: string) => text.trim().toLowerCase().split(/\s+/).join(' ')

/** The spans that a text means: `-7d..today`. */
function typedSpan(text: string): string | undefined {
  const ends = clean(text)
    .split('..')
    .map(end => end.trim())
  return ends.length === 2 && ends.every(isDay) ? ends.join('..') : undefined
}

function daySuggestions(text: string, isPast: boolean): Suggestion[] {
  const span = typedSpan(text)
  if (span !== undefined) return [suggestion(`Within ${spanName(span)}`, 'WITHIN', span)]
  const words = clean(text)
  if (isDay(words)) {
    const operators = [
      ['Before', 'LT'],
      ['On', 'IS'],
      ['After', 'GT']
    ] as const
    return operators.map(([name, type]) => ({
      ...suggestion(`${name} ${dayName(words)}`, type, words),
      hint: dayText(dayOfWords(words, new Date())!)
    }))
  }
  return [
    suggestion('Today', 'IS', 'today'),
    ...(isPast ? [] : [suggestion('Before today', 'LT', 'today')]),
    ...SPANS[isPast ? 'past' : 'future'].map(span => suggestion(asTitle(spanName(span)), 'WITHIN', span)),
    ...(isPast
      ? [suggestion('More than 7 days ago', 'LT', '-7d'), suggestion('More than 30 days ago', 'LT', '-30d')]
      : [])
  ]
}

const NUMBER = /^\d+(?:[.,]\d+)?$/
const USUAL_NUMBERS = ['1', '2', '3', '5', '8']
function numberSuggestions(text: string): Suggestion[] {
  if (!NUMBER.test(text.trim())) return USUAL_NUMBERS.map(number => suggestion(number, 'IS', number))
  const number = text.trim().replace(',', '.')
  return [
    suggestion(number, 'IS', number),
    suggestion(`At least ${number}`, 'GTE', number),
    suggestion(`At most ${number}`, 'LTE', number)
  ]
}

export function newConditions(property: FilterProperty, text: string): Suggestion[] {
  const { kind, none } = property
  const typed = clean(text)
  if (kind === 'text') return typed === '' ? [] : [suggestion(`Contains “${text.trim()}”`, 'INCLUDES', text.trim())]
  const empty = none === undefined ? [] : [suggestion(none, 'IS', null)]
  if (kind === 'number') return [...numberSuggestions(text), ...(NUMBER.test(typed) ? [] : empty)]
  if (kind !== 'day') return []
  const days = daySuggestions(text, property.isPast)
  if (isDay(typed) || typedSpan(text) !== undefined) return days
  return [...days, ...empty].filter(({ title }) => title.toLowerCase().includes(typed))
}

const DAYS = ['today', 'yesterday', 'tomorrow', '-7d', '+7d', '-1m', '+1m']
export function otherValues(property: FilterProperty, { type }: NewCondition, text: string): string[] {
  const typed = clean(text)
  if (property.kind === 'text') return text.trim() === '' ? [] : [text.trim()]
  if (property.kind === 'number') return NUMBER.test(typed) ? [typed.replace(',', '.')] : USUAL_NUMBERS
  if (isSpan(type)) {
    const span = typedSpan(text)
    return span === undefined ? [...SPANS.past, ...SPANS.future].filter(span => spanName(span).includes(typed)) : [span]
  }
  return isDay(typed) ? [typed] : DAYS.filter(words => dayName(words).includes(typed))
}
