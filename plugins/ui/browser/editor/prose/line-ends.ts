import type { Node } from 'prosemirror-model'
import { exitCode } from 'prosemirror-commands'
import { closeHistory } from 'prosemirror-history'
import { TextSelection, type Command, type EditorState } from 'prosemirror-state'
import { parse, serialize } from '../../../../../lib/rich-text/index.ts'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import { emptyRow } from './commands.ts'

const { nodes } = schema

/** The fence of code, a rule, and the line below the head of a table. */
const FENCE = /^(?:`{3,}|~{3,})[ \t]*([^\s`~]*)$/
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/
const TABLE_LINE = /^(?=.*\|)\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/

export const endLine: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset < $from.parent.content.size) return false
  if ($from.parent.type === nodes.code_block) return closeFence(state, dispatch, view)
  if ($from.parent.type !== nodes.paragraph) return false
  const line = $from.parent.textContent.trim()
  const fence = FENCE.exec(line)
  if (fence) return replaceLines(state, dispatch, [nodes.code_block.create({ params: fence[1] })], 0)
  if (RULE.test(line)) {
    return replaceLines(state, dispatch, [nodes.horizontal_rule.create(), nodes.paragraph.create()], 0)
  }
  const head = $from.index(-1) > 0 ? $from.node(-1).child($from.index(-1) - 1) : undefined
  if (!TABLE_LINE.test(line) || head?.type !== nodes.paragraph) return false
  const table = parse(`${serialize(nodes.doc.create(null, head))}\n${line}`).firstChild!
  return (
    table.type === nodes.table &&
    replaceLines(state, dispatch, [table.copy(table.content.addToEnd(emptyRow(table)))], head.nodeSize)
  )
}

/** @param before the size before the line that is replaced with it. The cursor moves to the place of the next text. */
function replaceLines(state: EditorState, dispatch: Parameters<Command>[1], blocks: Node[], before: number): boolean {
  const { $from } = state.selection
  const start = $from.before() - before
  const tr = state.tr.replaceWith(start, $from.after(), blocks)
  const last = blocks.at(-1)!
  const end = start + blocks.reduce((size, { nodeSize }) => size + nodeSize, 0)
  const at = last.type === nodes.table ? end - last.lastChild!.nodeSize : end - 1
  // Undoing takes back the conversion only.
  dispatch?.(
    closeHistory(tr)
      .setSelection(TextSelection.near(tr.doc.resolve(at)))
      .scrollIntoView()
  )
  return true
}

const closeFence: Command = (state, dispatch, view) => {
  const { $from } = state.selection
  const [end] = /(?:^|\n)```$/.exec($from.parent.textContent) ?? []
  if (end === undefined) return false
  if (!dispatch) return true
  dispatch(state.tr.delete($from.pos - end.length, $from.pos))
  return view ? exitCode(view.state, view.dispatch) : true
}
