import type { Attrs, Node } from 'prosemirror-model'
import { schema } from '../schema.ts'

export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/**
 * Converts each line end in the document to a line feed. In markdown any carriage return ends a line, so text after it
 * could become a heading or an item.
 */
export function normalizeLineEnds(doc: Node): Node {
  let isNormal = true
  doc.descendants(node => {
    isNormal &&= !(node.text?.includes('\r') || [node, ...node.marks].some(({ attrs }) => hasCarriageReturn(attrs)))
    return isNormal
  })
  return isNormal ? doc : normalize(doc)
}

function normalize(node: Node): Node {
  const marks = node.marks.map(mark => mark.type.create(normalizedAttrs(mark.attrs)))
  if (node.text !== undefined) return schema.text(withLineFeeds(node.text), marks)
  const attrs = node.type === schema.topNodeType ? node.attrs : normalizedAttrs(node.attrs)
  return node.type.create(attrs, node.children.map(normalize), marks)
}

function hasCarriageReturn(attrs: Attrs): boolean {
  return Object.values(attrs).some(value => typeof value === 'string' && value.includes('\r'))
}

function normalizedAttrs(attrs: Attrs): Attrs {
  return Object.fromEntries(
    Object.entries(attrs).map(([name, value]) => [name, typeof value === 'string' ? withLineFeeds(value) : value])
  )
}
