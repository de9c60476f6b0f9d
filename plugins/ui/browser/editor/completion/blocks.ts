import { setBlockType, wrapIn } from 'prosemirror-commands'
import { closeHistory } from 'prosemirror-history'
import { wrapInList } from 'prosemirror-schema-list'
import { Selection, TextSelection, type Command, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import { hasAllWords } from '../../../../../lib/words/fold.ts'
import type { Uploads } from '../files/uploads.ts'
import { isCell } from '../prose/commands.ts'
import type { ItemSource } from './word.ts'

const { nodes } = schema

interface Block {
  title: string
  /** Other words by which it is found. */
  words: string
  /** How it is typed. */
  hint: string
  command: Command
}

const heading = (level: number): Block => ({
  title: `Heading ${level}`,
  words: `title h${level}`,
  hint: '#'.repeat(level),
  command: setBlockType(nodes.heading, { level })
})

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
  dispatch?.(tr.replaceSelectionWith(nodes.horizontal_rule.create()).scrollIntoView())
  return true
}

/** A list of one open task. */
const beginTasks: Command = (state, dispatch) =>
  wrapInList(nodes.bullet_list)(state, tr => {
    const { $from } = tr.selection
    dispatch?.(tr.setNodeAttribute($from.before(-1), 'checked', false))
  })

/** GitHub's: a quote whose first line is `[!NOTE]`. */
const beginCallout: Command = (state, dispatch) =>
  wrapIn(nodes.blockquote)(state, tr => dispatch?.(tr.insertText('[!NOTE]\n').scrollIntoView()))

const BLOCKS: readonly Block[] = [
  heading(1),
  heading(2),
  heading(3),
  { title: 'List', words: 'bullet points', hint: '-', command: wrapInList(nodes.bullet_list) },
  { title: 'Numbered list', words: 'ordered', hint: '1.', command: wrapInList(nodes.ordered_list) },
  { title: 'Tasks', words: 'todo criteria checklist', hint: '- [ ]', command: beginTasks },
  { title: 'Table', words: 'columns rows', hint: '', command: insertTable },
  { title: 'Code', words: 'fence program', hint: '```', command: setBlockType(nodes.code_block) },
  { title: 'Quote', words: 'blockquote', hint: '>', command: wrapIn(nodes.blockquote) },
  { title: 'Callout', words: 'note tip warning', hint: '> [!NOTE]', command: beginCallout },
  { title: 'Divider', words: 'rule line', hint: '---', command: insertRule }
]

/** Blocks after `/`: those that can be where the cursor is. */
export const makeBlockSource = (uploads: Uploads): ItemSource => ({
  label: 'Blocks',
  word: /(?<!\S)\/(\p{L}{0,20})$/u,
  async find(query, _signal, view, from) {
    const blocks = uploads.isPossible ? [...BLOCKS, fileBlock(uploads)] : BLOCKS
    return blocks
      .filter(({ title, words }) => hasAllWords(`${title} ${words}`, query))
      .filter(({ command }) => withoutWord(view, from, command, false))
      .map(({ title, hint, command }) => ({
        id: title,
        title,
        hint,
        choose: (view, from) => withoutWord(view, from, command, true)
      }))
  }
})

const fileBlock = (uploads: Uploads): Block => ({
  title: 'File',
  words: 'image upload attach',
  hint: '',
  command(_state, dispatch) {
    if (dispatch) uploads.choose()
    return true
  }
})

/**
 * Removes the typed word, and runs a command, which are undone at once.
 * @param isRun false: only asks whether the command can be run
 */
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
