import type { Row } from '../contract.ts'
import { PER_PAGE } from '../data.ts'
import type { RowChange } from './row-changes.ts'

/**
 * The numbers that put rows before the one at `index` of a column, in their order. Rows with equal numbers (created
 * together) after them get new numbers, too.
 */
export function placesAt(rows: readonly Row[], index: number, at: (index: number) => Row | undefined): RowChange[] {
  const isMoved = (row: Row) => rows.some(({ id }) => id === row.id)
  function neighbour(from: number, by: 1 | -1): Row | undefined {
    let n = from
    for (let row = at(n); row && isMoved(row); row = at(n)) n += by
    return at(n)
  }
  const before = neighbour(index - 1, -1)
  const after = neighbour(index, 1)
  const place = (sortOrder: number, step: number): RowChange[] =>
    rows.map((row, n) => ({ row, change: { sortOrder: sortOrder + n * step } }))
  if (!before && !after) return []
  if (!before) return place(after!.sortOrder - rows.length, 1)
  if (!after) return place(before.sortOrder + 1, 1)
  let n = index
  function nextOther(): Row | undefined {
    while (rows.some(({ id }) => id === at(n)?.id)) n++
    return at(n++)
  }
  const same: Row[] = []
  let next = nextOther()
  while (next && next.sortOrder === before.sortOrder && same.length < PER_PAGE - 1) {
    same.push(next)
    next = nextOther()
  }
  const room = (next ? next.sortOrder : before.sortOrder + 1) - before.sortOrder
  return [...rows, ...same].map((each, n, all) => ({
    row: each,
    change: { sortOrder: before.sortOrder + (room * (n + 1)) / (all.length + 1) }
  }))
}
