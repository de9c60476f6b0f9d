import type { Row } from '../list/row.ts'

/** The value that all rows have; undefined if they differ. */
export function sharedValue<T>(rows: readonly Row[], valueOf: (row: Row) => T): T | undefined {
  const values = new Set(rows.map(valueOf))
  return values.size === 1 ? [...values][0] : undefined
}
