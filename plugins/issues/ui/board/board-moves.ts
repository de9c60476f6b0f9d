import type { BoardCursor } from './board-cursor.ts'
import { changedRow, placesAt, useRowChanges, type RowChange } from '../changes.ts'
import type { Row } from '../contract.ts'
import type { Order, State } from '../data.ts'
import type { Selection } from '../list/selection.tsx'

interface BoardState {
  states: readonly State[]
  order: Order
  cursor: BoardCursor
  selection: Selection
}

/** Moves of cards, by keys and by dragging. */
export function useBoardMoves({ states, order, cursor, selection }: BoardState) {
  const changes = useRowChanges()
  const nameOf = (stateId: string) => states.find(({ id }) => id === stateId)!.name
  const named = ({ key, stateId }: Row, to: string) => ({
    title: `${key} is in ${nameOf(to)}`,
    undone: `${key} is in ${nameOf(stateId)} again`
  })
  /** @param index of the row that it is put before, in the manual order */
  function moveTo(row: Row, state: State, index: number): void {
    const handle = cursor.handleAt(states.indexOf(state))
    const places = order === 'sortOrder' && handle ? placesAt(row, index, handle.row) : []
    const [own, ...others] = places
    const change = { ...(row.stateId !== state.id && { stateId: state.id }), ...own?.change }
    if (Object.keys(change).length === 0) return
    changes.mutate({ changes: [{ row, change }, ...others], ...named(row, state.id) })
  }
  /** All selected issues, or else the one at the cursor. */
  function moveAside(by: 1 | -1): void {
    const row = cursor.currentRow()
    const rows = selection.rows.length > 0 ? selection.rows.map(changes.latest) : row ? [row] : []
    const moved = rows.flatMap((row): RowChange[] => {
      const target = states[states.findIndex(({ id }) => id === row.stateId) + by]
      return target ? [{ row, change: { stateId: target.id } }] : []
    })
    const [first] = moved
    if (!first) return
    const all = { title: `${moved.length} issues are moved`, undone: `${moved.length} issues are where they were` }
    const one = moved.length === 1 && named(first.row, first.change.stateId!)
    changes.mutate({ changes: moved, ...(one || all) })
    selection.clear()
    const own = moved.find(({ row: { id } }) => id === row?.id)
    if (own) cursor.follow(changedRow(own.row, own.change))
  }
  /** Up or down in its column. */
  function moveAlong(by: 1 | -1): void {
    const [row, place] = [cursor.currentRow(), cursor.currentPlace()]
    const state = states[place?.column ?? -1]
    if (!row || !place || !state || order !== 'sortOrder' || place.index + by < 0) return
    moveTo(row, state, by === 1 ? place.index + 2 : place.index - 1)
    cursor.follow(row)
  }
  function select(): void {
    const row = cursor.currentRow()
    if (row) selection.toggle(row)
  }
  return { moveTo, moveAside, moveAlong, select, error: changes.error }
}
export type BoardMoves = ReturnType<typeof useBoardMoves>
