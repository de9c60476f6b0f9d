import { DOMSerializer, Fragment, Slice, type Mark, type Node, type ResolvedPos } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { markdownChecks } from '../../../../../lib/rich-text/criteria/checks.ts'
import { parse, RichTextError, serialize } from '../../../../../lib/rich-text/index.ts'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import { isCell } from '../prose/commands.ts'
import { cleanHtml, plainTextOf, withStylesAsData } from './pasted-html.ts'

const { nodes } = schema

/** Pasting makes a document that can be stored, and copying makes Markdown for programs that take text. */
export const clipboard = new Plugin({
  props: {
    clipboardTextParser: sliceOf,
    clipboardTextSerializer: textOf,
    transformPastedHTML(html) {
      const safe = withStylesAsData(html)
      const page = new DOMParser().parseFromString(safe, 'text/html')
      // The editor's own HTML contains all attributes.
      if (page.querySelector('[data-pm-slice]')) return safe
      const text = plainTextOf(page)
      const doc = text === undefined ? undefined : parsed(text)
      if (!doc) return cleanHtml(page)
      const copy = document.createElement('div')
      copy.append(DOMSerializer.fromSchema(schema).serializeFragment(doc.content))
      return copy.innerHTML
    },
    transformPasted: ({ content, openStart, openEnd }, { state }) =>
      placed(new Slice(storable(content), openStart, openEnd), state.selection.$from)
  }
})

/** Undefined: it is too large for Markdown. */
function parsed(text: string): Node | undefined {
  try {
    return parse(text.replaceAll('\r\n', '\n'))
  } catch (error) {
    if (error instanceof RichTextError) return undefined
    throw error
  }
}

const LINE_ENDS = /[\r\n]+/

/** A pasted text: as Markdown, or as it is. */
function sliceOf(text: string, $context: ResolvedPos, isPlain: boolean): Slice {
  const { parent } = $context
  // A cell has one line.
  const lines = isCell(parent.type.name) ? text.trim().split(LINE_ENDS).join(' ') : text
  return (isPlain ? undefined : markdownSlice(lines, $context)) ?? literalSlice(lines, $context.marks())
}

function literalSlice(text: string, marks: readonly Mark[]): Slice {
  const paragraphs = text.split(LINE_ENDS).map(line => nodes.paragraph.create(null, textNodes(line, marks)))
  return Slice.maxOpen(Fragment.from(paragraphs))
}
const textNodes = (text: string, marks?: readonly Mark[]): Node[] => (text === '' ? [] : [schema.text(text, marks)])

/** Undefined for plain text. */
function markdownSlice(text: string, $context: ResolvedPos): Slice | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const isLine = !/[\r\n]/.test(trimmed)
  const doc = parsed(isLine ? trimmed : text)
  const first = doc?.firstChild
  if (!doc || !first) return undefined
  if (isLine && first.type === nodes.paragraph) {
    // It may be a part of a sentence, whose spaces count.
    const [before = '', after = ''] = text.split(trimmed, 2).map(space => space.replaceAll(/[\r\n]/g, ''))
    const content = [...textNodes(before), ...first.children, ...textNodes(after)]
    return new Slice(Fragment.from(nodes.paragraph.create(null, content)), 1, 1)
  }
  const isInText = $context.parent.content.size > 0 || isCell($context.parent.type.name)
  return isLine && isInText ? undefined : Slice.maxOpen(doc.content)
}

/**
 * A pasted part of a line, or a first paragraph, continues at the cursor; other content begins a block. Items go into
 * the list at the cursor, instead of an empty item.
 */
function placed(slice: Slice, $from: ResolvedPos): Slice {
  const { content, openEnd } = slice
  const [first, { parent }] = [content.firstChild, $from]
  if (!first?.isBlock || parent.type.spec.code || isCell(parent.type.name)) return slice
  const isInText = parent.content.size > 0
  const isList = first.firstChild?.type === nodes.list_item
  const isSeveral = content.childCount > 1 || (isList && first.childCount > 1)
  if (isList && content.childCount === 1 && $from.node(-1)?.type === nodes.list_item && (isSeveral || !isInText)) {
    return new Slice(first.content, 0, 0)
  }
  if (!isSeveral || !isInText || first.type === nodes.paragraph) return slice
  return new Slice(content, 0, content.lastChild!.type === nodes.paragraph ? openEnd : 0)
}

/** The text of a part of one line; otherwise the Markdown. */
function textOf({ content, openStart, openEnd }: Slice): string {
  let inside = content
  for (let depth = Math.min(openStart, openEnd); depth > 0 && inside.childCount === 1; depth--) {
    const node = inside.firstChild!
    if (node.isTextblock) return node.textBetween(0, node.content.size, undefined, leaf => leafText(leaf))
    inside = node.content
  }
  const blocks = content.firstChild?.isInline ? nodes.paragraph.create(null, content) : content
  return serialize(nodes.doc.create(null, blocks))
}
const leafText = ({ type, attrs }: Node): string =>
  type === nodes.hard_break ? '\n' : String(attrs['alt'] ?? attrs['html'] ?? '')

/** Removes the marks and nodes that the server refuses, such as links that run a script. Their text stays. */
function storable(fragment: Fragment): Fragment {
  return Fragment.from(fragment.content.flatMap(node => storableNode(node)))
}
function storableNode(node: Node): Node[] {
  const marks = node.marks.filter(isStorable)
  if (node.isText) return textNodes(node.text!.toWellFormed().replaceAll('\0', '\uFFFD'), marks)
  if (isStorable(node)) return [node.mark(marks).copy(storable(node.content))]
  const text = textNodes(String(node.attrs['alt'] ?? node.attrs['html'] ?? node.attrs['markdown'] ?? ''), marks)
  return node.isInline ? text : [nodes.paragraph.create(null, text)]
}
function isStorable({ type, attrs }: Node | Mark): boolean {
  try {
    for (const [name, value] of Object.entries(attrs)) markdownChecks[`${type.name}.${name}`]?.(value)
    return true
  } catch {
    return false
  }
}
