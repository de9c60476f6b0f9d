import type { RefObject } from 'react'
import { announce } from '../../../ui/browser/contract.ts'
import type { BoardCursor } from './board-cursor.ts'
import { placesAt } from '../changes/places.ts'
import { useRowChanges, type RowChange } from '../changes/row-changes.ts'
import { changedRow } from '../list/row.ts'
import type { Row } from '../contract.ts'
import type { Order } from '../data.ts'
import { cellsOf, type Cell } from '../display/cells.ts'
import type { ListingGroup } from '../display/grouping.ts'
import { glide } from './glide.ts'
import { selectedOr, type Selection } from '../selection/selection.ts'

interface BoardState {
  board: RefObject<HTMLElement | null>
  cells: readonly Cell[]
  order: Order
  cursor: BoardCursor
  selection: Selection
}

/** A change, with the one that undoes it if that does not follow from the row. */
function changeTo(row: Row, from: Cell, to: Cell): RowChange | undefined {
  const change = to.change(row, from)
  return change && { row, change, back: from.has ? undefined : from.change(row, to) }
}
/** A change into a column, with its place there. Empty: it is there. */
function movedTo(row: Row, from: Cell, to: Cell, places: readonly RowChange[]): RowChange[] {
  const place = places.find(each => each.row.id === row.id)?.change
  const moved = changeTo(row, from, to)
  const change = { ...moved?.change, ...place }
  if (!moved || Object.keys(change).length === 0) return []
  return [{ row, change, back: moved.back && { ...moved.back, ...(place && { sortOrder: row.sortOrder }) } }]
}
const placeNames = (from: Cell, to: Cell) =>
  from.group === to.group && from.lane && to.lane ? [from.lane.name, to.lane.name] : [from.name, to.name]
function named({ key }: Row, from: Cell, to: Cell) {
  const [before, after] = placeNames(from, to)
  return { title: `${key} is in ${after}`, undone: `${key} is in ${before} again` }
}

export function useBoardMoves({ board, cells, order, cursor, selection }: BoardState) {
  const { mutate, latest, refusals, reset } = useRowChanges(selection.renew)
  const cellOf = (row: Row) => cells.find(({ has }) => has?.(row)) ?? cells[cursor.placeOf(row.id)?.column ?? -1]
  /** @param count of the issues that are moved; others make room */
  function send(all: RowChange[], { row, from }: { row: Row; from: Cell }, to: Cell, count: number): void {
    if (count === 0) return
    const several = { title: `${count} issues are moved`, undone: `${count} issues are where they were` }
    glide(board.current)
    mutate({ changes: all, ...(count === 1 ? named(row, from, to) : several) })
  }
  /** @param index of the row that they are put before, in the manual order */
  function moveTo(dropped: readonly Row[], from: Cell, to: Cell, index: number): void {
    const rows = dropped.map(latest).toSorted((a, b) => a.sortOrder - b.sortOrder)
    const handle = cursor.handleAt(cells.indexOf(to))
    const places = order === 'sortOrder' && handle ? placesAt(rows, index, handle.row) : []
    const moves = rows.map(row => ({ row, from: rows.length === 1 ? from : (cellOf(row) ?? from) }))
    if (moves.every(({ row, from }) => !changeTo(row, from, to))) {
      return announce(`Issues are not moved to ${to.name}: change the property instead.`)
    }
    const moved = moves.flatMap(({ row, from }) => movedTo(row, from, to, places))
    const others = places.filter(({ row: { id } }) => !rows.some(row => row.id === id))
    send([...moved, ...others], moves[0]!, to, moved.length)
  }
  function moveAside(by: 1 | -1): void {
    const current = cursor.currentRow()
    const moves = selectedOr(selection, current)
      .map(latest)
      .flatMap(row => {
        const from = cellOf(row)
        const to = from && cells[cells.indexOf(from) + by]
        const moved = from && to && from.lane === to.lane ? changeTo(row, from, to) : undefined
        return from && to && moved ? [{ ...moved, from, to }] : []
      })
    const [first] = moves
    if (!first) return
    const all = moves.map(({ row, change, back }) => ({ row, change, back }))
    send(all, first, first.to, moves.length)
    const own = moves.find(({ row: { id } }) => id === current?.id)
    if (own) cursor.follow(changedRow(own.row, own.change), own.to)
  }
  function moveAlong(by: 1 | -1): void {
    const [row, place] = [cursor.currentRow(), cursor.currentPlace()]
    const cell = cells[place?.column ?? -1]
    if (!row || !place || !cell || order !== 'sortOrder' || place.index + by < 0) return
    moveTo([row], cell, cell, by === 1 ? place.index + 2 : place.index - 1)
    cursor.follow(row, cell)
  }
  /** To a column, of the row of lanes where they are; it may be collapsed. */
  function moveToGroup(rows: readonly Row[], fromId: string, group: ListingGroup): void {
    const from = cells.find(({ id }) => id === fromId)
    // Its column may have gone during the drag.
    if (!from) return
    const isThere = (cell: Cell) => cell.group === group && cell.lane === from.lane
    moveTo(rows, from, cells.find(isThere) ?? cellsOf(from.lane && [from.lane], [group], {})[0]!, 0)
  }
  return { moveTo, moveToGroup, moveAside, moveAlong, refusals, forgetRefusals: reset }
}
export type BoardMoves = ReturnType<typeof useBoardMoves>
