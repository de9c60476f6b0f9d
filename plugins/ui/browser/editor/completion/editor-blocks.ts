import { setBlockType, wrapIn } from 'prosemirror-commands'
import { closeHistory } from 'prosemirror-history'
import { wrapInList } from 'prosemirror-schema-list'
import { NodeSelection, Selection, TextSelection, type Command, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import type { Uploads } from '../files/uploads.ts'
import { isCell } from '../prose/commands.ts'
import { makeBlockSource, type BlockTitle } from './block-source.ts'
import type { ItemSource } from './word.ts'

const { nodes } = schema

const COLUMNS = 3
const insertTable: Command = ({ tr }, dispatch) => {
  if (isCell(tr.selection.$from.parent.type.name)) return false
  const cells = (type: typeof nodes.table_cell) => Array.from({ length: COLUMNS }, () => type.create())
  const table = nodes.table.create(null, [
    nodes.table_row.create(null, cells(nodes.table_header)),
    nodes.table_row.create(null, cells(nodes.table_cell))
  ])
  const at = tr.selection.from
  tr.replaceSelectionWith(table)
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at))).scrollIntoView())
  return true
}

const insertRule: Command = ({ tr }, dispatch) => {
  if (isCell(tr.selection.$from.parent.type.name)) return false
  tr.replaceSelectionWith(nodes.horizontal_rule.create())
  const { selection } = tr
  if (selection instanceof NodeSelection) {
    // The next typed text would replace a selected rule.
    tr.insert(selection.to, nodes.paragraph.create())
    tr.setSelection(TextSelection.create(tr.doc, selection.to + 1))
  }
  dispatch?.(tr.scrollIntoView())
  return true
}

const beginTasks: Command = (state, dispatch) =>
  wrapInList(nodes.bullet_list)(state, tr => {
    const { $from } = tr.selection
    dispatch?.(tr.setNodeAttribute($from.before(-1), 'checked', false))
  })

const beginCallout: Command = (state, dispatch) =>
  wrapIn(nodes.blockquote)(state, tr => dispatch?.(tr.insertText('[!NOTE]\n').scrollIntoView()))

const commandsOf = (uploads: Uploads): Record<BlockTitle, Command> => ({
  'Heading 1': setBlockType(nodes.heading, { level: 1 }),
  'Heading 2': setBlockType(nodes.heading, { level: 2 }),
  'Heading 3': setBlockType(nodes.heading, { level: 3 }),
  List: wrapInList(nodes.bullet_list),
  'Numbered list': wrapInList(nodes.ordered_list),
  Tasks: beginTasks,
  Table: insertTable,
  Code: setBlockType(nodes.code_block),
  Quote: wrapIn(nodes.blockquote),
  Callout: beginCallout,
  Divider: insertRule,
  File(_state, dispatch) {
    if (dispatch) uploads.choose()
    return true
  }
})

export function makeEditorBlocks(uploads: Uploads): ItemSource<EditorView> {
  const commands = commandsOf(uploads)
  return makeBlockSource(uploads, {
    isPossible: (title, view, from) => withoutWord(view, from, commands[title], false),
    insert: (title, view, from) => withoutWord(view, from, commands[title], true)
  })
}

/** @param isRun false: changes nothing. @returns true if the command can be run */
function withoutWord(view: EditorView, from: number, command: Command, isRun: boolean): boolean {
  const { state } = view
  const all = closeHistory(state.tr.delete(from, state.selection.from))
  const dispatch = ({ steps, selection }: Transaction) => {
    for (const step of steps) all.step(step)
    all.setSelection(Selection.fromJSON(all.doc, selection.toJSON()))
  }
  const isPossible = command(state.apply(all), isRun ? dispatch : undefined)
  if (isRun) {
    view.dispatch(all.scrollIntoView())
    // The next typing is undone separately.
    view.dispatch(closeHistory(view.state.tr))
  }
  return isPossible
}
