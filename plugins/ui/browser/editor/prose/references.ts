import type { QueryClient } from '@tanstack/react-query'
import type { Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { go } from '../../go.ts'
import { CARD_ATTRIBUTE, type FindReferences, type Reference } from '../../registry.ts'
import { findReferenceSupport } from '../../rich-text/references.tsx'
import { isLinkOrCode } from './commands.ts'

const HREF_ATTRIBUTE = 'data-href'

export function makeReferencePlugin(client: QueryClient): Plugin {
  const support = findReferenceSupport()
  const find = support?.find(client) ?? (() => [])
  // Most blocks are the same after a change.
  const known = new WeakMap<Node, readonly Reference[]>()
  return new Plugin({
    state: {
      init: (_config, { doc }) => decorate(doc, find, known),
      apply: ({ docChanged, doc }, before: DecorationSet) => (docChanged ? decorate(doc, find, known) : before)
    },
    props: {
      decorations(state) {
        return this.getState(state) as DecorationSet
      },
      handleClick(_view, _at, { target, ctrlKey, metaKey }) {
        const element = target instanceof Element ? target.closest(`[${HREF_ATTRIBUTE}]`) : null
        if (!element || !(ctrlKey || metaKey)) return false
        go(element.getAttribute(HREF_ATTRIBUTE)!)
        return true
      }
    }
  })
}

function decorate(doc: Node, find: FindReferences, known: WeakMap<Node, readonly Reference[]>): DecorationSet {
  const decorations: Decoration[] = []
  doc.descendants((block, at) => {
    if (!block.isTextblock) return true
    let references = known.get(block)
    if (!references) {
      references = referencesIn(block, find)
      known.set(block, references)
    }
    for (const { from, to, href, card } of references) {
      const attributes = { [CARD_ATTRIBUTE]: card, [HREF_ATTRIBUTE]: href }
      decorations.push(Decoration.inline(at + 1 + from, at + 1 + to, attributes))
    }
    return false
  })
  return DecorationSet.create(doc, decorations)
}

function referencesIn(block: Node, find: FindReferences): readonly Reference[] {
  if (block.type.spec.code) return []
  const references: Reference[] = []
  block.forEach((node, offset) => {
    if (!node.isText || node.marks.some(isLinkOrCode)) return
    for (const reference of find(node.text!)) {
      references.push({ ...reference, from: offset + reference.from, to: offset + reference.to })
    }
  })
  return references
}
