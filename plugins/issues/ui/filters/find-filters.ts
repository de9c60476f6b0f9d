import type { QueryClient } from '@tanstack/react-query'
import { filtersOfTerms, headOf, keyNamed } from '../../../../lib/filter/filters.ts'
import { parseFilter, printValue, TEXT_KEY } from '../../../../lib/filter/grammar.ts'
import { fold, hasAllWords } from '../../../../lib/words/fold.ts'
import { go, type Found } from '../../../ui/browser/contract.ts'
import { listOfFilter } from '../address.ts'
import type { FilterOption, FilterProperty } from './properties/property.ts'
import { optionOf, valueOf } from './properties/options.ts'
import { propertiesQuery } from './properties/use-properties.ts'

const MAX_COMPLETIONS = 8

/** A term with a key at the end of a text, with all that follows the colon. */
const LAST_TERM = /(?:^|\s)-?([a-z][a-z\d]*):((?:[^\s"]|"[^"]*(?:"|$))*)$/i
const LAST_VALUE = /(?:^|,)([<>]=?)?("[^"]*"?|[^,"]*)$/
const LAST_WORD = /(?:^|\s)-?([a-z]{2,})$/i

const completion = (completes: string, title: string, hint?: string): Found => ({
  id: completes,
  title,
  ...(hint !== undefined && { hint }),
  completes,
  run: () => undefined
})

function keyCompletions(text: string, properties: readonly FilterProperty[]): Found[] {
  const word = LAST_WORD.exec(text)?.[1]
  if (word === undefined) return []
  const before = text.slice(0, -word.length)
  return properties
    .filter(({ key, label }) => [headOf(key), label].some(name => fold(name).startsWith(fold(word))))
    .map(({ key, label }) => completion(before + headOf(key), headOf(key), `Filter by ${label.toLowerCase()}`))
}

const DAYS = { past: ['today', '-7d..today', '<-30d'], future: ['<today', 'today', 'today..+7d'] }

interface Completions {
  completions: Found[]
  /** True if the last value needs nothing more. */
  isComplete: boolean
}
const NOTHING_MORE: Completions = { completions: [], isComplete: true }

function optionCompletions(
  property: FilterProperty,
  options: readonly FilterOption[],
  typed: string,
  completed: (value: string) => string
): Completions {
  const written = (option: FilterOption) => {
    const value = valueOf(option, options)
    return completed(printValue(property.none === undefined && value === 'none' ? null : value))
  }
  const none =
    property.none !== undefined && hasAllWords(`none ${property.none}`, typed)
      ? [completion(completed('none'), property.none, 'none')]
      : []
  const fitting = options.filter(({ title, word = '' }) => hasAllWords(`${title} ${word}`, typed))
  return {
    completions: [...fitting.map(option => completion(written(option), option.title, option.hint)), ...none],
    isComplete: fold(typed) === 'none' || optionOf(options, typed) !== undefined
  }
}

async function valueCompletions(
  text: string,
  properties: readonly FilterProperty[],
  client: QueryClient
): Promise<Completions | undefined> {
  const [, name, values = ''] = LAST_TERM.exec(text) ?? []
  if (name === undefined) return undefined
  const value = LAST_VALUE.exec(values)?.[2] ?? ''
  const typed = value.replaceAll('"', '')
  const before = text.slice(0, text.length - value.length)
  const completed = (next: string) => before + next
  if (fold(name) === 'is') {
    const flags = properties.filter(({ key, kind }) => kind === 'flag' && headOf(key).startsWith(`is:${fold(typed)}`))
    const words = flags.map(({ key, label }) =>
      completion(completed(headOf(key).slice('is:'.length)), headOf(key), label)
    )
    return { completions: words, isComplete: properties.some(({ key }) => headOf(key) === `is:${fold(typed)}`) }
  }
  const property = properties.find(({ key }) => key === keyNamed(name))
  if (property?.kind === 'choice') return optionCompletions(property, await property.options(client), typed, completed)
  if (property?.kind !== 'day' || values !== '') return NOTHING_MORE
  const days = DAYS[property.isPast ? 'past' : 'future']
  return { completions: days.map(day => completion(completed(day), headOf(property.key) + day)), isComplete: false }
}

const hasKey = (text: string, properties: readonly FilterProperty[]): boolean => {
  const isKnown = (name: string) => fold(name) === 'is' || properties.some(({ key }) => key === keyNamed(name))
  const named = parseFilter(text).terms.some(({ key }) => keyNamed(key) !== TEXT_KEY && isKnown(key))
  return named || isKnown(LAST_TERM.exec(text)?.[1] ?? '')
}

export async function findFilters(text: string, _signal: AbortSignal, client: QueryClient): Promise<Found[]> {
  const properties = await client.fetchQuery(propertiesQuery)
  if (!hasKey(text, properties)) return []
  const { terms, mistakes } = parseFilter(text)
  const isKnown = (key: string) => properties.some(property => property.key === key)
  const isWhole = mistakes.length === 0 && Object.keys(filtersOfTerms(terms)).every(isKnown)
  const show: Found = { id: 'show', title: `Show issues: ${text}`, run: () => go(listOfFilter(text)) }
  const values = await valueCompletions(text, properties, client)
  const completions = (values?.completions ?? keyCompletions(text, properties)).slice(0, MAX_COMPLETIONS)
  const others = completions.filter(({ completes }) => completes !== text)
  if (!isWhole) return others
  return values === undefined || values.isComplete ? [show, ...others] : [...others, show]
}

export async function findKeys(text: string, _signal: AbortSignal, client: QueryClient): Promise<Found[]> {
  const properties = await client.fetchQuery(propertiesQuery)
  return hasKey(text, properties) ? [] : keyCompletions(text, properties)
}
