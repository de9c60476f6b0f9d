import type { NodeJson } from '../../../../lib/rich-text/index.ts'

/** `<details>` within more others are displayed as text. */
const MAX_DEPTH = 20
const TAG = /<(\/?)(details|summary)(\s[^<>]*)?>/gi
const BEGINNING = /^\s*<\/?(?:details|summary)[\s>]/i
/** Tags of a summary that only change how it looks. */
const FORMAT_TAG = /<\/?(?:b|strong|i|em|u|s|code|kbd|sub|sup|span|p|h[1-6])(?:\s[^<>]*)?>/gi

/** A tag, a text between tags, or a block without such tags. */
interface Piece {
  node: NodeJson
  source?: string
  tag?: string
  isOpen?: boolean
}
type Details = NodeJson & { content: NodeJson[] }

/** A tag without its counterpart stays raw HTML, which is displayed as text. */
export function withDetails(nodes: readonly NodeJson[]): NodeJson[] {
  const pieces = nodes.flatMap(piecesOf)
  if (pieces.length === nodes.length && pieces.every(({ source }) => source === undefined)) return [...nodes]
  const pairs = pairsOf(pieces)
  const blocks: NodeJson[] = []
  const open: Details[] = []
  /** Raw HTML at the end of the blocks, and the node of which it is a part. */
  let raw: { node: NodeJson; attrs: { html: string } } | undefined
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]!
    const { node, source, tag, isOpen } = piece
    const target = open.at(-1)?.content ?? blocks
    if (source === undefined) target.push(node)
    else if (pairs.has(piece) && tag === 'details') {
      const summary = summaryAt(pieces, at + 1)
      const details = { type: 'details', attrs: { isOpen, summary: summary?.text }, content: [] }
      target.push(details)
      open.push(details)
      at = summary?.last ?? at
    } else if (pairs.has(piece)) open.pop()
    else if (raw?.node === node && target.at(-1)?.attrs === raw.attrs) raw.attrs.html += source
    else if (tag !== undefined) {
      raw = { node, attrs: { html: source } }
      target.push({ type: 'html_block', attrs: raw.attrs })
    } else if (source.trim() !== '') target.push({ type: 'markdown', text: source })
  }
  return blocks
}

function piecesOf(node: NodeJson): Piece[] {
  const html = node.type === 'html_block' ? String(node.attrs?.['html']) : ''
  if (!BEGINNING.test(html)) return [{ node }]
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: source, 1: slash, 2: name, 3: attributes = '', index } of html.matchAll(TAG)) {
    if (index > at) pieces.push({ node, source: html.slice(at, index) })
    const tag = `${slash}${name!.toLowerCase()}`
    pieces.push({ node, source, tag, isOpen: /\sopen(?:[\s=]|$)/i.test(attributes) })
    at = index + source.length
  }
  return at < html.length ? [...pieces, { node, source: html.slice(at) }] : pieces
}

function pairsOf(pieces: readonly Piece[]): Set<Piece> {
  const open: Piece[] = []
  const pairs = new Set<Piece>()
  for (const piece of pieces) {
    if (piece.tag === 'details') open.push(piece)
    const start = piece.tag === '/details' ? open.pop() : undefined
    if (start && open.length < MAX_DEPTH) pairs.add(start).add(piece)
  }
  return pairs
}

/** A summary is the first thing in its details. */
function summaryAt(pieces: readonly Piece[], from: number): { text: string; last: number } | undefined {
  const start = pieces[from]?.source?.trim() === '' ? from + 1 : from
  if (pieces[start]?.tag !== 'summary') return undefined
  const text = pieces[start + 1]?.tag === undefined ? (pieces[start + 1]?.source ?? '') : ''
  const last = text === '' ? start + 1 : start + 2
  return pieces[last]?.tag === '/summary' ? { text: text.replace(FORMAT_TAG, '').trim(), last } : undefined
}
