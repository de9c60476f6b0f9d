import { distance } from 'fastest-levenshtein'
import type { ApiError } from '../api/contract.ts'
import { abbreviate, invalid } from '../api/errors.ts'
import { foldLine } from './line.ts'

const MAX_NAMES = 20

/** The error for an unknown name: it lists the existing names, the nearest first. */
export function unknownName(what: string, ref: string, names: readonly string[], field: string): ApiError {
  const sorted = nearestFirst(ref.slice(0, 80), [...new Set(names)])
  const [nearest] = sorted
  const listed = sorted.slice(0, MAX_NAMES).map(({ name }) => name)
  const more = sorted.length > MAX_NAMES ? ` and ${sorted.length - MAX_NAMES} more` : ''
  const hint = nearest?.isNear ? `; did you mean '${nearest.name}'? There` : '; there'
  return invalid(`There is no ${what} '${abbreviate(ref)}'${hint} are: ${listed.join(', ') || 'none'}${more}.`, {
    field,
    known: listed
  })
}

/** @throws 400 when there are several, naming each by `idOf` */
export function onlyMatch<T extends { name: string }>(
  what: string,
  matches: readonly T[],
  idOf: (match: T) => string,
  field: string
): T | undefined {
  const [match, ...others] = matches
  if (match === undefined || others.length === 0) return match
  const called = `More than one ${what} is called '${abbreviate(match.name)}'`
  throw invalid(`${called}: send the id of the one you mean, ${matches.map(idOf).join(' or ')}.`, { field })
}

/**
 * @returns the name
 * @throws 400 for a word that means "none" in requests and tools
 */
export function nameOfSomething<Name extends string | undefined>(name: Name, field: string): Name {
  if (name === undefined || !['none', 'null'].includes(foldLine(name))) return name
  throw invalid(`'${name}' means that there is none: choose another name.`, { field })
}

/** A name in lowercase without spaces and separators: `in_progress` is `In Progress`. */
export const foldName = (name: string): string => withoutSpaces(foldLine(name))
export const withoutSpaces = (name: string): string => name.replaceAll(/[\s_-]+/g, '')

export function nearestName(ref: string, names: readonly string[]): string | undefined {
  const [nearest] = nearestFirst(ref.slice(0, 80), names)
  return nearest?.isNear ? nearest.name : undefined
}

/** A name is near if one contains the other, or if at most every third letter differs. */
function nearestFirst(ref: string, names: readonly string[]): Array<{ name: string; isNear: boolean }> {
  const lowerRef = ref.trim().toLowerCase()
  return names
    .map(name => ({ name, lower: name.toLowerCase() }))
    .map(({ name, lower }) => {
      const isPart = lowerRef.length > 1 && lower !== '' && (lower.includes(lowerRef) || lowerRef.includes(lower))
      return { name, away: isPart ? 0 : distance(lower.slice(0, 80), lowerRef) }
    })
    .sort((a, b) => a.away - b.away)
    .map(({ name, away }) => ({ name, isNear: lowerRef.length > 1 && away <= Math.max(1, lowerRef.length / 3) }))
}
