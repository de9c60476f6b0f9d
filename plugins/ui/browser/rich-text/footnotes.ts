import type { NodeJson } from '../../../../lib/rich-text/index.ts'

/** The content of footnotes by their labels in lower case, in the order of the text. */
export type Definitions = Map<string, NodeJson[]>

const DEFINITION = /(?:^|\n)\[\^([^[\]\s]+)\]:[ \t]*/g

export function withoutDefinitions(nodes: readonly NodeJson[], definitions: Definitions): NodeJson[] {
  return nodes.flatMap(node => {
    const { type, content = [] } = node
    // The first paragraph of a list item stays: its text decides whether a task is a criterion.
    const kept = type === 'list_item' ? 1 : 0
    switch (type) {
      case 'paragraph':
        return withoutLines(node, definitions)
      case 'blockquote':
      case 'bullet_list':
      case 'ordered_list':
      case 'list_item': {
        const rest = withoutDefinitions(content.slice(kept), definitions)
        const blocks = [...content.slice(0, kept), ...rest]
        return blocks.length > 0 ? [{ ...node, content: blocks }] : []
      }
      default:
        return [node]
    }
  })
}

function withoutLines(paragraph: NodeJson, definitions: Definitions): NodeJson[] {
  const { content = [] } = paragraph
  const before: NodeJson[] = []
  let target = before
  for (const [n, node] of content.entries()) {
    const text = node.type === 'text' && !node.marks?.length ? node.text! : ''
    const isLineStart = n === 0 || content[n - 1]!.type === 'hard_break'
    let at = 0
    for (const { 0: source, 1: name, index } of text.matchAll(DEFINITION)) {
      const label = name!.toLowerCase()
      if (definitions.has(label) || (!source.startsWith('\n') && !isLineStart)) continue
      if (index > at) target.push({ ...node, text: text.slice(at, index) })
      target = []
      definitions.set(label, target)
      at = index + source.length
    }
    if (at === 0) target.push(node)
    else if (at < text.length) target.push({ ...node, text: text.slice(at) })
  }
  return target === before || before.length > 0 ? [{ ...paragraph, content: before }] : []
}
