import type { Row } from '../contract.ts'
import { PER_PAGE } from '../data.ts'
import type { RowChange } from './row-changes.ts'

/**
 * The numbers that put a row before the one at `index` of a column. Rows with equal numbers (created together) after it
 * get new numbers, too.
 */
export function placesAt(row: Row, index: number, at: (index: number) => Row | undefined): RowChange[] {
  const neighbour = (from: number, by: 1 | -1) => {
    const other = at(from)
    return other?.id === row.id ? at(from + by) : other
  }
  const before = neighbour(index - 1, -1)
  const after = neighbour(index, 1)
  const place = (sortOrder: number): RowChange[] => [{ row, change: { sortOrder } }]
  if (!before && !after) return []
  if (!before) return place(after!.sortOrder - 1)
  if (!after) return place(before.sortOrder + 1)
  if (before.sortOrder < after.sortOrder) return place((before.sortOrder + after.sortOrder) / 2)
  const same: Row[] = []
  let next = at(index)
  for (let n = index; next && next.sortOrder === before.sortOrder && same.length < PER_PAGE - 1; next = at(++n)) {
    if (next.id !== row.id) same.push(next)
  }
  const room = (next ? next.sortOrder : before.sortOrder + 1) - before.sortOrder
  return [row, ...same].map((each, n, all) => ({
    row: each,
    change: { sortOrder: before.sortOrder + (room * (n + 1)) / (all.length + 1) }
  }))
}
