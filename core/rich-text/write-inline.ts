import type { Mark, Node } from 'prosemirror-model'
import { markdownIt } from './markdown-it.ts'
import { schema } from './schema.ts'
import { spansOf } from './shape.ts'
import type { Span } from './shape.ts'
import type { Caution } from './write.ts'

const { nodes, marks } = schema

/** A piece of the markdown of a text block: text that is still to be escaped, or markup. */
type Piece = { text: string, inLink: boolean } | { markup: string, delimits: boolean }

/** The markdown of a text block: one line, or several where it has line breaks. */
export function writeInline (block: Node, caution: Caution): string {
  const pieces = piecesOf(spansOf(block))
  let out = ''
  pieces.forEach((piece, i) => {
    if ('markup' in piece) {
      out += piece.markup
      return
    }
    const after = pieces[i + 1]
    const text = escapeText(piece.text, out.at(-1) ?? '\n', after && 'markup' in after ? after.markup.charAt(0) : '\n', piece.inLink, caution)
    out += text
  })
  const lines = out.replace(/^(?:.*)$/gm, line => escapeLineStart(line))
  return block.type === nodes.paragraph ? lines.replace(/^\[(?=[ xX]\](?:[ \t\n]|$))/, '\\[') : lines
}

function piecesOf (spans: Span[]): Piece[] {
  const pieces: Piece[] = []
  const delimiters: string[] = []
  let link: Mark | null = null
  const markup = (text: string, delimits = false) => pieces.push({ markup: text, delimits })

  spans.forEach(span => {
    switch (span.kind) {
      case 'text':
        pieces.push({ text: span.text, inLink: link !== null })
        break
      case 'code':
        markup(writeCodeSpan(span.text))
        break
      case 'break':
        markup('\\\n')
        break
      case 'node':
        markup(writeLeaf(span.node))
        break
      case 'open':
        if (span.mark.type === marks.link) {
          link = span.mark
          markup('[')
        } else {
          const d = span.mark.type === marks.strike ? '~~' : span.mark.type === marks.strong ? span.mark.attrs.delimiter.repeat(2) : span.mark.attrs.delimiter
          delimiters.push(d)
          markup(d, true)
        }
        break
      case 'close':
        if (span.mark.type === marks.link) {
          link = null
          markup(`](${destination(span.mark.attrs.href)}${title(span.mark.attrs.title)})`)
        } else markup(delimiters.pop() ?? '', true)
    }
  })
  return pieces
}

const special = /[\\`*_[\]<>&!~|#=+:-]/g

function escapeText (text: string, before: string, after: string, inLink: boolean, caution: Caution): string {
  const linkTail = /\][([:]/.test(text + after)
  return text.replace(special, (char, at: number) => {
    if (caution > 0) return '\\' + char
    const previous = at > 0 ? text[at - 1]! : before
    const next = text[at + 1] ?? after
    return needsEscape(char, previous, next, text, at, inLink, linkTail) ? '\\' + char : char
  }).replaceAll('\r', '&#13;')
}

function needsEscape (char: string, previous: string, next: string, text: string, at: number, inLink: boolean, linkTail: boolean): boolean {
  switch (char) {
    case '\\': return /[!-/:-@[-`{-~\n]/.test(next)
    case '`': return true
    case '*': return !(/\s/.test(previous) && /\s/.test(next))
    case '_': return !(/\s/.test(previous) && /\s/.test(next)) && !(/[\p{L}\p{N}]/u.test(previous) && /[\p{L}\p{N}]/u.test(next))
    case '[': return inLink || linkTail
    case ']': return inLink
    case '<': return /[A-Za-z/!?]/.test(next)
    case '&': return /^&#?\w+;/.test(text.slice(at, at + 40))
    case '!': return next === '['
    case '~': return previous === '~' || next === '~'
    default: return false
  }
}

/** Escapes what makes a line something else than text: a heading, a quote, an item, a rule, an underline. */
function escapeLineStart (line: string): string {
  return line
    .replace(/^(?=#{1,6}(?:[ \t]|$)|>|[-+*](?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)/, '\\')
    .replace(/^(\d{1,9})(?=[.)](?:[ \t]|$))/, '$1\\')
}

function writeCodeSpan (code: string): string {
  const runs = new Set(Array.from(code.matchAll(/`+/g), run => run[0].length))
  let length = 1
  while (runs.has(length)) length++
  const fence = '`'.repeat(length)
  const pad = /^`|`$|^ .*[^ ].* $/.test(code) ? ' ' : ''
  return fence + pad + code + pad + fence
}

function writeLeaf ({ type, attrs }: Node): string {
  switch (type) {
    case nodes.image: return `![${escapeText(attrs.alt ?? '', '[', ']', true, 1).replaceAll('\n', '&#10;')}](${destination(attrs.src)}${title(attrs.title)})`
    case nodes.html_inline: return attrs.html
    case nodes.line_feed: return '&#10;'
    case nodes.empty: return ''
    default: throw new Error(`${type.name} does not stand in text`)
  }
}

function destination (address: string): string {
  const href = markdownIt.normalizeLink(address)
  return href === '' ? '<>' : href.replace(/[\\()<>]|&(?=#?\w+;)/g, '\\$&')
}

function title (text: string | null): string {
  return text ? ` "${text.replace(/["\\]|&(?=#?\w+;)/g, '\\$&').replaceAll('\n', '&#10;')}"` : ''
}
