import MarkdownIt from 'markdown-it'
import type { Node } from 'prosemirror-model'
import { render } from '../write/render.ts'
import { parse, schema, serialize } from '../index.ts'
import { linkLikeGfm, markdownIt, readFootnotesAsText } from '../read/markdown-it.ts'
import { read } from '../read/parse.ts'
import { blocksOf } from '../shape.ts'
import { align, splitSource } from '../read/source.ts'

/* Properties of every text and every document. Each returns null or the failure. */

const { nodes } = schema

/** The document as read from the store. */
export function stored(markdown: string): Node {
  return schema.nodeFromJSON(JSON.parse(JSON.stringify(parse(markdown))))
}

/** The document without its source, so that all markdown has to be rewritten. */
export function withoutSource(doc: Node): Node {
  return nodes.doc.create({ source: null }, doc.content)
}

const references = [false, true].map(breaks => {
  const reference = new MarkdownIt({ html: true, linkify: true, breaks, maxNesting: 1000 })
  reference.normalizeLinkText = url => url
  linkLikeGfm(reference)
  readFootnotesAsText(reference)
  // Raw HTML begins a line, as in the reference implementation of CommonMark.
  reference.renderer.rules.html_block = (tokens, i) => `\n${tokens[i]?.content}`
  return reference
})

/** markdown-it's HTML of a text, with and without significant line breaks, without invisible white space. */
function rendered(markdown: string): string[] {
  return references.map(reference => visible(reference.render(markdown.replace(/^\uFEFF/, ''))))
}

/**
 * Removes differences that docs/rich-text.md lists as not kept: hidden white space, bare addresses, the case of a tick.
 */
function visible(html: string): string {
  return html
    .replace(/<a href="([^"]*)">([^<]*)<\/a>/g, (link, address, text) =>
      ['', 'mailto:', 'http://'].some(scheme => markdownIt.normalizeLink(scheme + text) === address) ? text : link
    )
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(/((?:<(?:em|strong|s)>)+)((?: |<br>)+)/g, '$2$1')
    .replace(/ ((?:<\/(?:em|strong|s)>)+)/g, '$1 ')
    .replace(/ ?(<\/?(?:p|h\d|ul|ol|li|blockquote|pre|table|thead|tbody|tr|th|td|hr|br)\b[^>]*>) ?/g, '$1')
    .replace(/ (?=<\/code><\/pre>)/g, '')
    .replace(/ +/g, ' ')
    .replaceAll('<p></p>', '')
    .replaceAll('[X]', '[x]')
    .trim()
}

export function bytesReturn(markdown: string): string | null {
  return serialize(stored(markdown)) === markdown ? null : 'an untouched text came back changed'
}

export function meaningSurvives(markdown: string): string | null {
  const back = serialize(withoutSource(parse(markdown)))
  const [before, after] = [rendered(markdown), rendered(back)]
  return before.every((html, i) => html === after[i])
    ? null
    : `rewritten as ${JSON.stringify(back)}, it renders\n${after[0]}\nnot\n${before[0]}`
}

/** Markdown that was written converts to a document with the same markdown. */
export function secondTripIsSame(markdown: string): string | null {
  const once = serialize(withoutSource(parse(markdown)))
  return serialize(stored(once)) === once ? null : `${JSON.stringify(once)} came back changed`
}

/** Stricter than visible to readers: even without the source of the first writing, the second is the same. */
export function rewritingIsStable(markdown: string): string | null {
  const once = serialize(withoutSource(parse(markdown)))
  const twice = serialize(withoutSource(parse(once)))
  return once === twice ? null : `rewritten as ${JSON.stringify(once)}, then as ${JSON.stringify(twice)}`
}

/** When a block is replaced or added, all others keep their bytes; definitions are left out. */
export function otherBlocksKeepTheirBytes(markdown: string): string | null {
  const doc = stored(markdown)
  const { slices } = splitSource(doc.attrs.source, read(markdown))
  const edited = nodes.paragraph.create(null, schema.text('Edited.'))
  for (const [i, block] of doc.children.entries()) {
    if (slices.length === 0 || block.type === nodes.link_definition) continue
    for (const [blocks, others] of [
      [doc.children.with(i, edited), slices.toSpliced(i, 1)],
      [doc.children.toSpliced(i, 0, edited), slices]
    ] as const) {
      const back = serialize(nodes.doc.create(doc.attrs, blocks))
      const end = others.reduce(
        (from, slice) => (from < 0 || !back.includes(slice, from) ? -1 : back.indexOf(slice, from) + slice.length),
        0
      )
      if (end < 0) return `with block ${i} edited, ${JSON.stringify(markdown)} became ${JSON.stringify(back)}`
    }
  }
  return null
}

export function documentSurvives(doc: Node): string | null {
  const markdown = serialize(doc)
  return renderAll(parse(markdown)) === renderAll(doc)
    ? null
    : `written as ${JSON.stringify(markdown)}, it shows\n${renderAll(parse(markdown))}\nnot\n${renderAll(doc)}`
}

function renderAll(doc: Node): string {
  return blocksOf(doc)
    .map(block => render(block))
    .join('\n')
}

/** A block that is in the source keeps its bytes, unless they would change the meaning of the text. */
export function noBlockIsRewrittenNeedlessly(doc: Node): string | null {
  const source = splitSource(doc.attrs.source, read(doc.attrs.source))
  const markdown = serialize(doc)
  const { blocks, slices, gaps, lead } = splitSource(markdown, read(markdown))
  const origins = align(source.blocks, blocksOf(doc))
  if (blocks.length !== origins.length) return null
  for (const [i, origin] of origins.entries()) {
    const bytes = origin?.same ? source.slices[origin.index]! : slices[i]!
    if (bytes === slices[i]) continue
    const apart = gaps.with(i, '\n\n').map((gap, at) => (at === i - 1 ? '\n\n' : gap))
    for (const between of [gaps, apart]) {
      const text = lead + slices.with(i, bytes).reduce((before, slice, at) => before + slice + between[at], '')
      if (renderAll(parse(text)) === renderAll(doc)) {
        return `${JSON.stringify(markdown)} could be ${JSON.stringify(text)}`
      }
    }
  }
  return null
}
