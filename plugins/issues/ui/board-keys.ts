import { useRef } from 'react'
import { useCommands } from '../../ui/browser/contract.ts'
import type { BoardMoves, Cursor } from './board-moves.ts'
import type { ColumnHandle } from './column.tsx'
import type { State } from './data.ts'
import { focusFilter } from './filters.tsx'
import type { Selection } from './selection.tsx'

/** The cursor of the keyboard on the board, and its moves. */
export function useBoardCursor(states: readonly State[]) {
  const handles = useRef(new Map<string, ColumnHandle>())
  const cursor = useRef<Cursor>({ column: -1, index: 0 })

  function focus(column: number, index: number): void {
    const state = states[column]
    const handle = state && handles.current.get(state.id)
    if (!handle || handle.total === 0) return
    const at = Math.max(0, Math.min(index, handle.total - 1))
    cursor.current = { column, index: at, rowId: handle.row(at)?.id }
    handle.focus(at)
  }
  /** To the next column that is not empty. */
  function stepAside(by: 1 | -1): void {
    let column = cursor.current.column + by
    while (states[column] && handles.current.get(states[column]!.id)?.total === 0) column += by
    focus(column, cursor.current.index)
  }
  function step(by: 1 | -1): void {
    const { column, index } = cursor.current
    if (column < 0) stepAside(1)
    else focus(column, index + by)
  }
  return {
    handles,
    cursor,
    focus,
    step,
    stepAside,
    /** Called when a card gets the focus. */
    note(column: number, index: number, rowId: string): void {
      cursor.current = { column, index, rowId }
    },
    /** Called when a column is mounted or unmounted. */
    register(stateId: string, handle: ColumnHandle | undefined): void {
      if (handle) handles.current.set(stateId, handle)
      else handles.current.delete(stateId)
    }
  }
}
type BoardCursor = ReturnType<typeof useBoardCursor>

export function useBoardKeys(
  { step, stepAside }: BoardCursor,
  { moveAside, moveAlong, select }: BoardMoves,
  { clear }: Selection
): void {
  const command = (id: string, title: string, keys: readonly string[], run: () => void) => ({
    id,
    title,
    section: 'Board',
    keys,
    run
  })
  useCommands([
    command('down', 'Next issue', ['j', 'arrowdown'], () => step(1)),
    command('up', 'Previous issue', ['k', 'arrowup'], () => step(-1)),
    command('right', 'Next column', ['l', 'arrowright'], () => stepAside(1)),
    command('left', 'Previous column', ['h', 'arrowleft'], () => stepAside(-1)),
    command('moveRight', 'Move to the next state', ['shift+arrowright'], () => moveAside(1)),
    command('moveLeft', 'Move to the previous state', ['shift+arrowleft'], () => moveAside(-1)),
    command('moveDown', 'Move down, in the order by hand', ['shift+arrowdown'], () => moveAlong(1)),
    command('moveUp', 'Move up, in the order by hand', ['shift+arrowup'], () => moveAlong(-1)),
    command('select', 'Select', ['x'], select),
    command('unselect', 'Select nothing', ['escape'], clear),
    command('filter', 'Filter', ['/'], focusFilter)
  ])
}
