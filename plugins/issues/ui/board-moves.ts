import type { RefObject } from 'react'
import { placesAt, useRowChanges, type RowChange } from './changes.ts'
import type { ColumnHandle } from './column.tsx'
import type { Row } from './contract.ts'
import type { Order, State } from './data.ts'
import type { Selection } from './selection.tsx'

/** The cursor of the keyboard; the real focus follows a frame later. */
export interface Cursor {
  /** -1 before any card has had the focus. */
  column: number
  index: number
  /** The issue at this position; undefined until it is loaded. */
  rowId?: string | undefined
}
interface BoardState {
  states: readonly State[]
  order: Order
  /** The columns, by their states. */
  handles: RefObject<Map<string, ColumnHandle>>
  cursor: RefObject<Cursor>
  selection: Selection
  focus(column: number, index: number): void
}

/** Moves of cards, by keys and by dragging. */
export function useBoardMoves({ states, order, handles, cursor, selection, focus }: BoardState) {
  const changes = useRowChanges()
  /** Undefined when another issue has moved to this position: keys change only the issue that was displayed. */
  function currentRow(): Row | undefined {
    const { column, index, rowId } = cursor.current
    const row = handles.current.get(states[column]?.id ?? '')?.row(index)
    return row?.id === rowId ? row : undefined
  }
  /** @param index before which row of the column it is put, in the order by hand */
  function moveTo(row: Row, state: State, index: number): void {
    const handle = handles.current.get(state.id)
    const places = order === 'sortOrder' && handle ? placesAt(row, index, handle.row) : []
    const [own, ...others] = places
    const change = { ...(row.stateId !== state.id && { stateId: state.id }), ...own?.change }
    if (Object.keys(change).length === 0) return
    changes.mutate({ changes: [{ row, change }, ...others], title: `${row.key} is in ${state.name}` })
  }
  /** All selected issues, or else the one at the cursor. */
  function moveAside(by: 1 | -1): void {
    const row = currentRow()
    const rows = selection.rows.length > 0 ? selection.rows : row ? [row] : []
    const moved = rows.flatMap((row): RowChange[] => {
      const target = states[states.findIndex(({ id }) => id === row.stateId) + by]
      return target ? [{ row, change: { stateId: target.id } }] : []
    })
    const [first] = moved
    if (!first) return
    const name = states.find(({ id }) => id === first.change.stateId)!.name
    const title = moved.length === 1 ? `${first.row.key} is in ${name}` : `${moved.length} issues are moved`
    changes.mutate({ changes: moved, title })
    selection.clear()
    if (moved.length > 1 || first.row.id !== row?.id) return
    // It is the first there, because it changed last.
    requestAnimationFrame(() => focus(cursor.current.column + by, 0))
  }
  /** Up or down in its column. */
  function moveAlong(by: 1 | -1): void {
    const { column, index } = cursor.current
    const [row, state] = [currentRow(), states[column]]
    if (!row || !state || order !== 'sortOrder' || index + by < 0) return
    moveTo(row, state, by === 1 ? index + 2 : index - 1)
    requestAnimationFrame(() => focus(column, index + by))
  }
  function select(): void {
    const row = currentRow()
    if (row) selection.toggle(row)
  }
  return { moveTo, moveAside, moveAlong, select, error: changes.error }
}
export type BoardMoves = ReturnType<typeof useBoardMoves>
