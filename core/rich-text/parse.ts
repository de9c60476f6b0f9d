import type { Env, Token } from 'markdown-it'
import type { Attrs, Node, NodeType } from 'prosemirror-model'
import { checkSize } from './limits.ts'
import { markdownIt, taskOf } from './markdown-it.ts'
import { readInline } from './parse-inline.ts'
import { schema } from './schema.ts'

const { nodes } = schema
const { asciiTrim, unescapeAll } = markdownIt.utils

/** A document and where its parts stand in its source. Lines count from 0. */
export interface Reading {
  doc: Node
  /** The first line of every block of the document. */
  lines: number[]
  /** The line of the box of every task, in document order. */
  boxes: number[]
}

/** Link definitions, by their normalized labels. */
export type References = NonNullable<Env['references']>
const none: References = {}

/** The last reading, because what was just written or stored is soon asked about again. */
let last: Reading | undefined

/** The reading of `source`; no second one, where the same text was read just before. */
export function reread(source: string): Reading {
  return last?.doc.attrs.source === source ? last : read(source)
}

interface Container {
  type: NodeType
  attrs: Attrs | null
  content: Node[]
  /** Of a list: no paragraph stands apart in it. */
  tight: boolean
}

/**
 * Reads markdown: CommonMark with GFM's tables, tasks, strikethrough and autolinks. Any text is valid; what nests
 * deeper than `limits.depth` is read as literal text. `references` are definitions that stand elsewhere.
 * @throws {RichTextError} TOO_LARGE
 */
export function read(markdown: string, references = none): Reading {
  checkSize(markdown, 'The markdown')
  // JSON in a database holds neither; U+FFFD is what CommonMark puts in the place of NUL.
  const source = markdown.toWellFormed().replaceAll('\0', '\uFFFD')
  const lines: number[] = []
  const boxes: number[] = []
  const open: Container[] = [{ type: nodes.doc, attrs: { source }, content: [], tight: true }]

  function start(type: NodeType, attrs: Attrs | null = null) {
    open.push({ type, attrs, content: [], tight: true })
  }

  function add(node: Node) {
    open.at(-1)?.content.push(node)
  }

  function end() {
    const container = open.pop()
    if (container) add(finish(container))
  }

  for (const token of markdownIt.parse(source, { references: { ...references } })) {
    if (token.level === 0 && token.nesting >= 0 && token.map) lines.push(token.map[0])
    switch (token.type) {
      case 'paragraph_open': {
        const list = open.at(-2)
        if (list && !token.hidden) list.tight = false
        start(nodes.paragraph)
        break
      }
      case 'heading_open':
        start(nodes.heading, { level: Number(token.tag.slice(1)) })
        break
      case 'blockquote_open':
        start(nodes.blockquote)
        break
      case 'bullet_list_open':
        start(nodes.bullet_list, { bullet: token.markup })
        break
      case 'ordered_list_open':
        start(nodes.ordered_list, { order: Number(token.attrGet('start') ?? 1), delimiter: token.markup })
        break
      case 'list_item_open': {
        const task = taskOf(token)
        if (task) boxes.push(task.line)
        start(nodes.list_item, task ? { checked: task.checked } : null)
        break
      }
      case 'table_open':
        start(nodes.table)
        break
      case 'tr_open':
        start(nodes.table_row)
        break
      case 'th_open':
        start(nodes.table_header, alignment(token))
        break
      case 'td_open':
        start(nodes.table_cell, alignment(token))
        break
      case 'inline':
        readInline(token.children ?? []).forEach(add)
        break
      case 'hr':
        add(nodes.horizontal_rule.create())
        break
      case 'fence':
      case 'code_block':
        add(codeBlock(token))
        break
      case 'html_block':
        add(nodes.html_block.create({ html: asciiTrim(token.content) }))
        break
      case 'reference_definition':
        add(nodes.link_definition.create({ markdown: token.content }))
        break
      case 'thead_open':
      case 'thead_close':
      case 'tbody_open':
      case 'tbody_close':
        break
      default:
        if (token.nesting !== -1) throw new Error(`markdown-it made a token that has no node: ${token.type}`)
        end()
    }
  }
  const [doc] = open
  if (!doc || open.length > 1) throw new Error('markdown-it left a block open')
  const reading = { doc: finish(doc), lines, boxes }
  if (references === none) last = reading
  return reading
}

function finish({ type, attrs, content, tight }: Container): Node {
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

/** The line feed that ends the code, which a fence left open lacks, goes; where all lines are blank, each is one line feed. */
function codeBlock({ info, content }: Token): Node {
  const code = /[^\n]/.test(content) ? content.replace(/\n$/, '') : content
  return nodes.code_block.create({ params: unescapeAll(info).trim() }, code ? schema.text(code) : null)
}
