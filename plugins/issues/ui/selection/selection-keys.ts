import { useCommands } from '../../../ui/browser/contract.ts'
import { commandsOf } from '../commands.ts'
import type { Row } from '../contract.ts'
import { focusFilter } from '../filters/chips.tsx'
import type { Selection } from './selection.ts'

interface SelectableListing {
  section: string
  /** True if Shift and an arrow key select, too, instead of moving issues. */
  hasArrows: boolean
  currentRow(): Row | undefined
  step(by: 1 | -1): void
  /** The loaded issues as they are displayed around the cursor, among which a range is selected. */
  rowsInOrder(): Row[]
  allRows(): Row[]
}

export function useSelectionKeys(listing: SelectableListing, selection: Selection): void {
  const { section, hasArrows, currentRow, step, rowsInOrder, allRows } = listing
  function toggle(): void {
    const row = currentRow()
    if (row) selection.toggle(row)
  }
  /** The cursor takes the end of the range along. */
  function extend(by: 1 | -1): void {
    const from = currentRow()
    step(by)
    const to = currentRow()
    if (to) selection.extend(rowsInOrder(), from ?? to, to)
  }
  const command = commandsOf(section)
  const ofRange = (key: string, arrow: string) => (hasArrows ? [key, arrow] : [key])
  useCommands([
    command('down', 'Next issue', ['j', 'arrowdown'], () => step(1)),
    command('up', 'Previous issue', ['k', 'arrowup'], () => step(-1)),
    command('filter', 'Focus the filters', ['/'], focusFilter),
    command('select', 'Select', ['x'], toggle),
    command('extendDown', 'Select down to the next issue', ofRange('shift+j', 'shift+arrowdown'), () => extend(1)),
    command('extendUp', 'Select up to the previous issue', ofRange('shift+k', 'shift+arrowup'), () => extend(-1)),
    command('selectAll', 'Select all that are loaded', ['mod+a'], () => selection.select(allRows())),
    command('unselect', 'Clear selection', ['escape'], selection.clear)
  ])
}
