import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ColumnHandle } from './column.tsx'
import type { Row } from '../contract.ts'
import { latestRow, type State } from '../data.ts'
import { useKeptFocus } from '../focus.ts'

interface Place {
  /** -1 before any card has had the focus. */
  column: number
  index: number
}
/** The keyboard cursor: an issue and its position. The real focus may follow some frames later. */
interface Cursor extends Place {
  /** Undefined until the row at this place is loaded. */
  rowId?: string | undefined
  /** The issue after a key's change, until its card has the focus: it may be moving to a page that is not loaded. */
  moved?: Row
}

/** The displayed columns of the board, with a search for issues in them. */
function useColumns(states: readonly State[]) {
  const client = useQueryClient()
  const handles = useRef(new Map<string, ColumnHandle>())
  const latest = (rowId: string | undefined) => (rowId === undefined ? undefined : latestRow(client, rowId))
  return {
    handleAt: (column: number) => handles.current.get(states[column]?.id ?? ''),
    latest,
    /** Undefined when the issue was removed, or is on a page that is not loaded. */
    placeOf(rowId: string | undefined): Place | undefined {
      const row = latest(rowId)
      const index = row && handles.current.get(row.stateId)?.indexOf(row.id)
      return index === undefined ? undefined : { column: states.findIndex(({ id }) => id === row!.stateId), index }
    },
    note(stateId: string, handle: ColumnHandle | undefined): void {
      if (handle) handles.current.set(stateId, handle)
      else handles.current.delete(stateId)
    }
  }
}

export function useBoardCursor(states: readonly State[]) {
  const { handleAt, latest, placeOf, note } = useColumns(states)
  const cursor = useRef<Cursor>({ column: -1, index: 0 })
  const { keep, handlers } = useKeptFocus()

  const currentPlace = () => placeOf(cursor.current.rowId)
  function focus(column: number, index: number): void {
    const handle = handleAt(column)
    if (!handle || handle.total() === 0) return
    const at = Math.max(0, Math.min(index, handle.total() - 1))
    cursor.current = { column, index: at, rowId: handle.row(at)?.id }
    handle.focus(at)
  }
  /** To the next column that is not empty. */
  function stepAside(by: 1 | -1): void {
    const { column: from, index } = currentPlace() ?? cursor.current
    let column = from + by
    while (states[column] && handleAt(column)?.total() === 0) column += by
    focus(column, index)
  }
  function step(by: 1 | -1): void {
    const place = currentPlace()
    const { column, index } = place ?? cursor.current
    if (column < 0) stepAside(1)
    // The next issue has taken the place of a removed one.
    else focus(column, !place && by === 1 ? index : index + by)
  }
  return {
    handlers,
    handleAt,
    currentPlace,
    step,
    stepAside,
    /** The current issue at the cursor, with all changes by keys; keys change no other. */
    currentRow(): Row | undefined {
      const { rowId, moved } = cursor.current
      return latest(rowId) ?? moved
    },
    /** @param moved the issue at the cursor, after a change: the focus follows when it is displayed */
    follow(moved: Row): void {
      const column = states.findIndex(({ id }) => id === moved.stateId)
      cursor.current = { column, index: 0, rowId: moved.id, moved }
    },
    /** Called when a card gets the focus. */
    note(column: number, index: number, rowId: string): void {
      cursor.current = { column, index, rowId }
    },
    /** Called when a column was rendered, or is unmounted. */
    register(stateId: string, handle: ColumnHandle | undefined): void {
      note(stateId, handle)
      if (!handle) return
      const { rowId, moved } = cursor.current
      const place = moved?.stateId === stateId ? currentPlace() : undefined
      if (place) focus(place.column, place.index)
      else if (!moved) keep(rowId)
    }
  }
}
export type BoardCursor = ReturnType<typeof useBoardCursor>
