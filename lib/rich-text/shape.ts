import type { Mark, Node } from 'prosemirror-model'
import { MAX_MISSING_CELLS, RichTextError } from './limits.ts'
import { markdownIt } from './read/markdown-it.ts'
import { schema } from './schema.ts'

/*
 * The normalized form of a document: without differences that markdown cannot express and readers do not see, such as
 * empty paragraphs, white space at the ends of a text, marks around white space only, rows of different lengths.
 * Markdown and HTML are both made from it, so that one can be checked against the other.
 */

const { nodes, marks } = schema

/** Raw HTML that ends at an end mark, not at a blank line: start, end, and the end mark. */
const HTML_WITH_END_MARK: Array<[start: RegExp, end: RegExp, ending: (html: string) => string]> = [
  [
    /^<(script|pre|style|textarea)(?=\s|>|$)/i,
    /<\/(script|pre|style|textarea)>/i,
    html => `</${/\w+/.exec(html)?.[0]}>`
  ],
  [/^<!--/, /-->/, () => '-->'],
  [/^<\?/, /\?>/, () => '?>'],
  [/^<![A-Za-z]/, />/, () => '>'],
  [/^<!\[CDATA\[/, /\]\]>/, () => ']]>']
]

/**
 * The blocks of a container: without empty paragraphs, and with end marks for raw HTML that would include the block
 * after it.
 */
export function blocksOf(parent: Node): Node[] {
  const blocks = parent.children.filter(block => block.type !== nodes.paragraph || showsSomething(block))
  const box = parent.type === nodes.list_item && parent.attrs.checked !== null
  if (box && blocks[0] !== parent.firstChild) blocks.unshift(nodes.paragraph.create())
  if (box && blocks[0]?.type !== nodes.paragraph) blocks.unshift(nodes.paragraph.create())
  return blocks.map((block, i) =>
    block.type === nodes.html_block && i < blocks.length - 1 ? withEndMark(block) : block
  )
}

function showsSomething(paragraph: Node): boolean {
  return paragraph.children.some(child => {
    if (child.marks.some(mark => mark.type === marks.link || (child.isText && mark.type === marks.code))) return true
    return child.isText ? /[^ \t\n]/.test(child.text!) : child.type !== nodes.hard_break
  })
}

function withEndMark(block: Node): Node {
  const html: string = block.attrs.html
  const kind = HTML_WITH_END_MARK.find(([start]) => start.test(html))
  return kind && !kind[1].test(html) ? nodes.html_block.create({ html: html + kind[2](html) }) : block
}

/** True if raw HTML ends without a blank line after it. */
function endsItself(html: string): boolean {
  return HTML_WITH_END_MARK.some(([start, end]) => start.test(html) && end.test(html))
}

/** True if a list is tight. A list of one item with one block always is. */
export function isTight(list: Node): boolean {
  const items = list.children.map(blocksOf)
  const needsBlankLine = items.some(blocks => blocks.some((block, i) => i > 0 && needsBlank(blocks[i - 1]!, block)))
  if (needsBlankLine) return false
  return (
    list.attrs.tight ||
    (items.length === 1 && items[0]!.length < 2) ||
    !items.flat().some(block => block.type === nodes.paragraph)
  )
}

/** True if `block` needs a blank line after `before`, to be parsed as a block of its own. */
function needsBlank(before: Node, block: Node): boolean {
  if (before.type === nodes.html_block) return !endsItself(before.attrs.html)
  if (before.type === nodes.blockquote && block.type === nodes.blockquote) return true
  if (!takesNextLine(before)) return false
  switch (block.type) {
    case nodes.paragraph:
    case nodes.link_definition:
      return true
    case nodes.html_block:
      return !interrupts(block.attrs.html)
    case nodes.table:
      return before.type !== nodes.paragraph
    case nodes.heading:
      return isMultiline(block)
    case nodes.ordered_list:
      return block.attrs.order !== 1 || startsEmpty(block)
    case nodes.bullet_list:
      return startsEmpty(block)
    default:
      return false
  }
}

/** True if raw HTML begins a block even directly below a line of text. */
function interrupts(html: string): boolean {
  const [firstLine] = html.split('\n', 1)
  return markdownIt.parse(`a\n${firstLine}`, {}).at(-1)?.type === 'html_block'
}

