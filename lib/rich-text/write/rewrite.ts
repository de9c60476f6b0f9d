import type { Node } from 'prosemirror-model'
import { keepTables } from './keep-table.ts'
import { render } from './render.ts'
import { checkSize } from '../limits.ts'
import { markdownIt } from '../read/markdown-it.ts'
import { BOM, read } from '../read/parse.ts'
import type { References } from '../read/parse.ts'
import { schema } from '../schema.ts'
import { blocksOf, checkTables } from '../shape.ts'
import { align, tickBoxes } from '../read/source.ts'
import type { Origin, SplitSource } from '../read/source.ts'
import { isList, markerOf, ownMarkerOf, writeBlock } from './write.ts'
import type { Caution } from './write-inline.ts'

/** The first repair can restore a link definition, which changes the meaning of blocks that seemed right. */
const MAX_REPAIRS = 2

/**
 * Markdown for a document whose source no longer matches its nodes. Unchanged blocks keep their bytes; the others are
 * written with few escapes. The text is parsed again, and blocks that do not match their nodes are tried with their own
 * bytes first, then with more and more escapes. Every block is parsed a fixed number of times, so the work is linear.
 * @throws {RichTextError} TOO_LARGE
 */
export function rewrite(doc: Node, source: SplitSource): string {
  checkTables(doc)
  const rewriter = new Rewriter(doc, source)
  let forms = rewriter.draft()
  let text = rewriter.textOf(forms)
  let wrong = rewriter.difference(text)
  for (let repairs = 0; wrong && repairs < MAX_REPAIRS; repairs++) {
    forms = rewriter.repair(forms, wrong)
    text = rewriter.textOf(forms)
    const still = rewriter.difference(text)
    wrong = still && { from: Math.min(wrong.from, still.from), to: Math.max(wrong.to, still.to) }
  }
  return wrong ? rewriter.textOf(rewriter.escapeAll(forms, wrong)) : text
}

interface Form {
  text: string
  /** The marker of its items, if it is a list. */
  marker: string
  /** The text between it and the block before it. */
  gap: string
}

/** Blocks of a document, without the last. */
interface Range {
  from: number
  to: number
}

class Rewriter {
  readonly #blocks: Node[]
  readonly #source: SplitSource
  readonly #origins: Array<Origin | null>
  /** The bytes of each block in the source, with its boxes ticked; undefined for a new block. */
  readonly #kept: Array<string | undefined>
  /** The changed tables, with the bytes of what is unchanged in them. */
  readonly #tables: ReadonlyMap<number, string>
  readonly #references: References
  readonly #blankLine: string

