import type { Node } from 'prosemirror-model'
import { schema } from '../schema.ts'

const { nodes } = schema

/** The words of a document, for search: a line for every text block, without markup; of raw HTML only its text. */
export const plainText = (doc: Node): string => wordsOf(doc, () => true)

/** The words of a document outside headings and checklists. */
export const proseText = (doc: Node): string =>
  wordsOf(doc, ({ type, attrs }) => type !== nodes.heading && typeof attrs.checked !== 'boolean').trim()

function wordsOf(doc: Node, isRead: (node: Node) => boolean): string {
  const lines: string[] = []
  doc.descendants(node => {
    if (!isRead(node)) return false
    if (node.isTextblock) lines.push(inlineText(node))
    else if (node.type === nodes.html_block) lines.push(htmlText(node.attrs.html))
    return !node.isTextblock
  })
  return lines.filter(Boolean).join('\n')
}

export function inlineText(block: Node): string {
  return block.children
    .map(child => {
      switch (child.type) {
        case nodes.image:
          return child.attrs.alt ?? ''
        case nodes.html_inline:
          return htmlText(child.attrs.html)
        case nodes.hard_break:
        case nodes.line_feed:
          return '\n'
        default:
          return child.text ?? ''
      }
    })
    .join('')
}

function htmlText(html: string): string {
  // No tag begins after the last >; searching its end would take as long as the text for each <.
  const end = html.lastIndexOf('>') + 1
  // eslint-disable-next-line regexp/no-super-linear-move -- see above
  return (html.slice(0, end).replace(/<[^>]*>/g, ' ') + html.slice(end)).trim()
}
