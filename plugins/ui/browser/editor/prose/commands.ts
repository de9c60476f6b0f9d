import type { Mark, Node } from 'prosemirror-model'
import { splitListItem } from 'prosemirror-schema-list'
import { TextSelection, type Command } from 'prosemirror-state'
import { schema } from '../../../../../lib/rich-text/schema.ts'

const { nodes } = schema

/** A text with this mark names nobody, and is not completed. */
export const isLinkOrCode = ({ type }: Mark): boolean => type.name === 'link' || type.name === 'code'

export const isCell = (name: string) => name === 'table_cell' || name === 'table_header'

export const emptyRow = ({ firstChild }: Node): Node =>
  nodes.table_row.create(
    null,
    firstChild!.children.map(({ attrs }) => nodes.table_cell.create({ align: attrs['align'] }))
  )

/** After the last cell a row is added. prosemirror-tables needs attributes that Markdown does not have. */
export const toCell =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    if (!isCell($from.parent.type.name)) return false
    if (!dispatch) return true
    const table = $from.node(-2)
    const start = $from.start(-2)
    const cells: number[] = []
    table.forEach((row, offset) => row.forEach((_cell, at) => cells.push(start + offset + 1 + at)))
    const next = cells[cells.indexOf($from.before()) + by]
    if (next !== undefined) {
      dispatch(state.tr.setSelection(TextSelection.create(state.doc, next + 1)).scrollIntoView())
    } else if (by === 1) {
      const end = start + table.content.size
      const added = state.tr.insert(end, emptyRow(table))
      dispatch(added.setSelection(TextSelection.create(added.doc, end + 2)).scrollIntoView())
    }
    return true
  }

export const inCell: Command = state => isCell(state.selection.$from.parent.type.name)

export const tickHere: Command = (state, dispatch) => {
  const { $from } = state.selection
  const item = $from.node(-1)
  if (item?.type !== nodes.list_item || item.attrs['checked'] === null) return false
  dispatch?.(state.tr.setNodeAttribute($from.before(-1), 'checked', !item.attrs['checked']))
  return true
}

export const insertHardBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView())
  return true
}

export const splitTask: Command = (state, dispatch) => {
  const item = state.selection.$from.node(-1)
  const isTask = item?.type === nodes.list_item && item.attrs['checked'] !== null
  return splitListItem(nodes.list_item, isTask ? { checked: false } : {})(state, dispatch)
}
