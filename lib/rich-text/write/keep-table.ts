import type { Node } from 'prosemirror-model'
import type { Origin, SplitSource } from '../read/source.ts'
import { schema } from '../schema.ts'
import { gridOf } from '../shape.ts'
import { writeCell, writeDelimiter } from './write.ts'

/** The Markdown of each changed table, by its place, with the bytes of what is unchanged in it. */
export function keepTables(blocks: readonly Node[], origins: ReadonlyArray<Origin | null>, source: SplitSource) {
  const used = new Set(origins.map(origin => origin?.index))
  /** The unused table of the source that has a cell. */
  const places = new Map<string, number>()
  for (const [at, block] of source.blocks.entries()) {
    if (!used.has(at)) for (const key of wordsOf(block)) if (!places.has(key)) places.set(key, at)
  }
  const tables = new Map<number, string>()
  for (const [i, block] of blocks.entries()) {
    const keys = origins[i] || places.size === 0 ? [] : wordsOf(block)
    const at = keys.map(key => places.get(key)).find(at => at !== undefined && !used.has(at))
    if (at === undefined) continue
    used.add(at)
    const lines = keepTable(source.slices[at]!, source.blocks[at]!, block)
    if (lines) tables.set(i, lines.join(source.lineEnd))
  }
  return tables
}

/** The keys of the cells of a table that have some text; none of another block. */
function wordsOf(block: Node): string[] {
  if (block.type !== schema.nodes.table) return []
  return block.children.flatMap(row => row.children.filter(({ content }) => content.size > 0).map(cellKey))
}

/**
 * The lines of a changed table: unchanged lines and cells keep their bytes, and columns their width.
 * @param slice the Markdown of `old`
 */
function keepTable(slice: string, old: Node, table: Node): string[] | undefined {
  const lines = slice.split(/\r\n?|\n/)
  const [head = '', delimiters = '', ...body] = lines
  const delimiterLine = keepDelimiters(delimiters, old, table)
  if (lines.length !== old.childCount + 1 || delimiterLine === undefined) return undefined
  const oldLines = [head, ...body]
  const origins = pair(old.children.map(rowKey), table.children.map(rowKey))
  const rows = table.children.map((row, at) => {
    const origin = origins[at]
    if (origin === undefined) return writtenRow(row)
    const [before, line] = [old.child(origin), oldLines[origin]!]
    return rowKey(before) === rowKey(row) ? line : (keepCells(line, before, row) ?? writtenRow(row))
  })
  return rows.toSpliced(1, 0, delimiterLine)
}

const written = (cell: Node): string => ` ${writeCell(cell, 0)} `
const writtenRow = (row: Node): string => `|${row.children.map(written).join('|')}|`

/** Equal for equal text: an alignment is in the second line only. */
const cellKey = ({ content }: Node): string => JSON.stringify(content)
const rowKey = ({ children }: Node): string => JSON.stringify(children.map(({ content }) => content))

function keepCells(line: string, before: Node, row: Node): string | undefined {
  const { start, cells, end } = splitRow(line)
  if (cells.length !== before.childCount || !isClosed(start, end, before, row)) return undefined
  const [oldKeys, keys] = [before.children.map(cellKey), row.children.map(cellKey)]
  const origins = pair(oldKeys, keys)
  const texts = row.children.map((cell, at) => {
    const origin = origins[at]
    if (origin === undefined) return written(cell)
    return oldKeys[origin] === keys[at] ? cells[origin]! : written(cell).padEnd(cells[origin]!.length)
  })
  return start + texts.join('|') + end
}

function keepDelimiters(line: string, old: Node, table: Node): string | undefined {
  const { start, cells, end } = splitRow(line)
  const [oldHead, head] = [old.firstChild!, table.firstChild!]
  const [before, after] = [gridOf(old).alignments, gridOf(table).alignments]
  if (cells.length !== before.length || !isClosed(start, end, oldHead, head)) return undefined
  const origins = pair(oldHead.children.map(cellKey), head.children.map(cellKey))
  const texts = after.map((align, at) => {
    const origin = origins[at]
    if (origin === undefined) return ` ${writeDelimiter(align)} `
    const kept = cells[origin]!
    return before[origin] === align ? kept : kept.replace(/:?-+:?/, ({ length }) => writeDelimiter(align, length))
  })
  return start + texts.join('|') + end
}

/** A column at the edge of a row needs the bar there. */
const isClosed = (start: string, end: string, before: Node, after: Node): boolean =>
  before.childCount === after.childCount || (start.endsWith('|') && end.startsWith('|'))

/** A line at its bars: those before the first cell and after the last are not between cells. */
function splitRow(line: string): { start: string; cells: string[]; end: string } {
  const [start] = /^[ \t]*\|?/.exec(line)!
  const words = line.trimEnd()
  const isEnded = words.length > start.length && /(?<!\\)\|$/.test(words)
  const to = isEnded ? words.length - 1 : line.length
  return { start, cells: line.slice(start.length, to).split(/(?<!\\)\|/), end: line.slice(to) }
}

/** The place of each key among the old ones: of an equal one, or else, if none was added or removed, in their order. */
function pair(old: readonly string[], keys: readonly string[]): Array<number | undefined> {
  const origins: Array<number | undefined> = keys.map(() => undefined)
  const shorter = Math.min(old.length, keys.length)
  let start = 0
  for (; start < shorter && old[start] === keys[start]; start++) origins[start] = start
  let end = 0
  for (; end < shorter - start && old.at(-1 - end) === keys.at(-1 - end); end++) {
    origins[keys.length - 1 - end] = old.length - 1 - end
  }
  const free = new Set([...old.keys()].filter(at => at >= start && at < old.length - end))
  const places = Map.groupBy(free, at => old[at]!)
  const rest: number[] = []
  for (let at = start; at < keys.length - end; at++) {
    const origin = places.get(keys[at]!)?.shift()
    if (origin === undefined) rest.push(at)
    else {
      origins[at] = origin
      free.delete(origin)
    }
  }
  if (rest.length === free.size) for (const [n, origin] of [...free].entries()) origins[rest[n]!] = origin
  return origins
}
