import type { NodeJson } from '../../../../lib/rich-text/index.ts'
import { withDetails } from './details.ts'
import { withoutDefinitions, type Definitions } from './footnotes.ts'

/*
 * `<details>`, callouts and footnotes, as on GitHub. A stored document has no nodes for them: they are made of its raw
 * HTML, quotes and text, only to be displayed. The additional nodes are `details` (`isOpen`, `summary`), `callout`
 * (`kind`), `markdown` (`text`) and `footnote_reference` (`n`, `nth`); `task` of a list item is the criterion's number,
 * `item` its own among all list items.
 */

export interface Footnote {
  n: number
  content: NodeJson[]
  references: number
}
interface DisplayDocument {
  blocks: NodeJson[]
  footnotes: Footnote[]
}

export function displayDocument(doc: NodeJson): DisplayDocument {
  const definitions: Definitions = new Map()
  const content = withoutDefinitions(doc.content ?? [], definitions)
  const display = new Display(definitions)
  const blocks = display.blocks(content)
  return { blocks, footnotes: display.footnotes() }
}

const CALLOUT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i
/** A label has no bracket: the search would take the square of the length of `[^[^[^…`. */
const REFERENCE = /\[\^([^[\]\s]+)\]/g

class Display {
  readonly #definitions: Definitions
  readonly #footnotes = new Map<string, Footnote>()
  #tasks = 0
  #items = 0

  constructor(definitions: Definitions) {
    this.#definitions = definitions
  }

  blocks(nodes: readonly NodeJson[]): NodeJson[] {
    return withDetails(nodes).map(node => this.#block(node))
  }

  /** Footnotes without a reference are last, so that no text is lost. */
  footnotes(): Footnote[] {
    // The loop reaches entries that are added meanwhile: the footnotes that a footnote refers to.
    for (const footnote of this.#footnotes.values()) footnote.content = this.#inlines(footnote.content)
    for (const label of this.#definitions.keys()) this.#footnote(label)
    for (const footnote of this.#footnotes.values()) footnote.content = this.#inlines(footnote.content)
    return [...this.#footnotes.values()]
  }

  #footnote(label: string): Footnote | undefined {
    const content = this.#definitions.get(label)
    if (!content) return undefined
    const footnote = this.#footnotes.get(label) ?? { n: this.#footnotes.size + 1, content, references: 0 }
    this.#footnotes.set(label, footnote)
    return footnote
  }

  #block(node: NodeJson): NodeJson {
    const { type, attrs, content } = node
    if (content === undefined) return node
    switch (type) {
      case 'code_block':
        return node
      case 'paragraph':
      case 'heading':
      case 'table_header':
      case 'table_cell':
        return { ...node, content: this.#inlines(content) }
      case 'blockquote':
        return this.#quote(content)
      case 'details':
        return { ...node, content: content.map(child => this.#block(child)) }
      case 'list_item': {
        const task = attrs?.['checked'] != null && hasText(content[0]) ? ++this.#tasks : 0
        const item = ++this.#items
        return { ...node, attrs: { ...attrs, task, item }, content: this.blocks(content) }
      }
      default:
        return { ...node, content: this.blocks(content) }
    }
  }

  #quote(content: NodeJson[]): NodeJson {
    const callout = calloutOf(content)
    if (!callout) return { type: 'blockquote', content: this.blocks(content) }
    return { type: 'callout', attrs: { kind: callout.kind }, content: this.blocks(callout.content) }
  }

  #inlines(nodes: readonly NodeJson[]): NodeJson[] {
    return nodes.flatMap(node => (isPlainText(node) ? this.#references(node) : [node]))
  }

  #references(node: NodeJson): NodeJson[] {
    const { text = '' } = node
    const parts: NodeJson[] = []
    let at = 0
    for (const { 0: source, 1: label, index } of text.matchAll(REFERENCE)) {
      const footnote = this.#footnote(label!.toLowerCase())
      if (!footnote) continue
      if (index > at) parts.push({ ...node, text: text.slice(at, index) })
      const attrs = { n: footnote.n, nth: ++footnote.references }
      parts.push({ ...node, type: 'footnote_reference', text: source, attrs })
      at = index + source.length
    }
    return at < text.length ? [...parts, { ...node, text: text.slice(at) }] : parts
  }
}

/** True for text that can contain links: it is neither code nor a link. */
export const isPlainText = ({ type, marks = [] }: NodeJson): boolean =>
  type === 'text' && !marks.some(({ type }) => type === 'code' || type === 'link')

/** A box without text is no criterion, and is not counted. */
function hasText(node: NodeJson | undefined): boolean {
  if (node === undefined) return false
  if (node.text?.trim()) return true
  return node.content?.some(hasText) ?? node.type === 'image'
}

/** A quote whose first line is `[!NOTE]`, if there is more. */
function calloutOf([first, ...rest]: NodeJson[]): { kind: string; content: NodeJson[] } | undefined {
  const [line, ...inlines] = first?.content ?? []
  if (first?.type !== 'paragraph' || line?.type !== 'text' || line.marks?.length) return undefined
  const match = CALLOUT.exec(line.text!)
  if (!match) return undefined
  const text = line.text!.slice(match[0].length)
  if (text !== '') inlines.unshift({ ...line, text })
  else if (inlines[0]?.type === 'hard_break') inlines.shift()
  else if (inlines.length > 0 && !match[0].endsWith('\n')) return undefined
  const content = inlines.length > 0 ? [{ ...first, content: inlines }, ...rest] : rest
  return content.length > 0 ? { kind: match[1]!.toLowerCase(), content } : undefined
}
