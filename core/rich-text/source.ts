import type { Node } from 'prosemirror-model'
import type { Reading } from './parse.ts'
import { schema } from './schema.ts'

/** A markdown text cut at the blocks of its document. */
export interface Cut {
  blocks: readonly Node[]
  /** The bytes of each block, without what separates it from the next. */
  slices: string[]
  /** What follows each block: the end of its line, and blank lines. */
  gaps: string[]
  /** What stands before the first block. */
  lead: string
  lineEnd: string
}

/** The source of a document that has none. */
export const nothing: Cut = { blocks: [], slices: [], gaps: [], lead: '', lineEnd: '\n' }

/** Cuts the source that was read. */
export function cut (source: string, { doc, lines }: Reading): Cut {
  const starts = lineStarts(source)
  const from = lines.map(line => starts[line] ?? source.length)
  const parts = from.map((start, i) => source.slice(start, from[i + 1]))
  const slices = parts.map(part => part.replace(/[ \t\r\n]+$/, ''))
  return {
    blocks: lines.length > 0 ? doc.children : [],
    slices,
    gaps: parts.map((part, i) => part.slice(slices[i]!.length)),
    lead: source.slice(0, from[0] ?? 0),
    lineEnd: source.includes('\r\n') ? '\r\n' : '\n'
  }
}

/** For each of `blocks`, the index of the block of `old` that it equals, each used once, or null. */
export function align (old: readonly Node[], blocks: readonly Node[]): Array<number | null> {
  const origins: Array<number | null> = blocks.map(() => null)
  let start = 0
  while (start < old.length && start < blocks.length && old[start]!.eq(blocks[start]!)) origins[start] = start++
  let end = 0
  while (end < old.length - start && end < blocks.length - start && old.at(-1 - end)!.eq(blocks.at(-1 - end)!)) {
    end++
    origins[blocks.length - end] = old.length - end
  }
  const places = Map.groupBy(old.slice(start, old.length - end).map((block, i) => ({ key: keyOf(block), i: start + i })), ({ key }) => key)
  for (let i = start; i < blocks.length - end; i++) origins[i] = places.get(keyOf(blocks[i]!))?.shift()?.i ?? null
  return origins
}

function keyOf (block: Node): string {
  return JSON.stringify(block)
}

/**
 * The source with its boxes ticked as in `doc`, or null when none differs or the documents have not the same number of tasks.
 * Whether the rest is the same remains to be checked.
 */
export function tickBoxes (source: string, { doc: old, boxes }: Reading, doc: Node): string | null {
  const [before, after] = [boxesOf(old), boxesOf(doc)]
  if (before.length !== after.length || before.every((checked, i) => checked === after[i])) return null
  const starts = lineStarts(source)
  let ticked = ''
  let end = 0
  boxes.forEach((line, i) => {
    if (before[i] === after[i]) return
    // Before a box stand only the markers of quotes and items.
    const at = source.indexOf('[', starts[line]) + 1
    ticked += source.slice(end, at) + (after[i] ? 'x' : ' ')
    end = at + 1
  })
  return ticked + source.slice(end)
}

/** Whether each task of a document is ticked. */
function boxesOf (doc: Node): boolean[] {
  const boxes: boolean[] = []
  doc.descendants(node => {
    if (node.type === schema.nodes.list_item && node.attrs.checked !== null) boxes.push(node.attrs.checked)
    return !node.isTextblock
  })
  return boxes
}

/** Where each line starts. A line ends as in CommonMark. */
function lineStarts (source: string): number[] {
  return [0, ...Array.from(source.matchAll(/\r\n?|\n/g), end => end.index + end[0].length)]
}
