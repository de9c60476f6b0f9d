import { keymap } from 'prosemirror-keymap'
import type { Command } from 'prosemirror-state'
import type { Format } from '../bubble/bubble.ts'
import { addColumn, addRow, alignColumn, alignmentAt, leaveTable, removeColumn, removeRow } from './table-commands.ts'

const change = (title: string, icon: string, keys: string, command: Command): Format => ({ title, icon, keys, command })
const alignment = (title: string, align: 'left' | 'center' | 'right'): Format => ({
  title,
  icon: `align-${align}`,
  isOn: state => alignmentAt(state) === align,
  command: alignColumn(align)
})

export const TABLE_TOOLS: ReadonlyArray<readonly Format[]> = [
  [
    change('Add a row above', 'row-above', 'ctrl+alt+arrowup', addRow(0)),
    change('Add a row below', 'row-below', 'ctrl+alt+arrowdown', addRow(1)),
    change('Remove the row', 'row-remove', 'ctrl+alt+shift+arrowup', removeRow)
  ],
  [
    change('Add a column before', 'column-before', 'ctrl+alt+arrowleft', addColumn(0)),
    change('Add a column after', 'column-after', 'ctrl+alt+arrowright', addColumn(1)),
    change('Remove the column', 'column-remove', 'ctrl+alt+shift+arrowleft', removeColumn)
  ],
  [alignment('Align left', 'left'), alignment('Align center', 'center'), alignment('Align right', 'right')]
]

/** On a Mac, too: `⌘ ⌥` with an arrow key changes the tab of the browser. */
export const tableKeys = keymap({
  'Ctrl-Alt-ArrowUp': addRow(0),
  'Ctrl-Alt-ArrowDown': addRow(1),
  'Ctrl-Alt-ArrowLeft': addColumn(0),
  'Ctrl-Alt-ArrowRight': addColumn(1),
  'Ctrl-Alt-Shift-ArrowUp': removeRow,
  'Ctrl-Alt-Shift-ArrowLeft': removeColumn,
  ArrowDown: leaveTable
})