  constructor(doc: Node, source: SplitSource) {
    this.#blocks = blocksOf(doc)
    this.#source = source
    this.#origins = align(source.blocks, this.#blocks)
    this.#kept = this.#blocks.map((block, i) => {
      const origin = this.#origins[i]
      const slice = origin ? source.slices[origin.index] : undefined
      return slice === undefined || origin?.same ? slice : tickBoxes(slice, block)
    })
    this.#tables = keepTables(this.#blocks, this.#origins, source)
    this.#references = referencesOf(doc)
    this.#blankLine = source.lineEnd + source.lineEnd
  }

  /** Every block as in the source, or else with few escapes. */
  draft(): Form[] {
    const forms: Form[] = []
    for (const i of this.#blocks.keys()) {
      const form = this.#keptForm(i) ?? this.#tableForm(i)
      forms.push(form ?? this.#writtenForm(i, 0, forms[i - 1], this.#gapBefore(i)))
    }
    return forms
  }

  /** Gives each block of the range its first form that is parsed as this block, after the one before it. */
  repair(draft: Form[], { from, to }: Range): Form[] {
    const forms = [...draft]
    let before = draft[from - 1]
    for (let i = from; i <= to && i < this.#blocks.length; i++) {
      // If nothing fits, the block before may be the reason.
      const fitting = this.#firstFitting(i, forms[i - 1], before) ?? this.#firstFitting(i, forms[i - 1], undefined)
      forms[i] = fitting ?? this.#writtenForm(i, 2, forms[i - 1])
      before = fitting
    }
    return forms
  }

  escapeAll(draft: Form[], { from, to }: Range): Form[] {
    const forms = [...draft]
    for (let i = from; i < to; i++) forms[i] = this.#writtenForm(i, 2, forms[i - 1])
    const after = forms[to]
    if (after) forms[to] = { ...after, gap: this.#blankLine }
    return forms
  }

  textOf(forms: Form[]): string {
    const text = forms.map(({ text, gap }, i) => (i > 0 ? gap + text : text)).join('')
    const { lead } = this.#source
    // Without a line feed before it, the first character of the text could be taken for a byte order mark.
    const start = lead === '' && text.startsWith(BOM) ? `&#65279;${text.slice(BOM.length)}` : lead + text
    const whole = text && start + this.#tail
    checkSize(whole, 'The markdown of the document')
    return whole
  }

  /** The range of blocks that `text` is not parsed as; null when it matches all of them. */
  difference(text: string): Range | null {
    const blocks = this.#blocks
    const back = blocksOf(read(text).doc)
    const most = Math.min(blocks.length, back.length)
    let from = 0
    while (from < most && isEquivalent(blocks[from]!, back[from]!)) from++
    if (from === blocks.length && from === back.length) return null
    let end = 0
    while (end < most - from && isEquivalent(blocks.at(-1 - end)!, back.at(-1 - end)!)) end++
    // A superfluous block comes from one of its neighbours; a missing one may be part of the one before it.
    return {
      from: Math.max(0, Math.min(from, blocks.length - end) - 1),
      to: Math.max(blocks.length - end, Math.min(from + 1, blocks.length))
    }
  }

  /** The first form of a block that is parsed as this block, also after `before`, if given. */
  #firstFitting(i: number, previous: Form | undefined, before: Form | undefined): Form | undefined {
    const gaps = new Set(
      before || this.#hasNeighbourBefore(i) ? [this.#gapBefore(i), this.#blankLine] : [this.#blankLine]
    )
    for (const form of this.#forms(i, previous)) {
      const gap = gaps.values().find(gap => this.#fits(i, form.text, before && before.text + gap))
      if (gap !== undefined) return { ...form, gap }
    }
  }

  /** The forms of a block, in the order of preference. */
  *#forms(i: number, previous: Form | undefined): Generator<Form> {
    const sourceForm = this.#keptForm(i)
    if (sourceForm) yield sourceForm
    const tableForm = this.#tableForm(i)
    if (tableForm) yield tableForm
    yield this.#writtenForm(i, 0, previous)
    yield this.#writtenForm(i, 1, previous)
    yield this.#writtenForm(i, 2, previous)
  }

  #keptForm(i: number): Form | undefined {
    const text = this.#kept[i]
    return text === undefined ? undefined : { text, marker: this.#keptMarker(i), gap: this.#gapBefore(i) }
  }

  #tableForm(i: number): Form | undefined {
    const text = this.#tables.get(i)
    return text === undefined ? undefined : { text, marker: '', gap: this.#gapBefore(i) }
  }

  #writtenForm(i: number, caution: Caution, previous: Form | undefined, gap = this.#blankLine): Form {
    const block = this.#blocks[i]!
    const marker = isList(block) ? markerOf(block, previous?.marker ?? '', this.#keptMarker(i + 1)) : ''
    const text = writeBlock(block, caution, marker).join('\n').replaceAll('\n', this.#source.lineEnd)
    return { text, marker, gap }
  }

  /** The marker of a list's items in the source; none for another block, or a new one. */
  #keptMarker(i: number): string {
    const block = this.#blocks[i]
    return block && isList(block) && this.#kept[i] !== undefined ? ownMarkerOf(block) : ''
  }

  /** True if `text` is parsed as the block whatever text follows, and `before` as the block before it. */
  #fits(i: number, text: string, before: string | undefined): boolean {
    const isLast = i === this.#blocks.length - 1
    const after = isLast ? this.#tail : '\n\nend'
    const expected = this.#blocks.slice(before === undefined ? i : i - 1, i + 1)
    // The line feed keeps a byte order mark from starting the text.
    const back = blocksOf(read(`\n${before ?? ''}${text}${after}`, { references: this.#references }).doc)
    return (
      back.length === expected.length + (isLast ? 0 : 1) && expected.every((block, n) => isEquivalent(block, back[n]!))
    )
  }

  /** The text between a block and the one before it: that of the source, else a blank line. */
  #gapBefore(i: number): string {
    const { gaps } = this.#source
    const [before, after] = [this.#origins[i - 1]?.index, this.#origins[i]?.index]
    const place = after !== undefined && after > 0 ? after - 1 : before
    return place === undefined || place === gaps.length - 1 ? this.#blankLine : gaps[place]!
  }

  /** True if the block before a block also preceded it in the source. */
  #hasNeighbourBefore(i: number): boolean {
    const [before, after] = [this.#origins[i - 1]?.index, this.#origins[i]?.index]
    return before !== undefined && before + 1 === after
  }

  get #tail(): string {
    return this.#source.gaps.at(-1) ?? ''
  }
}

function isEquivalent(block: Node, other: Node): boolean {
  return block.eq(other) || render(block) === render(other)
}

function referencesOf(doc: Node): References {
  const definitions: string[] = []
  doc.descendants(node => {
    if (node.type === schema.nodes.link_definition) definitions.push(node.attrs.markdown)
  })
  const env: { references?: References } = {}
  if (definitions.length > 0) markdownIt.parse(definitions.join('\n\n'), env)
  return env.references ?? {}
}
