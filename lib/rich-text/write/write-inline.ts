import type { Mark, Node } from 'prosemirror-model'
import { markdownIt } from '../read/markdown-it.ts'
import { schema } from '../schema.ts'
import { spansOf } from '../shape.ts'
import type { Span } from '../shape.ts'

/**
 * The level of escaping: 0, characters that look like markup beside their neighbours; 1, every character that can be
 * markup, and the delimiters of emphasis alternate; 2, characters next to a delimiter are character references as well.
 */
export type Caution = 0 | 1 | 2

const { nodes, marks } = schema

/** A piece of a text block's markdown: unescaped text, or markup. */
type Piece = { text: string; inLink: boolean } | { markup: string; isDelimiter: boolean }

/**
 * Replaces a line feed in raw HTML, which is not escaped, until the starts of lines are. No document contains this
 * character.
 */
const RAW_LINE_FEED = '\0'

/** A text block's markdown: one line, or several with line breaks. */
export function writeInline(block: Node, caution: Caution): string {
  const pieces = piecesOf(spansOf(block), caution)
  let before = '\n'
  const out = pieces
    .map((piece, i) => {
      const written = writePiece(piece, before, pieces[i - 1], pieces[i + 1], caution)
      before = written.at(-1) ?? before
      return written
    })
    .join('')
  // A cell begins no block.
  const isCell = block.type === nodes.table_cell || block.type === nodes.table_header
  const escaped = isCell ? out : out.replace(/[^\n]+/g, line => escapeLineStart(line, caution))
  const lines = escaped.replaceAll(RAW_LINE_FEED, '\n')
  return block.type === nodes.paragraph ? lines.replace(/^\[(?=[ xX]\](?:[ \t\n]|$))/, '\\[') : lines
}

function writePiece(
  piece: Piece,
  before: string,
  previous: Piece | undefined,
  next: Piece | undefined,
  caution: Caution
): string {
  if ('markup' in piece) return piece.markup
  const [first, text, last] =
    caution === 2 ? guard(piece.text, isDelimiter(previous), isDelimiter(next)) : ['', piece.text, '']
  const after = next && 'markup' in next ? next.markup.charAt(0) : '\n'
  return first + escapeText(text, first.at(-1) ?? before, last.charAt(0) || after, piece.inLink, caution) + last
}

function isDelimiter(piece: Piece | undefined): boolean {
  return piece !== undefined && 'markup' in piece && piece.isDelimiter
}

function piecesOf(spans: Span[], caution: Caution): Piece[] {
  const pieces: Piece[] = []
  const delimiters: string[] = []
  let inLink = false
  let last = ''
  const addMarkup = (markup: string, isDelimiter = false) => {
    pieces.push({ markup, isDelimiter })
    last = markup.at(-1) ?? last
  }

  for (let i = 0; i < spans.length; i++) {
    const span = spans[i]!
    switch (span.kind) {
      case 'text':
        pieces.push({ text: span.text, inLink })
        last = ''
        break
      case 'code':
        addMarkup(writeCodeSpan(span.text))
        break
      case 'break':
        addMarkup('\\\n')
        break
      case 'node':
        addMarkup(writeLeaf(span.node))
        break
      case 'open':
        if (span.mark.type === marks.link) {
          const alone = caution === 0 && standsAlone(spans[i - 1], spans[i + 3])
          const address = caution === 2 ? null : automatic(span.mark, spans[i + 1], spans[i + 2], alone)
          if (address !== null) i += 2
          inLink = address === null
          addMarkup(address ?? '[')
        } else {
          const delimiter = delimiterOf(span.mark, last, delimiters.at(-1), caution)
          delimiters.push(delimiter)
          addMarkup(delimiter, true)
        }
        break
      case 'close':
        if (span.mark.type === marks.link) {
          inLink = false
          addMarkup(`](${destination(span.mark.attrs.href)}${title(span.mark.attrs.title)})`)
        } else addMarkup(delimiters.pop() ?? '', true)
    }
  }
  return pieces
}

/** With caution, a delimiter differs from adjacent and enclosing ones, so that it neither joins nor closes them. */
function delimiterOf({ type, attrs }: Mark, beside: string, around: string | undefined, caution: Caution): string {
  if (type === marks.strike) return '~~'
  const other = attrs.delimiter === '*' ? '_' : '*'
  const neighbour = /[*_]/.test(beside) ? beside : around?.charAt(0)
  const delimiter: string = caution > 0 && neighbour === attrs.delimiter ? other : attrs.delimiter
  return type === marks.strong ? delimiter.repeat(2) : delimiter
}

/** The URIs that CommonMark allows between angle brackets. */
const uri = /^[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^<>\s]*$/
const email =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/

/** True if an address between these spans is parsed as an autolink without brackets, and nothing beyond it. */
function standsAlone(before: Span | undefined, after: Span | undefined): boolean {
  const starts = !before || before.kind === 'break' || (before.kind === 'text' && /[\s(]$/.test(before.text))
  const ends = !after || (after.kind === 'text' && /^[.,;:!?)]*(?:\s|$)/.test(after.text))
  return starts && ends
}

