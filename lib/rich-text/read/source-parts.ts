import MarkdownIt from 'markdown-it'
import type { Env, MarkdownIt as Parser, StateInline, Token } from 'markdown-it'
import { linkLikeGfm, markdownIt, MAX_BRACKET_DEPTH, wrapRule } from './markdown-it.ts'
import { BOM, textOf } from './parse.ts'

/**
 * A part of a markdown source, from `start` up to `end`, in UTF-16 units:
 * - `prose`: words of one line as written, with the delimiters of emphasis
 * - `address`: an automatic link, with its angle brackets if it has some
 * - `image`: an `<img>`
 * - `comment`: an HTML comment
 * - `code`: code of markdown or HTML
 * - `markup`: other tags, targets of links, images, escapes, definitions
 */
export interface SourcePart {
  kind: 'prose' | 'address' | 'image' | 'comment' | 'code' | 'markup'
  start: number
  end: number
}

/**
 * The recorded parts of the texts that are being read; alternative texts of images are read separately, and not
 * recorded.
 */
const noted = new WeakMap<StateInline, SourcePart[]>()

/** A parser of inline markup that works like `markdownIt` and records positions. */
function makeReader(): Parser {
  const reader = new MarkdownIt({ html: true, linkify: true, maxNesting: MAX_BRACKET_DEPTH })
  reader.normalizeLinkText = markdownIt.normalizeLinkText
  linkLikeGfm(reader)
  for (const name of ['backticks', 'linkify', 'autolink', 'html_inline', 'image', 'entity', 'escape', 'link']) {
    wrapRule(reader.inline.ruler, name, read => (state, silent) => {
      const { pos, tokens } = state
      const count = tokens.length
      const isRead = read(state, silent)
      if (isRead && !silent) note(name, state, pos, tokens.length > count ? tokens.at(-1) : undefined)
      return isRead
    })
  }
  return reader
}
const inlineReader = makeReader()
const htmlReader = makeReader()
htmlReader.inline.ruler.enableOnly(['text', 'html_inline'])

/** Records the text that a rule has read, from `start` to the state's position. */
function note(rule: string, state: StateInline, start: number, token: Token | undefined): void {
  const { src, pos: end } = state
  const parts = noted.get(state)
  if (rule === 'backticks') {
    if (token?.type === 'code_inline') parts?.push({ kind: 'code', start, end })
  } else if (rule === 'autolink') parts?.push({ kind: 'address', start, end })
  // The rule matches at the colon, after its scheme was read as text.
  else if (rule === 'linkify') parts?.push({ kind: 'address', start: end - textOfLink(state).length, end })
  else if (rule === 'html_inline') {
    const html = src.slice(start, start + 5)
    const kind = html.startsWith('<!--') ? 'comment' : /^<img[\s/]/i.test(html) ? 'image' : 'markup'
    parts?.push({ kind, start, end })
  } else if (rule === 'link') {
    const labelEnd = state.md.helpers.parseLinkLabel(state, start, true)
    // A label alone is the name of a definition: with other words it would be no link.
    const isName = labelEnd + 1 === end || src.startsWith('[]', labelEnd + 1)
    parts?.push({ kind: 'markup', start: isName ? start : labelEnd, end })
  } else if (src[start + 1] !== '\n') parts?.push({ kind: 'markup', start, end })
}

const textOfLink = ({ tokens }: StateInline): string => tokens.at(-2)?.content ?? ''

/** The parts of a markdown source, in order. The gaps are markers, such as those of lists, and white space. */
export function sourceParts(markdown: string): SourcePart[] {
  const source = textOf(markdown.toWellFormed().replaceAll('\0', '\uFFFD'))
  const offset = markdown.startsWith(BOM) ? BOM.length : 0
  const lines = linesOf(source)
  const env: Env = {}
  const parts: SourcePart[] = []
  const row: Row = { line: 0, column: 0 }
  for (const { type, map, content } of markdownIt.parse(source, env)) {
    if (type === 'tr_open') Object.assign(row, { line: map?.[0], column: 0 })
    const [first, end] = map ?? [row.line, row.line + 1]
    if (type === 'fence' || type === 'code_block' || type === 'reference_definition') {
      const kind = type === 'reference_definition' ? 'markup' : 'code'
      const last = lines[end - 1]!
      parts.push({ kind, start: lines[first]!.start, end: last.start + last.text.length })
    } else if (type === 'inline' || type === 'html_block') {
      const places = map === null ? placesInRow(content, lines, row) : placesInLines(content, lines, first)
      const innerParts = type === 'inline' ? inlineParts(content, env) : htmlParts(content, env)
      for (const part of innerParts) for (const each of placed(part, content, places)) parts.push(each)
    }
  }
  return parts.map(({ kind, start, end }) => ({ kind, start: start + offset, end: end + offset }))
}

interface Line {
  start: number
  text: string
}
/** The position in a table's row after which its next cell is searched. */
interface Row {
  line: number
  column: number
}

