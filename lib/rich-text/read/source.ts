import type { Node } from 'prosemirror-model'
import { BOM, read } from './parse.ts'
import type { Reading } from './parse.ts'
import { schema } from '../schema.ts'

/** A markdown text split at the blocks of its document. */
export interface SplitSource {
  blocks: readonly Node[]
  /** The bytes of each block, without the gap after it. */
  slices: string[]
  /** The text after each block: the end of its line, and blank lines. */
  gaps: string[]
  /** The text before the first block. */
  lead: string
  lineEnd: string
}

export const NO_SOURCE: SplitSource = { blocks: [], slices: [], gaps: [], lead: '', lineEnd: '\n' }

export function splitSource(source: string, { doc, lines }: Reading): SplitSource {
  const starts = lineStarts(source)
  const from = lines.map(line => starts[line] ?? source.length)
  const parts = from.map((start, i) => source.slice(start, from[i + 1]))
  const slices = parts.map(withoutGap)
  return {
    blocks: lines.length > 0 ? doc.children : [],
    slices,
    gaps: parts.map((part, i) => part.slice(slices[i]!.length)),
    lead: source.slice(0, from[0] ?? 0),
    lineEnd: source.includes('\r\n') ? '\r\n' : '\n'
  }
}

function withoutGap(part: string): string {
  const [space = ''] = /(?<![ \t\r\n])[ \t\r\n]+$/.exec(part) ?? []
  const end = space.search(/[\r\n]/)
  return end < 0 ? part : part.slice(0, part.length - space.length + end)
}

/** The source block of a block, and whether they are equal, or differ in ticks. */
export interface Origin {
  index: number
  same: boolean
}

/** The origins of `blocks` in the source, each used once; null for a new block. */
export function align(old: readonly Node[], blocks: readonly Node[]): Array<Origin | null> {
  const origins: Array<Origin | null> = blocks.map(() => null)
  let start = 0
  while (start < old.length && start < blocks.length && old[start]!.eq(blocks[start]!)) {
    origins[start] = { index: start++, same: true }
  }
  let end = 0
  while (end < old.length - start && end < blocks.length - start && old.at(-1 - end)!.eq(blocks.at(-1 - end)!)) {
    end++
    origins[blocks.length - end] = { index: old.length - end, same: true }
  }
  const free = new Set(old.keys().filter(i => i >= start && i < old.length - end))
  for (const same of free.size > 0 ? [true, false] : []) {
    const places = Map.groupBy(free, i => keyOf(old[i]!, same))
    for (let i = start; i < blocks.length - end; i++) {
      const index = origins[i] ? undefined : places.get(keyOf(blocks[i]!, same))?.shift()
      if (index === undefined) continue
      free.delete(index)
      origins[i] = { index, same }
    }
  }
  return origins
}

/** A string that equal blocks share; without boxes, also blocks that differ only in ticks. */
function keyOf(block: Node, withBoxes: boolean): string {
  return JSON.stringify(block, (name, value) =>
    name === 'checked' && typeof value === 'boolean' && !withBoxes ? 'box' : value
  )
}

/** The bytes of a block, with the boxes ticked as in `block`. */
export function tickBoxes(slice: string, block: Node): string {
  const { doc, boxes } = read(slice)
  const [before, after] = [boxesOf(doc), boxesOf(block)]
  const starts = lineStarts(slice)
  let ticked = ''
  let end = 0
  boxes.forEach((line, i) => {
    if (before[i] === after[i]) return
    // Only the markers of quotes and items come before a box.
    const at = slice.indexOf('[', starts[line]) + 1
    ticked += slice.slice(end, at) + (after[i] ? 'x' : ' ')
    end = at + 1
  })
  return ticked + slice.slice(end)
}

function boxesOf(parent: Node): boolean[] {
  const boxes: boolean[] = []
  parent.descendants(node => {
    if (node.type === schema.nodes.list_item && node.attrs.checked !== null) boxes.push(node.attrs.checked)
    return !node.isTextblock
  })
  return boxes
}

/** The start of each line. Lines end as in CommonMark. */
function lineStarts(source: string): number[] {
  const first = source.startsWith(BOM) ? BOM.length : 0
  return [first, ...Array.from(source.matchAll(/\r\n?|\n/g), end => end.index + end[0].length)]
}
