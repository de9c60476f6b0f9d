import { useCommands } from '../../../ui/browser/contract.ts'
import type { BoardCursor } from './board-cursor.ts'
import type { BoardMoves } from './board-moves.ts'
import { commandsOf } from '../commands.ts'
import { useSelectionKeys } from '../selection/selection-keys.ts'
import type { Selection } from '../selection/selection.ts'

const command = commandsOf('Board')

export function useBoardKeys(
  { step, stepAside, currentRow, rowsInOrder, allRows }: BoardCursor,
  { moveAside, moveAlong }: BoardMoves,
  selection: Selection
): void {
  useSelectionKeys({ section: 'Board', hasArrows: false, currentRow, step, rowsInOrder, allRows }, selection)
  useCommands([
    command('right', 'Next column', ['arrowright'], () => stepAside(1)),
    command('left', 'Previous column', ['arrowleft'], () => stepAside(-1)),
    command('moveRight', 'Move to the next state', ['shift+arrowright'], () => moveAside(1)),
    command('moveLeft', 'Move to the previous state', ['shift+arrowleft'], () => moveAside(-1)),
    command('moveDown', 'Move down (manual order)', ['shift+arrowdown'], () => moveAlong(1)),
    command('moveUp', 'Move up (manual order)', ['shift+arrowup'], () => moveAlong(-1))
  ])
}