/** True if a line of text directly after a block would belong to it: as a row, or to the paragraph at its end. */
function takesNextLine(block: Node): boolean {
  const { type } = block
  if (type === nodes.paragraph || type === nodes.table || type === nodes.link_definition) return true
  if (type !== nodes.blockquote && type !== nodes.bullet_list && type !== nodes.ordered_list) return false
  const last = blocksOf(type === nodes.blockquote ? block : (block.lastChild ?? block)).at(-1)
  return last !== undefined && last.type !== nodes.table && takesNextLine(last)
}

function startsEmpty(list: Node): boolean {
  const [item] = list.children
  return !item || (item.attrs.checked === null && blocksOf(item).length === 0)
}

/** Only headings of levels 1 and 2 can have several lines. */
export function isMultiline(heading: Node): boolean {
  return spansOf(heading).some(span => {
    if (span.kind === 'node') return span.node.attrs.html?.includes('\n')
    return span.kind === 'break' || (span.kind === 'text' && span.text.includes('\n'))
  })
}

/** The cells of a table. Missing cells of a short row are empty. */
interface Grid {
  rows: ReadonlyArray<readonly Node[]>
  alignments: Array<string | null>
}

/** Refuses tables that lack too many cells to be filled up quickly. @throws {RichTextError} TOO_LARGE */
export function checkTables(doc: Node) {
  let missing = 0
  doc.descendants(node => {
    if (node.type !== nodes.table) return !node.isTextblock
    const columns = columnsOf(node)
    missing += node.children.reduce((sum, { childCount }) => sum + columns - childCount, 0)
    return false
  })
  if (missing <= MAX_MISSING_CELLS) return
  throw new RichTextError(
    'TOO_LARGE',
    `The rows of the tables lack more than ${MAX_MISSING_CELLS} cells. Give each row as many cells as the longest.`
  )
}

function columnsOf(table: Node): number {
  return table.children.reduce((most, { childCount }) => Math.max(most, childCount), 0)
}

/** The cells of a table, with as many columns as its longest row. */
export function gridOf(table: Node): Grid {
  const rows = table.children.map(row => row.children)
  const columns = columnsOf(table)
  return { rows, alignments: Array.from({ length: columns }, (_, column) => rows[0]?.[column]?.attrs.align ?? null) }
}

/** A piece of a text block, in document order. Opened and closed marks are properly nested. */
export type Span =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'node'; node: Node }
  | { kind: 'open' | 'close'; mark: Mark }

/*
 * Below, (?<! ) lets white space match only from its start. If it could match from every position in it, the time would
 * be quadratic in its length.
 */

/** A soft line break with the white space around it. */
const LINE_END = /(?<![ \t])[ \t]*\n[ \t\n]*/g

interface Item {
  span: Exclude<Span, { mark: Mark }>
  marks: readonly Mark[]
}

/** The spans of a text block: addresses in its text are links, and white space is outside of emphasis. */
export function spansOf(block: Node): Span[] {
  return settleSpace(nest(itemsOf(block)))
}

function itemsOf(block: Node): Item[] {
  const oneLine = block.type !== nodes.paragraph && !(block.type === nodes.heading && block.attrs.level < 3)
  const items: Item[] = []
  let afterLink = false
  for (const node of block.children) {
    const outer = node.marks.filter(mark => mark.type !== marks.code)
    if (node.type === nodes.hard_break) {
      items.push({
        marks: outer,
        span: oneLine ? { kind: 'node', node: nodes.html_inline.create({ html: '<br>' }) } : { kind: 'break' }
      })
    } else if (!node.isText) {
      items.push({ marks: outer, span: { kind: 'node', node: oneLine ? onOneLine(node) : node } })
    } else if (outer.length < node.marks.length) {
      items.push({ marks: outer, span: { kind: 'code', text: node.text!.replaceAll('\n', ' ') } })
    } else {
      for (const item of linked(node.text!.replace(LINE_END, oneLine ? ' ' : '\n'), outer, afterLink)) items.push(item)
    }
    afterLink = node.marks.some(mark => mark.type === marks.link)
  }
  return items
}

function onOneLine(node: Node): Node {
  if (node.type !== nodes.html_inline || !node.attrs.html.includes('\n')) return node
  return nodes.html_inline.create({ html: node.attrs.html.replace(LINE_END, ' ') }, null, node.marks)
}

