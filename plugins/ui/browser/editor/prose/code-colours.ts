import type { Node } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import { highlight, languageOf } from '../../highlight/highlight.ts'
import type { Span } from '../../highlight/messages.ts'

/** After the last change: until then, colours move with the text. */
const PAUSE_MS = 200
/** Above and below the window, in pixels: so far the colours are there before they are scrolled to. */
const MARGIN = 50

interface Colours {
  readonly text: string
  readonly spans: readonly Span[]
}
interface ColouredRange {
  readonly block: number
  readonly colour: string
  readonly range: Range
}

/** The browser works for each range of the CSS Custom Highlight API with each key: only code on the screen has some. */
export class Colouring {
  readonly #view: EditorView
  /** The colours of each block; until new ones are known, the colours of its former text. */
  readonly #colours = new WeakMap<Node, Colours>()
  readonly #requested = new WeakSet<Node>()
  #blocks: readonly Node[]
  #ranges: readonly ColouredRange[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #frame: number | undefined

  constructor(view: EditorView) {
    this.#view = view
    this.#blocks = codeBlocksOf(view.state.doc)
    window.addEventListener('scroll', this.#paintLater, { capture: true, passive: true })
    window.addEventListener('resize', this.#paintLater)
    this.#highlightLater(0)
  }

  update(before: EditorState): void {
    const { doc } = this.#view.state
    if (doc === before.doc) return
    const blocks = codeBlocksOf(doc)
    if (blocks.length === 0 && this.#blocks.length === 0) return
    const areOthers = this.#inherit(this.#blocks, blocks)
    this.#blocks = blocks
    // The browser collapses the ranges of a text that was replaced.
    if (areOthers || this.#ranges.some(({ range }) => range.collapsed)) this.#paintLater()
    this.#highlightLater(PAUSE_MS)
  }

  destroy(): void {
    clearTimeout(this.#timer)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    window.removeEventListener('scroll', this.#paintLater, { capture: true })
    window.removeEventListener('resize', this.#paintLater)
    this.#clear()
  }

  /** @returns true if blocks were added, were removed, or have a former text again */
  #inherit(before: readonly Node[], blocks: readonly Node[]): boolean {
    if (before.length !== blocks.length) return true
    let areOthers = false
    for (const [n, block] of blocks.entries()) {
      if (block === before[n]) continue
      const colours = this.#colours.get(before[n]!)
      if (this.#colours.has(block)) areOthers = true
      else if (colours) this.#colours.set(block, colours)
    }
    return areOthers
  }

  #highlightLater(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#highlight(), ms)
  }

  #highlight(): void {
    // A change may have brought known code into view.
    this.#paintLater()
    for (const block of this.#blocks) {
      if (this.#requested.has(block)) continue
      this.#requested.add(block)
      const text = block.textContent
      highlight(text, languageOf(block.attrs['params'])).then(answer => {
        const spans = joined(answer, text)
        const former = this.#spansOf(block, text)
        this.#colours.set(block, { text, spans })
        if (!areSame(spans, former) && !this.#view.isDestroyed) this.#paintLater()
      })
    }
  }

  /** Before the next frame is shown, in which elements have their places. */
  readonly #paintLater = (): void => {
    if (this.#blocks.length === 0 && this.#ranges.length === 0) return
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#paint()
    })
  }

  /** Ranges that are right stay: the browser paints a block again when one of its ranges is made or removed. */
  #paint(): void {
    const before = this.#ranges
    const named = new Map(before.map(each => [nameOf(each), each]))
    const ranges = new Set<ColouredRange>()
    for (const { block, text, from, to, colour } of this.#onScreen()) {
      const known = named.get(`${block} ${from} ${to} ${colour}`)
      ranges.add(known?.range.startContainer === text ? known : colourRange(block, colour, text, from, to))
    }
    for (const each of before) if (!ranges.has(each)) removeRange(each)
    this.#ranges = [...ranges]
  }

  /** Undefined: they are not known. */
  #spansOf(block: Node, text: string): readonly Span[] | undefined {
    const colours = this.#colours.get(block)
    return colours && movedSpans(colours.spans, colours.text, text)
  }

  #onScreen() {
    const elements = this.#view.dom.querySelectorAll('pre > code')
    return this.#blocks.flatMap((node, block) => {
      const element = elements[block]
      if (!element || !isOnScreen(element)) return []
      const text = element.firstChild
      // With the mark of an upload in it, the element has several nodes.
      if (!(text instanceof Text) || text.data !== node.textContent) return []
      const spans = this.#spansOf(node, text.data) ?? []
      return spansOnScreen(spans, text).map(span => ({ ...span, block, text }))
    })
  }

  #clear(): void {
    for (const each of this.#ranges) removeRange(each)
    this.#ranges = []
  }
}

