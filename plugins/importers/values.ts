/*
 * Reading JSON of unknown shape.
 */

export type JsonObject = { readonly [field: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
export const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
/** Whether a value has objects or lists within each other beyond a depth. */
export function isDeeperThan(value: unknown, maxDepth: number): boolean {
  const waiting = [{ value, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next
    if (typeof value !== 'object' || value === null) continue
    if (depth >= maxDepth) return true
    for (const inner of Object.values(value)) waiting.push({ value: inner as unknown, depth: depth + 1 })
  }
  return false
}
/** A text that is not empty; a number as its digits. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap(item => textOf(item) ?? []) : []
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) ? value.length === 0 : typeof value === 'object' && Object.keys(value).length === 0)

/** What a table has for a name from outside: also `constructor` may be one, which every object inherits. */
export const valueFor = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined

/** What stands behind a time of day, with what some programs explain it by. */
const ZONE =
  /(?<=:\d\d(?:\.\d{1,9})?(?: ?[AP]M)?) ?(?:Z|[ECMP][SD]T|UTC?|GMT|(?:UTC?|GMT)?[+-]\d\d:?\d\d)(?: \([^)]*\))?$/i

/** A time as the import format has it; undefined when it is none. Without a zone it is UTC. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim().replace(/(?<=:\d\d(?:\.\d+)?[+-]\d\d)(\d\d)$/, ':$1')
  if (!hasRealDay(text)) return undefined
  const zoned = /^\d{4}-\d\d-\d\d$/.test(text)
    ? `${text}T00:00:00Z`
    : /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text)
      ? `${text.replace(' ', 'T')}Z`
      : ZONE.test(text)
        ? text
        : `${text} UTC`
  const time = new Date(zoned)
  const year = time.getUTCFullYear()
  return Number.isNaN(year) || year < 1 || year > 9999 ? undefined : time.toISOString()
}
/** Whether a date that begins with its year is one of the calendar: `Date` makes March 2 of February 30. */
function hasRealDay(text: string): boolean {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? []
  if (day === undefined) return true
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
/** The day that a text names, wherever that is. */
export const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? timeOf(value.trim().replace(ZONE, ''))?.slice(0, 10) : undefined

/** The letters of a team's keys, made from the name of a project. */
export function identifierOf(name: string, otherwise: string): string {
  const letters = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .replace(/^\d+/, '')
  return (letters === '' ? otherwise : letters).slice(0, 10).toUpperCase()
}

/** Without the fields that are undefined. */
export const compact = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T
