import type { Env, Token } from 'markdown-it'
import type { Attrs, Node, NodeType } from 'prosemirror-model'
import { checkSize } from '../limits.ts'
import { markdownIt, taskOf } from './markdown-it.ts'
import { readInline } from './parse-inline.ts'
import { schema } from '../schema.ts'

const { nodes } = schema
const { asciiTrim, unescapeAll } = markdownIt.utils

/** A document and the positions of its parts in its source. Lines count from 0. */
export interface Reading {
  doc: Node
  /** The first line of every block. */
  lines: number[]
  /** The line of the box of every task, in document order. */
  boxes: number[]
}

/** Link definitions, by their normalized labels. */
export type References = NonNullable<Env['references']>
const NO_REFERENCES: References = {}
interface ReadOptions {
  references?: References
  maxJsonBytes?: number | undefined
}

/** A byte order mark, which belongs to the file, not to its first line. */
export const BOM = '\uFEFF'

/** The last result: a text that was just written or stored is often parsed again. */
let lastReading: Reading | undefined

export function readCached(source: string): Reading {
  return lastReading?.doc.attrs.source === source ? lastReading : read(source)
}

/**
 * Parses markdown: CommonMark with GFM's tables, tasks, strikethrough and autolinks. Any text is valid; blocks beyond
 * `limits.depth` become literal text. `references` are link definitions of another text.
 * @throws {RichTextError} TOO_LARGE
 */
export function read(markdown: string, { references = NO_REFERENCES, maxJsonBytes }: ReadOptions = {}): Reading {
  checkSize(markdown, 'The markdown')
  // PostgreSQL's JSON can store neither; CommonMark replaces NUL with U+FFFD, too.
  const source = markdown.toWellFormed().replaceAll('\0', '\uFFFD')
  const lines: number[] = []
  const boxes: number[] = []
  const tree = new TreeBuilder({ source })

  // Inherited, not copied: this text's definitions must not be added to the others, and copying them takes too long.
  for (const token of markdownIt.parse(textOf(source), { references: Object.create(references) })) {
    if (token.level === 0 && token.nesting >= 0 && token.map) lines.push(token.map[0])
    const task = token.type === 'list_item_open' ? taskOf(token) : undefined
    if (task) boxes.push(task.line)
    const container = CONTAINERS[token.type]
    const leaf = LEAVES[token.type]
    if (container) tree.open(container, token)
    else if (leaf) tree.add(leaf(token))
    else if (token.type === 'inline') readInline(token.children ?? [], maxJsonBytes).forEach(node => tree.add(node))
    else if (/^(?:thead|tbody)_/.test(token.type)) continue
    else if (token.nesting === -1) tree.close()
    else throw new Error(`markdown-it made a token that has no node: ${token.type}`)
  }
  const reading = { doc: tree.finish(), lines, boxes }
  if (references === NO_REFERENCES) lastReading = reading
  return reading
}

/** The text for markdown-it, which would drop a last line of white space, although it is code in an open fence. */
export function textOf(source: string): string {
  const text = source.startsWith(BOM) ? source.slice(BOM.length) : source
  return /[\r\n][ \t]+$/.test(text) ? `${text}\n` : text
}

interface Container {
  type: NodeType
  attrs: Attrs | null
  content: Node[]
  /** True if no blank lines separate the list's paragraphs. */
  tight: boolean
}

const CONTAINERS: Record<string, { type: NodeType; attrs?: (token: Token) => Attrs | null }> = {
  paragraph_open: { type: nodes.paragraph },
  heading_open: { type: nodes.heading, attrs: token => ({ level: Number(token.tag.slice(1)) }) },
  blockquote_open: { type: nodes.blockquote },
  bullet_list_open: { type: nodes.bullet_list, attrs: token => ({ bullet: token.markup }) },
  ordered_list_open: {
    type: nodes.ordered_list,
    attrs: token => ({ order: Number(token.attrGet('start') ?? 1), delimiter: token.markup })
  },
  list_item_open: { type: nodes.list_item, attrs: token => ({ checked: taskOf(token)?.checked ?? null }) },
  table_open: { type: nodes.table },
  tr_open: { type: nodes.table_row },
  th_open: { type: nodes.table_header, attrs: alignment },
  td_open: { type: nodes.table_cell, attrs: alignment }
}

const LEAVES: Record<string, (token: Token) => Node> = {
  hr: () => nodes.horizontal_rule.create(),
  fence: codeBlock,
  code_block: codeBlock,
  html_block: token => nodes.html_block.create({ html: asciiTrim(token.content) }),
  reference_definition: token => nodes.link_definition.create({ markdown: token.content })
}

class TreeBuilder {
  readonly #open: Container[]

  constructor(attrs: Attrs) {
    this.#open = [{ type: nodes.doc, attrs, content: [], tight: true }]
  }

  open({ type, attrs }: { type: NodeType; attrs?: (token: Token) => Attrs | null }, token: Token) {
    const list = this.#open.at(-2)
    if (type === nodes.paragraph && list && !token.hidden) list.tight = false
    this.#open.push({ type, attrs: attrs?.(token) ?? null, content: [], tight: true })
  }

  add(node: Node) {
    this.#open.at(-1)?.content.push(node)
  }

  close() {
    const container = this.#open.pop()
    if (container) this.add(nodeOf(container))
  }

  finish(): Node {
    const [doc] = this.#open
    if (!doc || this.#open.length > 1) throw new Error('markdown-it left a block open')
    return nodeOf(doc)
  }
}

function nodeOf({ type, attrs, content, tight }: Container): Node {
  const isList = type === nodes.bullet_list || type === nodes.ordered_list
  const needsBlock = type === nodes.doc || type === nodes.list_item || type === nodes.blockquote
  return type.create(
    isList ? { ...attrs, tight } : attrs,
    needsBlock && content.length === 0 ? nodes.paragraph.create() : content
  )
}

function alignment(cell: Token): Attrs | null {
  const style = cell.attrGet('style')
  return style ? { align: style.toString().slice('text-align:'.length) } : null
}

/** Drops the line feed that ends the code; where all lines are blank, each is one line feed. */
function codeBlock({ info, content }: Token): Node {
  const code = /[^\n]/.test(content) ? content.replace(/\n$/, '') : content
  // A character reference can put a line end into the info string.
  const params = unescapeAll(info)
    .replace(/[\r\n]+/g, ' ')
    .trim()
  return nodes.code_block.create({ params }, code ? schema.text(code) : null)
}
