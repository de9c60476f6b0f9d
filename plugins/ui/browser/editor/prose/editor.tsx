import { baseKeymap, chainCommands, exitCode, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { undoInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { Node } from 'prosemirror-model'
import { liftListItem, sinkListItem } from 'prosemirror-schema-list'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { useEffect, useRef } from 'react'
import type { NodeJson } from '../../../../../lib/rich-text/index.ts'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import { richTextClass } from '../../parts/rich-text-view.tsx'
import { clipboard } from '../paste/clipboard.ts'
import { inCell, insertHardBreak, splitTask, tickHere, toCell } from './commands.ts'
import styles from './editor.module.css'
import { endLine } from './line-ends.ts'
import { rules } from './rules.ts'
import { imageView, ItemView } from './views.ts'

const { nodes, marks } = schema

const keys = keymap({
  'Mod-z': undo,
  'Mod-Shift-z': redo,
  'Mod-y': redo,
  'Mod-b': toggleMark(marks.strong),
  'Mod-i': toggleMark(marks.em),
  'Mod-e': toggleMark(marks.code),
  'Mod-Shift-x': toggleMark(marks.strike),
  'Mod-Alt-0': setBlockType(nodes.paragraph),
  'Mod-Alt-1': setBlockType(nodes.heading, { level: 1 }),
  'Mod-Alt-2': setBlockType(nodes.heading, { level: 2 }),
  'Mod-Alt-3': setBlockType(nodes.heading, { level: 3 }),
  'Mod-Shift-Enter': tickHere,
  'Mod-Shift-9': wrapIn(nodes.blockquote),
  Enter: chainCommands(endLine, inCell, splitTask),
  // Restores the text as typed.
  Backspace: undoInputRule,
  'Shift-Enter': chainCommands(exitCode, insertHardBreak),
  Tab: chainCommands(toCell(1), sinkListItem(nodes.list_item)),
  'Shift-Tab': chainCommands(toCell(-1), liftListItem(nodes.list_item))
})

interface EditorProps {
  doc: NodeJson | null
  onChange: (doc: NodeJson) => void
  onSave: () => void
  onLeave: () => void
}
/**
 * The document is the server's: its `source` attribute stays, and with it the bytes of every unchanged block. The
 * editor keeps its document while it is open; changes by others are detected by the revision.
 */
export default function Editor(props: EditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const { doc } = latest.current
    const act = (what: 'onSave' | 'onLeave') => () => {
      latest.current[what]()
      return true
    }
    const view = new EditorView(place.current!, {
      state: EditorState.create({
        doc: doc ? Node.fromJSON(schema, doc) : nodes.doc.create(null, nodes.paragraph.create()),
        plugins: [
          rules,
          clipboard,
          keymap({ 'Mod-Enter': act('onSave'), Escape: act('onLeave') }),
          keys,
          keymap(baseKeymap),
          history()
        ]
      }),
      attributes: {
        class: `${richTextClass} ${styles['editor']}`,
        dir: 'auto',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': 'Description'
      },
      nodeViews: { list_item: (node, view, getPos) => new ItemView(node, view, getPos), image: imageView },
      dispatchTransaction(transaction) {
        view.updateState(view.state.apply(transaction))
        if (transaction.docChanged) latest.current.onChange(view.state.doc.toJSON() as NodeJson)
      }
    })
    view.focus()
    return () => view.destroy()
  }, [])
  return <div ref={place} />
}
