import type { Node } from 'prosemirror-model'
import { render } from './html.ts'
import { checkSize } from './limits.ts'
import { markdownIt } from './markdown-it.ts'
import { read } from './parse.ts'
import type { References } from './parse.ts'
import { schema } from './schema.ts'
import { blocksOf } from './shape.ts'
import { align, tickBoxes } from './source.ts'
import type { Cut, Origin } from './source.ts'
import { isList, markerOf, writeBlock } from './write.ts'
import type { Caution } from './write.ts'

/**
 * Markdown for a document whose source no longer says what its nodes say. Unchanged blocks keep their bytes; the others
 * are written with as few escapes as possible and read again, and where that does not say the same, with more.
 * The number of readings is fixed, so the work is linear.
 * @throws {RichTextError} TOO_LARGE
 */
export function rewrite(doc: Node, source: Cut): string {
  const blocks = blocksOf(doc)
  const origins = align(source.blocks, blocks)
  const written = (caution: Caution) => writeAll(blocks, caution).map(text => text.replaceAll('\n', source.lineEnd))
  const join = (texts: string[], keepGaps: boolean) => {
    const text = texts.map((text, i) => text + gapAfter(i, origins, source, keepGaps)).join('')
    checkSize(text, 'The markdown of the document')
    return text && source.lead + text
  }

  const plain = written(0)
  const kept = plain.map((text, i) => {
    const origin = origins[i]
    const slice = source.slices[origin?.index ?? -1]
    return slice === undefined ? text : origin?.same ? slice : tickBoxes(slice, blocks[i]!)
  })
  const first = join(kept, true)
  const wrong = difference(blocks, first)
  if (!wrong) return first

  const [careful, most] = [written(1), written(2)]
  const references = referencesOf(doc)
  const best = kept.map((text, i) => {
    if (i < wrong.from || i >= wrong.to) return text
    const after = i < blocks.length - 1 ? '\n\nend' : ''
    return [text, plain[i]!, careful[i]!].find(choice => saysBlock(choice, blocks[i]!, references, after)) ?? most[i]!
  })
  const second = join(best, false)
  const still = difference(blocks, second)
  if (!still) return second
  const [from, to] = [Math.min(wrong.from, still.from), Math.max(wrong.to, still.to)]
  return join(
    best.map((text, i) => (i < from || i >= to ? text : most[i]!)),
    false
  )
}

/** The markdown of each block. Of lists that follow each other, each has another marker than the one before. */
function writeAll(blocks: Node[], caution: Caution): string[] {
  let marker = ''
  return blocks.map(block => {
    marker = isList(block) ? markerOf(block, marker) : ''
    return writeBlock(block, caution, marker).join('\n')
  })
}

/** What stands between block `i` and the next: what stood there in the source, else a blank line. */
function gapAfter(i: number, origins: Array<Origin | null>, { gaps, lineEnd }: Cut, keep: boolean): string {
  if (i === origins.length - 1) return gaps.at(-1) ?? ''
  const [before, after] = [origins[i]?.index ?? null, origins[i + 1]?.index ?? null]
  const place = after !== null && after > 0 ? after - 1 : before
  const gap = place === null || place === gaps.length - 1 ? undefined : gaps[place]
  const wereNeighbours = before !== null && before + 1 === after
  const hasBlankLine = gap !== undefined && gap.split(/\r\n?|\n/).length > 2
  return gap !== undefined && (wereNeighbours || keep || hasBlankLine) ? gap : lineEnd + lineEnd
}

/** The blocks, the last excluded, around all those that `text` does not say; null when it says them all. */
function difference(blocks: Node[], text: string): { from: number; to: number } | null {
  const back = blocksOf(read(text).doc)
  let from = 0
  while (from < blocks.length && from < back.length && means(blocks[from]!, back[from]!)) from++
  if (from === blocks.length && from === back.length) return null
  let end = 0
  while (end < blocks.length - from && end < back.length - from && means(blocks.at(-1 - end)!, back.at(-1 - end)!)) {
    end++
  }
  // Where the text has a block too many, one of its neighbours made it; one too few, the one before may have swallowed it.
  return {
    from: Math.max(0, Math.min(from, blocks.length - end) - 1),
    to: Math.max(blocks.length - end, Math.min(from + 1, blocks.length))
  }
}

/** Whether `text` is read as the block, and as no part of what comes `after` it. */
function saysBlock(text: string, block: Node, references: References, after: string): boolean {
  const [back, ...more] = blocksOf(read(text + after, references).doc)
  return back !== undefined && more.length === (after ? 1 : 0) && means(block, back)
}

/** Whether two blocks are shown the same. */
function means(block: Node, other: Node): boolean {
  return block.eq(other) || render(block) === render(other)
}

/** The link definitions of a document. */
function referencesOf(doc: Node): References {
  const definitions: string[] = []
  doc.descendants(node => {
    if (node.type === schema.nodes.link_definition) definitions.push(node.attrs.markdown)
  })
  const env: { references?: References } = {}
  if (definitions.length > 0) markdownIt.parse(definitions.join('\n\n'), env)
  return env.references ?? {}
}
