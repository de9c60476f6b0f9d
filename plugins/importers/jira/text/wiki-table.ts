import { table } from '../../markdown.ts'

export const isTableStart = (line: string): boolean => /^\s*\|/.test(line)

/** A row ends at a bar at the end of a line: cells may have several lines. */
export function wikiTable(
  lines: readonly string[],
  from: number,
  cell: (wiki: string) => string
): { markdown: string; lines: number } {
  const rows: string[][] = []
  let hasHeader = false
  let n = from
  while (n < lines.length && isTableStart(lines[n]!)) {
    let row = lines[n++]!
    while (!/\|\s*$/.test(row) && n < lines.length && lines[n]!.trim() !== '' && !isTableStart(lines[n]!)) {
      row += `\n${lines[n++]!}`
    }
    if (rows.length === 0) hasHeader = isHeader(row)
    rows.push(cellsOf(row).map(cell))
  }
  return { markdown: table(rows, hasHeader), lines: n - from }
}

/** Bars in links, images and monospaced text do not end a cell. */
const CELL = /(?:\[[^[\]\n]*\]|\{\{[^{\n]*?\}\}|![^\s!|][^!\n]*!|\\\||[^|])+|\|\|?/g

const isHeader = (row: string): boolean => !(row.trim().match(CELL) ?? []).slice(0, -1).includes('|')

function cellsOf(row: string): string[] {
  const pieces = row.trim().match(CELL) ?? []
  const cells: string[] = []
  let isOpen = false
  for (const piece of pieces) {
    if (piece === '|' || piece === '||') {
      if (isOpen) cells.push('')
      isOpen = true
    } else {
      cells.push(piece.trim())
      isOpen = false
    }
  }
  return cells
}
