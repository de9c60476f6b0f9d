import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ColumnHandle } from './column.tsx'
import type { Row } from '../contract.ts'
import { latestRow } from '../data.ts'
import type { Cell } from '../display/cells.ts'
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
  movedTo?: string | undefined
}

type Columns = ReturnType<typeof useColumns>

/** From a column to the next one that is not empty. */
function columnBeside({ isEmpty, hasColumn }: Columns, from: number, by: number): number {
  let column = from + by
  while (hasColumn(column) && isEmpty(column)) column += by
  return column
}
/**
 * The place of an index; beyond the end of a column, in the same one of the next lanes.
 * @param by the columns of a row of lanes; negative: backwards
 */
function placeAlong(columns: Columns, { column, index }: Place, by: number): Place {
  if (index >= 0 && index < columns.totalOf(column)) return { column, index }
  const next = columnBeside(columns, column, by)
  return columns.hasColumn(next) ? { column: next, index: by > 0 ? 0 : Infinity } : { column, index }
}

function useColumns(cells: readonly Cell[]) {
  const client = useQueryClient()
  const handles = useRef(new Map<string, ColumnHandle>())
  const latest = (rowId: string | undefined) => (rowId === undefined ? undefined : latestRow(client, rowId))
  const handleAt = (column: number) => handles.current.get(cells[column]?.id ?? '')
  const totalOf = (column: number) => handleAt(column)?.total() ?? 0
  return {
    handleAt,
    latest,
    totalOf,
    rowsOf: (column: number | undefined): Row[] => (column === undefined ? [] : (handleAt(column)?.rows() ?? [])),
    allRows: () => cells.flatMap((_, column) => handleAt(column)?.rows() ?? []),
    isEmpty: (column: number) => totalOf(column) === 0,
    hasColumn: (column: number) => cells[column] !== undefined,
    /** Undefined when the issue was removed, or is on a page that is not loaded. */
    placeOf(rowId: string | undefined): Place | undefined {
      const row = latest(rowId)
      if (!row) return undefined
      for (const [column, { has }] of cells.entries()) {
        const index = has?.(row) === false ? undefined : handleAt(column)?.indexOf(row.id)
        if (index !== undefined) return { column, index }
      }
      return undefined
    },
    note(cellId: string, handle: ColumnHandle | undefined): void {
      if (handle) handles.current.set(cellId, handle)
      else handles.current.delete(cellId)
    }
  }
}

/** @param perLane the columns of a row of lanes */
export function useBoardCursor(cells: readonly Cell[], perLane: number) {
  const columns = useColumns(cells)
  const { handleAt, latest, placeOf, note } = columns
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
  function stepAside(by: 1 | -1): void {
    const { column, index } = currentPlace() ?? cursor.current
    focus(columnBeside(columns, column, by), index)
  }
  function step(by: 1 | -1): void {
    const place = currentPlace()
    const { column, index } = place ?? cursor.current
    if (column < 0) return stepAside(1)
    // The next issue has taken the place of a removed one.
    const to = placeAlong(columns, { column, index: !place && by === 1 ? index : index + by }, by * perLane)
    focus(to.column, to.index)
  }
  return {
    ...{ handlers, handleAt, currentPlace, placeOf, step, stepAside, allRows: columns.allRows },
    /** The current issue at the cursor, with all changes by keys; keys change no other. */
    currentRow(): Row | undefined {
      const { rowId, moved } = cursor.current
      return latest(rowId) ?? moved
    },
    /** The loaded ones of the column of the cursor, or of another issue. */
    rowsInOrder: (row?: Row) => columns.rowsOf((row ? placeOf(row.id) : currentPlace())?.column),
    /**
     * @param moved the issue at the cursor, after a change: the focus follows when it is displayed
     * @param to its column; default: the one that it belongs to
     */
    follow(moved: Row, to = cells.find(({ has }) => has?.(moved))): void {
      cursor.current = { column: to ? cells.indexOf(to) : -1, index: 0, rowId: moved.id, moved, movedTo: to?.id }
    },
    note(column: number, index: number, rowId: string): void {
      cursor.current = { column, index, rowId }
    },
    register(cellId: string, handle: ColumnHandle | undefined): void {
      note(cellId, handle)
      if (!handle) return
      const { rowId, moved, movedTo } = cursor.current
      const place = moved && movedTo === cellId ? currentPlace() : undefined
      if (place) focus(place.column, place.index)
      else if (!moved) keep(rowId)
    }
  }
}
export type BoardCursor = ReturnType<typeof useBoardCursor>