/** Splits text at its addresses, which markdown makes links everywhere except right after another link. */
function linked(text: string, outer: readonly Mark[], afterLink: boolean): Item[] {
  const item = (from: number, to: number, around = outer): Item => ({
    marks: around,
    span: { kind: 'text', text: text.slice(from, to) }
  })
  if (!/:\/\/|@|www\.|mailto:/i.test(text) || outer.some(mark => mark.type === marks.link)) {
    return [item(0, text.length)]
  }
  const items: Item[] = []
  let end = 0
  for (const { index, lastIndex, url } of markdownIt.linkify.match(text) ?? []) {
    const href = markdownIt.normalizeLink(url)
    if (!markdownIt.validateLink(href) || (afterLink && index === 0)) continue
    if (index > end) items.push(item(end, index))
    items.push(item(index, lastIndex, marks.link.create({ href, auto: 'bare', depth: outer.length }).addToSet(outer)))
    end = lastIndex
  }
  if (end < text.length) items.push(item(end, text.length))
  return items
}

/** Opens and closes marks in the order of depth; of equally deep ones, the one that ends later encloses. */
function nest(items: Item[]): Span[] {
  const spans: Span[] = []
  const reach = reaches(items)
  const active: Mark[] = []
  const closeTo = (length: number) => {
    while (active.length > length) spans.push({ kind: 'close', mark: active.pop()! })
  }
  items.forEach(({ span, marks }, i) => {
    const ends = reach[i]!
    const order = [...marks].sort((a, b) => a.attrs.depth - b.attrs.depth || ends.get(b)! - ends.get(a)!)
    let common = 0
    while (common < active.length && common < order.length && active[common]!.eq(order[common]!)) common++
    closeTo(common)
    for (const mark of order.slice(common)) {
      active.push(mark)
      spans.push({ kind: 'open', mark })
    }
    spans.push(span)
  })
  closeTo(0)
  return spans
}

/** For each item and mark, the index of the last item with the mark. */
function reaches(items: Item[]): Array<Map<Mark, number>> {
  const reach: Array<Map<Mark, number>> = []
  for (let i = items.length - 1; i >= 0; i--) {
    const after = items[i + 1]
    reach[i] = new Map(
      items[i]!.marks.map(mark => {
        const same = after?.marks.find(other => other.eq(mark))
        return [mark, same ? reach[i + 1]!.get(same)! : i]
      })
    )
  }
  return reach
}

/**
 * Moves white space and line breaks out of the ends of emphasis, and removes emphasis around nothing else and the white
 * space at the ends of the block and of its lines.
 */
function settleSpace(spans: Span[]): Span[] {
  if (!spans.some(span => isEmphasis(span, 'open'))) return joinText(spans)
  const moved: Span[] = []
  for (const span of spans.flatMap(splitSpace)) {
    if (isSpace(span)) {
      let at = moved.length
      while (at > 0 && isEmphasis(moved[at - 1]!, 'open')) at--
      moved.splice(at, 0, span)
    } else if (isEmphasis(span, 'close')) {
      let end = moved.length
      while (end > 0 && isSpace(moved[end - 1]!)) end--
      const trailing = moved.splice(end)
      if (isEmphasis(moved.at(-1), 'open')) moved.pop()
      else moved.push(span)
      moved.push(...trailing)
    } else moved.push(span)
  }
  return joinText(moved)
}

/** Joins neighbouring texts, without the white space at the ends of lines. */
function joinText(spans: Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (span.kind === 'text' && last?.kind === 'text') {
      joined[joined.length - 1] = { kind: 'text', text: last.text + span.text }
    } else joined.push(span)
  }
  while (joined.length > 0 && isSpace(joined.at(-1)!)) joined.pop()
  return joined.flatMap((span, i): Span[] => {
    if (span.kind !== 'text') return [span]
    let text = span.text.replace(LINE_END, '\n')
    if (i === 0 || joined[i - 1]!.kind === 'break') text = text.replace(/^[ \t\n]+/, '')
    if (i === joined.length - 1) text = text.replace(/(?<![ \t\n])[ \t\n]+$/, '')
    if (joined[i + 1]?.kind === 'break') text = text.replace(/(?<![ \t])[ \t]+$/, '')
    return text ? [{ kind: 'text', text }] : []
  })
}

/** The text of a span, with the white space around it as separate spans. */
function splitSpace(span: Span): Span[] {
  if (span.kind !== 'text') return [span]
  return span.text
    .split(/^([ \t\n]+)|(?<![ \t\n])([ \t\n]+)$/)
    .filter(Boolean)
    .map(text => ({ kind: 'text', text }))
}

function isSpace(span: Span): boolean {
  return span.kind === 'break' || (span.kind === 'text' && !/[^ \t\n]/.test(span.text))
}

function isEmphasis(span: Span | undefined, kind: 'open' | 'close'): boolean {
  return span?.kind === kind && span.mark.type !== marks.link
}
