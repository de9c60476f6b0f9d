import type { QueryClient } from '@tanstack/react-query'
import { isHistoryTransaction } from 'prosemirror-history'
import type { Node } from 'prosemirror-model'
import { Plugin, type EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { Uploads } from '../files/uploads.ts'
import { isLinkOrCode } from '../prose/commands.ts'
import { Completing } from './completing.ts'
import { makeEditorBlocks } from './editor-blocks.ts'
import { contributedSources } from './word.ts'

export const completeEditor = (uploads: Uploads, client: QueryClient): Completing<EditorView> =>
  new Completing({
    sources: [makeEditorBlocks(uploads), ...contributedSources(client, replaceWord)],
    elementOf: ({ dom }) => dom,
    placeOf: (view, at) => view.coordsAtPos(at)
  })

/** Its state: true if the last transaction was typing, not undoing. */
export function completionPlugin(completing: Completing<EditorView>): Plugin<boolean> {
  const plugin: Plugin<boolean> = new Plugin<boolean>({
    state: { init: () => false, apply: tr => tr.docChanged && !isHistoryTransaction(tr) },
    view: () => ({
      update(view) {
        const before = view.hasFocus() ? textBefore(view.state) : undefined
        completing.update(view, before, view.state.selection.from, plugin.getState(view.state) ?? false)
      },
      destroy: () => completing.leave()
    }),
    props: {
      handleKeyDown: (_view, event) => completing.handleKey(event),
      handleDOMEvents: { blur: () => completing.leave() }
    }
  })
  return plugin
}

/** Stands for code and other nodes in the text of a block, once for each position that they have in it. */
const OTHER = '\ufffc'

/** Undefined in code and links. */
function textBefore({ selection: { empty, $from } }: EditorState): string | undefined {
  const { parent, parentOffset } = $from
  if (!empty || parent.type.spec.code || $from.marks().some(isLinkOrCode)) return undefined
  return textOf(parent, parentOffset)
}

function textOf(block: Node, end: number): string {
  let text = ''
  block.nodesBetween(0, end, (node, at) => {
    const length = Math.min(node.nodeSize, end - at)
    text += node.isText && !node.marks.some(isLinkOrCode) ? node.text!.slice(0, length) : OTHER.repeat(length)
  })
  return text
}

function replaceWord({ state, dispatch }: EditorView, from: number, text: string): void {
  const { $from } = state.selection
  const hasSpace = /^\s/.test($from.parent.textBetween($from.parentOffset, $from.parent.content.size, '', OTHER))
  dispatch(state.tr.insertText(hasSpace ? text : `${text} `, from, $from.pos).scrollIntoView())
}
