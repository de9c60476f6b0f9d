import { hash } from 'node:crypto'
import type { ImportedFields } from '../contract.ts'

type FieldOutcome = 'unchanged' | 'take' | 'conflict'

/** Short, and equal for equivalent values: null, '' and [] are the same, and a list is a set. */
export function digest(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (!Array.isArray(value)) return digestOf(value)
  return value.length === 0 ? '' : digestOf(value.map(item => JSON.stringify(item)).sort())
}
const digestOf = (value: unknown) => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 16)

export const importedFields = (
  names: readonly string[],
  record: Record<string, unknown>,
  current: Record<string, unknown> | undefined
): ImportedFields => Object.fromEntries(names.map(name => [name, [digest(record[name]), digest(current?.[name])]]))

/** Changed only there: taken. Changed only here: kept. Changed on both sides: a conflict, and kept. */
export function compareField(
  name: string,
  last: ImportedFields,
  record: Record<string, unknown>,
  current: Record<string, unknown>
): FieldOutcome {
  const [imported, stored] = last[name] ?? ['', '']
  if (digest(record[name]) === imported) return 'unchanged'
  return digest(current[name]) === stored ? 'take' : 'conflict'
}