function colourRange(block: number, colour: string, text: Text, from: number, to: number): ColouredRange {
  const range = document.createRange()
  range.setStart(text, from)
  range.setEnd(text, to)
  highlightOf(colour)?.add(range)
  return { block, colour, range }
}

function removeRange({ colour, range }: ColouredRange): void {
  highlightOf(colour)?.delete(range)
}

const nameOf = ({ block, colour, range }: ColouredRange): string =>
  `${block} ${range.startOffset} ${range.endOffset} ${colour}`

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom >= -MARGIN && top <= innerHeight + MARGIN
}

/** All editors of the page share them. Undefined: the browser has none. */
function highlightOf(colour: string): Highlight | undefined {
  if (!('highlights' in CSS)) return undefined
  const name = `code-${colour}`
  const known = CSS.highlights.get(name)
  const highlight = known ?? new Highlight()
  if (!known) CSS.highlights.set(name, highlight)
  return highlight
}

function codeBlocksOf(doc: Node): Node[] {
  const blocks: Node[] = []
  doc.descendants(node => {
    if (node.type === schema.nodes.code_block) blocks.push(node)
    return !node.isTextblock && node.type !== schema.nodes.table
  })
  return blocks
}

/** Words of one colour that only white space separates are one span. */
function joined(spans: readonly Span[], text: string): Span[] {
  const all: Span[] = []
  for (const span of spans) {
    const last = all.at(-1)
    if (last?.colour === span.colour && text.slice(last.to, span.from).trim() === '') last.to = span.to
    else all.push({ ...span })
  }
  return all
}

function areSame(spans: readonly Span[], others: readonly Span[] = []): boolean {
  const isSame = ({ from, to, colour }: Span, n: number) =>
    from === others[n]!.from && to === others[n]!.to && colour === others[n]!.colour
  return spans.length === others.length && spans.every(isSame)
}

function movedSpans(spans: readonly Span[], before: string, after: string): readonly Span[] {
  if (before === after) return spans
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let rest = 0
  while (rest < shorter - start && before.at(-1 - rest) === after.at(-1 - rest)) rest++
  const [end, added] = [before.length - rest, after.length - before.length]
  const moved = (at: number) => (at <= start ? at : at >= end ? at + added : start)
  return spans
    .map(({ from, to, colour }) => ({ from: moved(from), to: moved(to), colour }))
    .filter(({ from, to }) => from < to)
}

function spansOnScreen(spans: readonly Span[], text: Text): readonly Span[] {
  const range = document.createRange()
  const bottomOf = (at: number) => {
    range.setStart(text, at)
    range.setEnd(text, at + 1)
    return range.getBoundingClientRect().bottom
  }
  const from = firstIndex(spans, ({ to }) => bottomOf(to - 1) >= -MARGIN)
  const to = firstIndex(spans, ({ from }) => bottomOf(from) >= innerHeight + MARGIN)
  return spans.slice(from, to)
}

/** The place of the first of some sorted values that has a property, as all after it do. */
function firstIndex<T>(values: readonly T[], has: (value: T) => boolean): number {
  let [from, to] = [0, values.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (has(values[middle]!)) to = middle
    else from = middle + 1
  }
  return from
}