/** A link whose text is its address, as an autolink; null when it has to be written in full. */
function automatic(link: Mark, text: Span | undefined, close: Span | undefined, alone: boolean): string | null {
  const { auto, href, title } = link.attrs
  if (!auto || title || text?.kind !== 'text' || close?.kind !== 'close' || close.mark !== link) return null
  if (auto === 'bare' && alone) {
    const [match, ...more] = markdownIt.linkify.match(text.text) ?? []
    if (more.length === 0 && match?.raw === text.text && markdownIt.normalizeLink(match.url) === href) return text.text
  }
  const isAddress = [text.text, `mailto:${text.text}`].some(url => markdownIt.normalizeLink(url) === href)
  return isAddress && (uri.test(text.text) || email.test(text.text)) ? `<${text.text}>` : null
}

/** A GitHub footnote, or a character that can be markup. */
const SPECIAL = /\[\^[a-z0-9-]+\]:?|[\\`*_[\]<>&!~|#=+:@-]|(?<=www)\./gi

function escapeText(text: string, before: string, after: string, inLink: boolean, caution: Caution): string {
  const hasLinkTail = /\][([:]/.test(text + after)
  return text.replace(SPECIAL, (match, at: number) => {
    const previous = text[at - 1] ?? before
    const next = text[at + match.length] ?? after
    if (match.length > 1) {
      // A footnote is text here. It is escaped, so no longer a footnote for GitHub, only where it would become a link.
      const isLink = inLink || (/[([]/.test(next) && !match.endsWith(':'))
      return isLink ? match.replace(/[[\]]/g, '\\$&') : match
    }
    // Even escaped, a bar makes a line the header of a table.
    if (caution > 0 && match === '|') return '&#124;'
    const isMarkup = caution > 0 || needsEscape(match, previous, next, text.slice(at, at + 40), inLink, hasLinkTail)
    return isMarkup ? `\\${match}` : match
  })
}

function needsEscape(
  char: string,
  previous: string,
  next: string,
  rest: string,
  inLink: boolean,
  hasLinkTail: boolean
): boolean {
  const between = (pattern: RegExp) => pattern.test(previous) && pattern.test(next)
  switch (char) {
    case '\\':
      return /[!-/:-@[-`{-~\n]/.test(next)
    case '`':
      return true
    case '*':
      return !between(/\s/)
    case '_':
      return !between(/\s/) && !between(/[\p{L}\p{N}]/u)
    case '[':
      return inLink || hasLinkTail
    case ']':
      return inLink
    case '<':
      return /[A-Za-z/!?]/.test(next)
    case '&':
      return /^&#?\w+;/.test(rest)
    case '!':
      return next === '['
    case '~':
      return previous === '~' || next === '~'
    default:
      return false
  }
}

/**
 * Turns the characters beside a delimiter into character references: next to this punctuation, a delimiter opens and
 * closes anywhere.
 */
function guard(text: string, atStart: boolean, atEnd: boolean): [first: string, text: string, last: string] {
  const reference = (char: string | undefined) => (char ? `&#${char.codePointAt(0)};` : '')
  const first = atStart ? (/^[^ \t\n]/u.exec(text)?.[0] ?? '') : ''
  const rest = text.slice(first.length)
  const last = atEnd ? (/[^ \t\n]$/u.exec(rest)?.[0] ?? '') : ''
  return [reference(first), rest.slice(0, rest.length - last.length), reference(last)]
}

/** Escapes the start of a line that would be a heading, a quote, an item, a rule, an underline or raw HTML. */
function escapeLineStart(line: string, caution: Caution): string {
  return line
    .replace(/^(?=#{1,6}(?:[ \t]|$)|>|[-+*](?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)/, '\\')
    .replace(/^(\d{1,9})(?=[.)](?:[ \t]|$))/, '$1\\')
    .replace(/^(?=<(?![^<>\s:@]+[:@][^<>\s]*>))/, caution > 0 ? '&#32;' : '')
}

function writeCodeSpan(code: string): string {
  const runs = new Set(Array.from(code.matchAll(/`+/g), run => run[0].length))
  let length = 1
  while (runs.has(length)) length++
  const fence = '`'.repeat(length)
  const pad = /^`|`$/.test(code) || (code.startsWith(' ') && code.endsWith(' ') && /[^ ]/.test(code)) ? ' ' : ''
  return fence + pad + code + pad + fence
}

function writeLeaf({ type, attrs }: Node): string {
  switch (type) {
    case nodes.image:
      return `![${altText(attrs.alt ?? '')}](${destination(attrs.src)}${title(attrs.title)})`
    case nodes.html_inline:
      return attrs.html.replaceAll('\n', RAW_LINE_FEED)
    case nodes.line_feed:
      return '&#10;'
    case nodes.empty:
      return ''
    default:
      throw new Error(`${type.name} does not stand in text`)
  }
}

function altText(text: string): string {
  return escapeText(text, '[', ']', true, 1).replaceAll('\n', '&#10;')
}

function destination(address: string): string {
  const href = markdownIt.normalizeLink(address)
  return href === '' ? '<>' : href.replace(/[\\()<>]|&(?=#?\w+;)/g, '\\$&')
}

function title(text: string | null): string {
  return text ? ` "${text.replace(/["\\]|&(?=#?\w+;)/g, '\\$&').replaceAll('\n', '&#10;')}"` : ''
}
