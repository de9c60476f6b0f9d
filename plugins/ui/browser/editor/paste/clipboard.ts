import { closeHistory } from 'prosemirror-history'
import { DOMSerializer, Fragment, Slice, type Mark, type Node, type ResolvedPos } from 'prosemirror-model'
import { Plugin, Selection, type EditorState, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { markdownChecks } from '../../../../../lib/rich-text/criteria/checks.ts'
import { parse, RichTextError, serialize } from '../../../../../lib/rich-text/index.ts'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import { isCell } from '../prose/commands.ts'
import { isCode } from './code.ts'
import { cleanHtml, plainTextOf, withStylesAsData } from './pasted-html.ts'

const { nodes } = schema

/** @param onLeftOut called with the number of addresses in a pasted text that cannot be stored */
export function makeClipboard(onLeftOut: (addresses: number) => void): Plugin {
  let literal: Slice | undefined
  /** The language of code from an editor that names it. */
  let language: string | undefined

  return new Plugin({
    props: {
      handleDOMEvents: {
        paste(_view, { clipboardData }) {
          literal = undefined
          language = languageIn(clipboardData)
        }
      },
      clipboardTextParser(text, $context, isPlain) {
        const plain = literalSlice(linesFor(text, $context), $context.marks())
        if (isPlain) return plain
        literal = plain
        return convertedSlice(text, $context, language) ?? plain
      },
      clipboardTextSerializer: textOf,
      transformPastedHTML(html) {
        const safe = withStylesAsData(html)
        const page = new DOMParser().parseFromString(safe, 'text/html')
        // The editor's own HTML contains all attributes.
        if (page.querySelector('[data-pm-slice]')) return safe
        const text = plainTextOf(page)
        if (text === undefined) return cleanHtml(page)
        const doc = isSource(text, language) ? codeOf(text, language) : parsed(text)
        if (!doc) return cleanHtml(page)
        literal = literalSlice(text, [])
        const copy = document.createElement('div')
        copy.append(DOMSerializer.fromSchema(schema).serializeFragment(doc.content))
        return copy.innerHTML
      },
      transformPasted({ content, openStart, openEnd }, { state }) {
        const leftOut = { addresses: 0 }
        const stored = storable(content, leftOut)
        if (leftOut.addresses > 0) onLeftOut(leftOut.addresses)
        return placed(new Slice(stored, openStart, openEnd), state.selection.$from)
      },
      handlePaste(view, _event, slice) {
        const before = literal
        literal = undefined
        if (!before || before.content.eq(slice.content)) return false
        pasteInSteps(view, before, slice)
        return true
      }
    }
  })
}

/** Undoing takes back the conversion first. */
function pasteInSteps(view: EditorView, literal: Slice, converted: Slice): void {
  const target = view.state.apply(pasting(view.state, converted))
  view.dispatch(closeHistory(pasting(view.state, literal)))
  const { doc } = view.state
  const start = doc.content.findDiffStart(target.doc.content)
  const end = doc.content.findDiffEnd(target.doc.content)
  if (start === null || end === null) return
  // Equal text around the difference may be counted on both sides.
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  const tr = view.state.tr.replace(start, end.a + overlap, target.doc.slice(start, end.b + overlap))
  tr.setSelection(Selection.fromJSON(tr.doc, target.selection.toJSON()))
  view.dispatch(closeHistory(tr).scrollIntoView())
}

function pasting({ tr }: EditorState, slice: Slice): Transaction {
  const { content, openStart, openEnd } = slice
  const single = openStart === 0 && openEnd === 0 && content.childCount === 1 ? content.firstChild : null
  const pasted = single ? tr.replaceSelectionWith(single, false) : tr.replaceSelection(slice)
  return pasted.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste')
}

/** Visual Studio Code adds the language of copied code. */
function languageIn(data: DataTransfer | null): string | undefined {
  const json = data?.getData('vscode-editor-data')
  if (!json) return undefined
  try {
    const { mode } = JSON.parse(json) as { mode?: unknown }
    return typeof mode === 'string' && /^[\w+#.-]+$/.test(mode) ? mode : undefined
  } catch {
    return undefined
  }
}

function isSource(text: string, language: string | undefined): boolean {
  if (!text.trim().includes('\n') || language === 'markdown') return false
  return (language !== undefined && language !== 'plaintext') || isCode(text)
}
const codeOf = (text: string, language = ''): Node =>
  nodes.doc.create(null, nodes.code_block.create({ params: language }, textNodes(text.replaceAll('\r\n', '\n'))))

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

/** A cell has one line. */
const linesFor = (text: string, { parent }: ResolvedPos): string =>
  isCell(parent.type.name) ? text.trim().split(LINE_ENDS).join(' ') : text

/** Undefined: as it is. */
function convertedSlice(text: string, $context: ResolvedPos, language: string | undefined): Slice | undefined {
  const lines = linesFor(text, $context)
  if (!isSource(lines, language)) return markdownSlice(lines, $context)
  return new Slice(codeOf(lines.replace(/^\n/, '').trimEnd(), language).content, 0, 0)
}

function literalSlice(text: string, marks: readonly Mark[]): Slice {
  const paragraphs = text.split(LINE_ENDS).map(line => nodes.paragraph.create(null, textNodes(line, marks)))
  return Slice.maxOpen(Fragment.from(paragraphs))
}
const textNodes = (text: string, marks?: readonly Mark[]): Node[] => (text === '' ? [] : [schema.text(text, marks)])

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

/** The first paragraph continues at the cursor; items go into its list, instead of an empty item. */
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

interface LeftOut {
  addresses: number
}
/** Removes the marks and nodes that the server refuses, such as links that run a script. Their text stays. */
function storable(fragment: Fragment, leftOut: LeftOut): Fragment {
  return Fragment.from(fragment.content.flatMap(node => storableNode(node, leftOut)))
}
function storableNode(node: Node, leftOut: LeftOut): Node[] {
  const marks = node.marks.filter(mark => isStorable(mark, leftOut))
  if (node.isText) return textNodes(node.text!.toWellFormed().replaceAll('\0', '\uFFFD'), marks)
  if (isStorable(node, leftOut)) return [node.mark(marks).copy(storable(node.content, leftOut))]
  const text = textNodes(String(node.attrs['alt'] ?? node.attrs['html'] ?? node.attrs['markdown'] ?? ''), marks)
  return node.isInline ? text : [nodes.paragraph.create(null, text)]
}
function isStorable({ type, attrs }: Node | Mark, leftOut: LeftOut): boolean {
  try {
    for (const [name, value] of Object.entries(attrs)) markdownChecks[`${type.name}.${name}`]?.(value)
    return true
  } catch {
    if (type === nodes.image || type === schema.marks.link) leftOut.addresses++
    return false
  }
}
