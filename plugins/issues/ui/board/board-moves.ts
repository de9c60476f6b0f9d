import { announce } from '../../../ui/browser/contract.ts'
import type { BoardCursor } from './board-cursor.ts'
import { placesAt } from '../changes/places.ts'
import { useRowChanges, type RowChange } from '../changes/row-changes.ts'
import { changedRow } from '../changes/shown-changes.ts'
import type { Row } from '../contract.ts'
import type { Order } from '../data.ts'
import type { Cell } from '../display/cells.ts'
import type { Selection } from '../selection/selection.ts'

interface BoardState {
  cells: readonly Cell[]
  order: Order
  cursor: BoardCursor
  selection: Selection
}

/** A change, with the one that undoes it if rows do not tell what they were. */
function changeTo(row: Row, from: Cell, to: Cell): RowChange | undefined {
  const change = to.change(row, from)
  return change && { row, change, back: from.has ? undefined : from.change(row, to) }
}
const placeNames = (from: Cell, to: Cell) =>
  from.group === to.group && from.lane && to.lane ? [from.lane.name, to.lane.name] : [from.name, to.name]
function named({ key }: Row, from: Cell, to: Cell) {
  const [before, after] = placeNames(from, to)
  return { title: `${key} is in ${after}`, undone: `${key} is in ${before} again` }
}

/** Moves of cards, by keys and by dragging. */
export function useBoardMoves({ cells, order, cursor, selection }: BoardState) {
  const changes = useRowChanges()
  /** @param index of the row that it is put before, in the manual order */
  function moveTo(row: Row, from: Cell, to: Cell, index: number): void {
    const handle = cursor.handleAt(cells.indexOf(to))
    const places = order === 'sortOrder' && handle ? placesAt(row, index, handle.row) : []
    const [own, ...others] = places
    const moved = changeTo(row, from, to)
    if (!moved) return announce(`Issues are not moved to ${to.name}: change the property instead.`)
    const change = { ...moved.change, ...own?.change }
    if (Object.keys(change).length === 0) return
    const back = moved.back && { ...moved.back, ...(own && { sortOrder: row.sortOrder }) }
    changes.mutate({ changes: [{ row, change, back }, ...others], ...named(row, from, to) })
  }
  const cellOf = (row: Row) => cells.find(({ has }) => has?.(row)) ?? cells[cursor.placeOf(row.id)?.column ?? -1]
  /** All selected issues, or else the one at the cursor. */
  function moveAside(by: 1 | -1): void {
    const row = cursor.currentRow()
    const rows = selection.rows.length > 0 ? selection.rows.map(changes.latest) : row ? [row] : []
    const moves = rows.flatMap(row => {
      const from = cellOf(row)
      const to = from && cells[cells.indexOf(from) + by]
      const moved = from && to && from.lane === to.lane ? changeTo(row, from, to) : undefined
      return from && to && moved ? [{ ...moved, from, to }] : []
    })
    const [first] = moves
    if (!first) return
    const all = { title: `${moves.length} issues are moved`, undone: `${moves.length} issues are where they were` }
    const one = moves.length === 1 && named(first.row, first.from, first.to)
    changes.mutate({ changes: moves.map(({ row, change, back }) => ({ row, change, back })), ...(one || all) })
    const own = moves.find(({ row: { id } }) => id === row?.id)
    if (own) cursor.follow(changedRow(own.row, own.change), own.to)
  }
  /** Up or down in its column. */
  function moveAlong(by: 1 | -1): void {
    const [row, place] = [cursor.currentRow(), cursor.currentPlace()]
    const cell = cells[place?.column ?? -1]
    if (!row || !place || !cell || order !== 'sortOrder' || place.index + by < 0) return
    moveTo(row, cell, cell, by === 1 ? place.index + 2 : place.index - 1)
    cursor.follow(row, cell)
  }
  return { moveTo, moveAside, moveAlong, refusals: changes.refusals, forgetRefusals: changes.reset }
}
export type BoardMoves = ReturnType<typeof useBoardMoves>
