import type { Node } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import { highlight, languageOf } from '../../highlight/highlight.ts'
import type { Span } from '../../highlight/messages.ts'

/** After the last change: until then, colours move with the text. */
const PAUSE_MS = 200
/** Above and below the window, in pixels: so far the colours are there before they are scrolled to. */
const MARGIN = 200

/**
 * Colours the code of an editor with the CSS Custom Highlight API: the document and its elements stay as they are. The
 * browser moves the ranges with the typed text, and works for each of them with each key: only code on the screen has
 * some. A browser without the API shows plain code.
 */
export class Colouring {
  readonly #view: EditorView
  /** The colours of each block, until new ones are known those of the text before, moved. */
  readonly #spans = new WeakMap<Node, readonly Span[]>()
  /** The blocks whose colours were asked for. */
  readonly #asked = new WeakSet<Node>()
  #blocks: readonly Node[]
  #ranges: Array<readonly [colour: string, range: Range]> = []
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
    this.#move(this.#blocks, blocks)
    this.#blocks = blocks
    // So the browser leaves ranges of a text that was replaced.
    if (this.#ranges.some(([, { collapsed }]) => collapsed)) this.#paintLater()
    this.#highlightLater(PAUSE_MS)
  }

  destroy(): void {
    clearTimeout(this.#timer)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    window.removeEventListener('scroll', this.#paintLater, { capture: true })
    window.removeEventListener('resize', this.#paintLater)
    this.#clear()
  }

  /** Gives a changed block the colours that it had. */
  #move(before: readonly Node[], blocks: readonly Node[]): void {
    if (before.length !== blocks.length) return
    for (const [n, block] of blocks.entries()) {
      const spans = block === before[n] || this.#spans.has(block) ? undefined : this.#spans.get(before[n]!)
      if (spans) this.#spans.set(block, movedSpans(spans, before[n]!.textContent, block.textContent))
    }
  }

  #highlightLater(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#highlight(), ms)
  }

  #highlight(): void {
    this.#paintLater()
    for (const block of this.#blocks) {
      if (this.#asked.has(block)) continue
      this.#asked.add(block)
      highlight(block.textContent, languageOf(block.attrs['params'])).then(spans => {
        this.#spans.set(block, spans)
        if (!this.#view.isDestroyed) this.#paintLater()
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

  #paint(): void {
    this.#clear()
    const elements = this.#view.dom.querySelectorAll('pre > code')
    for (const [n, block] of this.#blocks.entries()) {
      const [spans, element] = [this.#spans.get(block), elements[n]]
      if (!spans || !element || !isOnScreen(element)) continue
      const text = element.firstChild
      // With the place of a file in it, it has several parts.
      if (!(text instanceof Text) || text.data !== block.textContent) continue
      for (const { from, to, colour } of spansOnScreen(spans, text)) {
        this.#add(colour, text, from, to)
      }
    }
  }

  #add(colour: string, text: Text, from: number, to: number): void {
    const range = document.createRange()
    range.setStart(text, from)
    range.setEnd(text, to)
    highlightOf(colour)?.add(range)
    this.#ranges.push([colour, range])
  }

  #clear(): void {
    for (const [colour, range] of this.#ranges) highlightOf(colour)?.delete(range)
    this.#ranges = []
  }
}

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

/** The colours of a text after a change of a part of it. */
function movedSpans(spans: readonly Span[], before: string, after: string): Span[] {
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
