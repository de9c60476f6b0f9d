import { useQueryClient } from '@tanstack/react-query'
import { baseKeymap, chainCommands, exitCode, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { undoInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { DOMParser, type Node, type ParseOptions } from 'prosemirror-model'
import { liftListItem, sinkListItem } from 'prosemirror-schema-list'
import { EditorState, Selection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { parse, RichTextError, serialize } from '../../../../../lib/rich-text/index.ts'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import { isComposing } from '../../keys.ts'
import { ErrorNote } from '../../parts/bits.tsx'
import { richTextClass } from '../../rich-text/rich-text-view.tsx'
import { Bubble } from '../bubble/bubble.ts'
import { BubbleToolbar } from '../bubble/bubble-toolbar.tsx'
import { CompletionList } from '../completion/completion-list.tsx'
import { completeEditor, completionPlugin } from '../completion/in-editor.ts'
import { makeClipboard } from '../paste/clipboard.ts'
import { tableKeys } from '../tables/table-tools.ts'
import type { Writing } from '../writing.ts'
import { inCell, insertHardBreak, splitTask, tickHere, toCell } from './commands.ts'
import styles from './editor.module.css'
import { makeFilePlugin, markPlace } from './files.ts'
import { endLine } from './line-ends.ts'
import { makeColourPlugin } from './load-colours.ts'
import { makeReferencePlugin } from './references.ts'
import { rules } from './rules.ts'
import { imageView, ItemView } from './views.ts'

const { nodes, marks } = schema

const keys = keymap({
  // First a conversion of what was just typed.
  'Mod-z': chainCommands(undoInputRule, undo),
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

/** Keys of an input method act on its text only. Safari reports the last one after the composition. */
function keepComposed(event: KeyboardEvent): boolean {
  if (!isComposing(event)) return false
  event.stopPropagation()
  return true
}

export interface EditorProps {
  label: string
  placeholder: string
  /** Its text when the editor is mounted is the editor's. */
  writing: Pick<Writing<unknown>, 'text' | 'change' | 'append' | 'uploads'>
  /** Undefined: the cursor is not in it. */
  cursor: 'start' | 'end' | undefined
  readOnly: boolean
  onNote(note: string): void
  onSave(): void
  onEscape?: (() => void) | undefined
}
/** The `source` attribute keeps the bytes of unchanged blocks. Changes by others are detected when it is saved. */
export default function Editor(props: EditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef<EditorView>(null)
  const latest = useRef(props)
  const [error, setError] = useState<unknown>()
  const client = useQueryClient()
  const [bubble] = useState(() => new Bubble())
  const [completing] = useState(() => completeEditor(props.writing.uploads, client))
  useEffect(() => {
    latest.current = props
  })
  // In the commit phase: the field that it replaces loses the focus, and the next key is for the editor.
  useLayoutEffect(() => {
    const { writing, cursor } = latest.current
    const doc = docOf(writing.text())
    if (doc instanceof RichTextError) return setError(doc)
    const act = (what: 'onSave' | 'onEscape') => () => {
      latest.current[what]?.()
      return true
    }
    // The library keeps Escape from elements around the text, such as a dialog.
    const isForOthers = ({ key }: KeyboardEvent) =>
      key === 'Escape' && !latest.current.onEscape && completing.shown === undefined
    const clipboard = makeClipboard(addresses => latest.current.onNote(leftOutNote(addresses)))
    const leaving = keymap({ 'Mod-Enter': act('onSave'), Escape: act('onEscape') })
    const typing = [completionPlugin(completing), bubble.plugin, rules, makeFilePlugin(writing.uploads)]
    const display = [makeReferencePlugin(client), makeColourPlugin()]
    const others = [clipboard, leaving, tableKeys, keys, keymap(baseKeymap), history()]
    const plugins = [...typing, ...display, ...others]
    const view = new EditorView(place.current!, {
      state: EditorState.create({ doc, plugins }),
      attributes: ({ doc }) => attributesOf(latest.current, doc),
      domParser: new PageParser(schema, DOMParser.fromSchema(schema).rules),
      nodeViews: { list_item: (node, view, getPos) => new ItemView(node, view, getPos), image: imageView },
      handleDOMEvents: { keydown: (_view, event) => keepComposed(event) || isForOthers(event) },
      dispatchTransaction(transaction) {
        view.updateState(view.state.apply(transaction))
        if (transaction.docChanged) writing.change(() => serialize(view.state.doc), isBlank(view.state.doc))
      }
    })
    shown.current = view
    if (cursor === 'end') view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)))
    if (cursor !== undefined) view.focus()
    const leave = writing.uploads.setField(file => markPlace(view, file.name, file => writing.append(file)))
    return () => {
      leave()
      view.destroy()
    }
  }, [bubble, client, completing])
  useLayoutEffect(() => shown.current?.setProps({ editable: () => !props.readOnly }), [props.readOnly])
  if (error !== undefined) return <ErrorNote error={error} />
  return (
    <>
      <div ref={place} />
      {!props.readOnly && <BubbleToolbar bubble={bubble} />}
      <CompletionList completing={completing} />
    </>
  )
}

/** A line feed is a soft line break, which the parser of the library would turn into a space. */
class PageParser extends DOMParser {
  override parse(dom: globalThis.Node, options?: ParseOptions): Node {
    return super.parse(dom, { ...options, preserveWhitespace: 'full' })
  }
}

/** It refuses a text that is too large, which can be written as Markdown. */
function docOf(markdown: string): Node | RichTextError {
  if (markdown === '') return nodes.doc.create(null, nodes.paragraph.create())
  try {
    return parse(markdown)
  } catch (error) {
    if (error instanceof RichTextError) return error
    throw error
  }
}

const leftOutNote = (addresses: number): string => {
  const what = addresses === 1 ? 'One address' : `${addresses} addresses`
  return `${what} that cannot be stored, or may run a program, was left out of what you pasted. Its text is here.`
}

function isBlank({ childCount, firstChild }: Node): boolean {
  if (childCount !== 1 || firstChild!.type !== nodes.paragraph) return false
  return firstChild!.textContent.trim() === '' && !firstChild!.children.some(({ type }) => type === nodes.image)
}

const attributesOf = ({ label, placeholder }: EditorProps, doc: Node): Record<string, string> => ({
  class: `${richTextClass} ${styles['editor']}`,
  dir: 'auto',
  role: 'textbox',
  // While it is read-only, it keeps the focus.
  tabindex: '0',
  'aria-multiline': 'true',
  'aria-autocomplete': 'list',
  'aria-label': label,
  'aria-placeholder': placeholder,
  ...(isBlank(doc) && { 'data-placeholder': placeholder })
})
