import type { DataRecord } from '../contract.ts'
import { parseTime } from './times.ts'

/*
 * Reading JSON of unknown shape.
 */

export type JsonObject = { readonly [field: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
export const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
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
/** A nonempty text; a number as its digits. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap(item => textOf(item) ?? []) : []
/** Undefined for a placeholder. */
export const emailOf = (value: unknown): string | undefined => {
  const text = textOf(value)?.trim()
  return text !== undefined && /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 320 ? text : undefined
}
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) ? value.length === 0 : typeof value === 'object' && Object.keys(value).length === 0)

/** An external name may equal an inherited property such as `constructor`. */
export const valueFor = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined

/** In the import format; undefined when it is invalid. Without a zone it is UTC. */
export const timeOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? parseTime(value)?.time : undefined
export function leaveOutUnreadTimes(
  value: JsonObject,
  fields: readonly string[],
  where: string,
  leaveOut: (what: string, reason: string, where: string) => void
): void {
  for (const field of fields) {
    if (!isEmpty(value[field]) && timeOf(value[field]) === undefined) leaveOut(field, 'it is no time', where)
  }
}

/** In the text's own zone. */
export const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? parseTime(value)?.day : undefined

export function identifierOf(name: string, otherwise: string): string {
  const letters = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .replace(/^\d+/, '')
  return (letters === '' ? otherwise : letters).slice(0, 10).toUpperCase()
}

/** The source only names the person. */
export const personRecord = (name: string): DataRecord => ({
  kind: 'account',
  externalId: name,
  type: 'PERSON',
  role: 'MEMBER',
  fullname: name
})
export const relationRecord = (issue: string, type: string, relatedIssue: string): DataRecord => ({
  kind: 'relation',
  issue,
  type,
  relatedIssue
})

export const compact = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T