function linesOf(source: string): Line[] {
  let start = 0
  return [...source.matchAll(/\r\n?|\n|$/g)].map(({ 0: { length }, index }) => {
    const line = { start, text: source.slice(start, index) }
    start = index + length
    return line
  })
}

/** The source position of each character of a block's content: each of its lines is the end of a line there. */
function placesInLines(content: string, lines: readonly Line[], first: number): Int32Array {
  const places = new Int32Array(content.length)
  let at = 0
  for (const [n, text] of content.split('\n').entries()) {
    const { start, text: line } = lines[first + n] ?? lines.at(-1)!
    const words = text.replace(/^[ \t]+/, '')
    const indent = text.length - words.length
    const from = start + line.lastIndexOf(words)
    // White space may be a tab there.
    for (let i = 0; i < text.length; i++) places[at + i] = from + Math.max(0, i - indent)
    at += text.length
    if (at < content.length) places[at++] = start + line.length
  }
  return places
}

/** Like `placesInLines`, for a cell, whose bars have backslashes in the source. */
function placesInRow(content: string, lines: readonly Line[], row: Row): Int32Array {
  const { start, text } = lines[row.line]!
  const written = content.replaceAll('|', '\\|')
  const from = text.indexOf(written, row.column)
  row.column = from + written.length
  const places = new Int32Array(content.length)
  let bars = 0
  for (let i = 0; i < content.length; i++) {
    if (content[i] === '|') bars++
    places[i] = start + from + i + bars
  }
  return places
}

/** A part of a content as parts of the source; prose is split at lines, because there may be markers between them. */
function placed({ kind, start, end }: SourcePart, content: string, places: Int32Array): SourcePart[] {
  const partAt = (from: number, to: number) => ({ kind, start: places[from]!, end: places[to - 1]! + 1 })
  if (kind !== 'prose') return [partAt(start, end)]
  return [...content.slice(start, end).matchAll(/[^ \t\n][^\n]*/g)].map(({ 0: { length }, index }) =>
    partAt(start + index, start + index + length)
  )
}

function partsReadBy(reader: Parser, content: string, env: Env): SourcePart[] {
  const state = new reader.inline.State(content, reader, env, [])
  const parts: SourcePart[] = []
  noted.set(state, parts)
  reader.inline.tokenize(state)
  return parts.toSorted((a, b) => a.start - b.start || b.end - a.end)
}

const inlineParts = (content: string, env: Env): SourcePart[] =>
  withProse(content, withHtmlCode(content, partsReadBy(inlineReader, content, env)), true)

function htmlParts(content: string, env: Env): SourcePart[] {
  const parts = partsReadBy(htmlReader, content, env)
  const start = content.search(/\S/)
  // Such as a comment without an end.
  if (parts[0]?.start !== start) return start < 0 ? [] : [{ kind: 'markup', start, end: content.trimEnd().length }]
  return withProse(content, withHtmlCode(content, parts), false)
}

const CODE_ELEMENT = /^<(code|pre|kbd|samp|script|style|textarea)\b/i

/** The parts, with each HTML element that holds code as one part. */
function withHtmlCode(content: string, parts: readonly SourcePart[]): SourcePart[] {
  const result: SourcePart[] = []
  let closing: string | undefined
  for (const part of parts) {
    const tag = content.slice(part.start, part.end)
    const open = result.at(-1)
    if (closing !== undefined && open) {
      open.end = part.end
      if (tag.toLowerCase().startsWith(closing)) closing = undefined
      continue
    }
    const element = part.kind === 'markup' ? CODE_ELEMENT.exec(tag)?.[1] : undefined
    result.push(element === undefined ? part : { ...part, kind: 'code' })
    if (element !== undefined && !tag.endsWith('/>')) closing = `</${element.toLowerCase()}`
  }
  if (closing !== undefined) result.at(-1)!.end = content.trimEnd().length
  return result
}

/**
 * The parts without nested ones, and the prose between them; with `addresses`, addresses in prose are separate parts.
 */
function withProse(content: string, parts: readonly SourcePart[], addresses: boolean): SourcePart[] {
  const result: SourcePart[] = []
  let at = 0
  const addProse = (end: number) => {
    if (end > at) result.push({ kind: 'prose', start: at, end })
    at = Math.max(at, end)
  }
  for (const part of [...parts, { kind: 'markup', start: content.length, end: content.length } as const]) {
    if (part.start < at) continue
    const between = content.slice(at, part.start)
    const offset = at
    const isLikely = addresses && /:\/\/|www\./i.test(between)
    for (const { schema, index, lastIndex } of isLikely ? (markdownIt.linkify.match(between) ?? []) : []) {
      if (schema === 'mailto:') continue
      addProse(offset + index)
      result.push({ kind: 'address', start: at, end: offset + lastIndex })
      at = offset + lastIndex
    }
    addProse(part.start)
    if (part.end > part.start) result.push(part)
    at = part.end
  }
  return result
}
