import type { UiCommand } from '../registry.ts'

/* `j` and `k` on pages that have no such keys of their own, for lists that say `data-rows`. */

const ROWS = 'main [data-rows] > li'
const TARGETS = 'a[href], button'

/** The row that had the focus last, and its place: it may be gone. */
let last: { list: Element | null; row: Element; index: number } | undefined

const targetIn = (row: Element): HTMLElement | undefined =>
  [...row.querySelectorAll<HTMLElement>(TARGETS)].find(element => element.checkVisibility())

function currentIndex(rows: readonly Element[], by: 1 | -1): number {
  const at = rows.findIndex(row => row.contains(document.activeElement))
  if (at >= 0 || !last?.list?.isConnected || document.activeElement !== document.body) return at
  // Beside a row that is gone is the one that has taken its place.
  return last.row.isConnected ? rows.indexOf(last.row) : last.index - (by === 1 ? 1 : 0)
}

function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll(ROWS)].filter(row => targetIn(row))
  const at = currentIndex(rows, by)
  const index = Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))
  const row = rows[index]
  if (!row) return
  last = { list: row.parentElement, row, index }
  targetIn(row)!.focus()
  row.scrollIntoView({ block: 'nearest' })
}

export const rowCommands: readonly UiCommand[] = [
  { id: 'nextRow', title: 'Next row', section: 'General', keys: ['j'], run: () => step(1) },
  { id: 'previousRow', title: 'Previous row', section: 'General', keys: ['k'], run: () => step(-1) }
]
