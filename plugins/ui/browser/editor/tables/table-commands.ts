import type { Node } from 'prosemirror-model'
import { TextSelection, type Command, type EditorState, type Transaction } from 'prosemirror-state'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import { emptyRow, isCell } from '../prose/commands.ts'

const { nodes } = schema

/* The first row of a table is its head, in Markdown: it stays first, and no row goes above it. */

interface CellPlace {
  table: Node
  at: number
  row: number
  column: number
}
export function cellAt({ selection: { $from } }: EditorState): CellPlace | undefined {
  if (!isCell($from.parent.type.name)) return undefined
  return { table: $from.node(-2), at: $from.before(-2), row: $from.index(-2), column: $from.index(-1) }
}

type Change = (tr: Transaction, place: CellPlace) => void
const changing =
  (change: Change, isPossible: (place: CellPlace) => boolean = () => true): Command =>
  (state, dispatch) => {
    const place = cellAt(state)
    if (!place || !isPossible(place)) return false
    if (!dispatch) return true
    const { tr } = state
    change(tr, place)
    dispatch(tr.scrollIntoView())
    return true
  }

/** @param column of a row's number of cells: the position after them */
const positionOf = (tr: Transaction, at: number, row: number, column: number): number => {
  const rowAt = tr.doc.resolve(at + 1).posAtIndex(row)
  return tr.doc.resolve(rowAt + 1).posAtIndex(column)
}
function select(tr: Transaction, at: number, row: number, column: number): void {
  const table = tr.doc.nodeAt(at)!
  const lastRow = Math.min(row, table.childCount - 1)
  const lastColumn = Math.min(column, table.child(lastRow).childCount - 1)
  tr.setSelection(TextSelection.create(tr.doc, positionOf(tr, at, lastRow, lastColumn) + 1))
}

/** @param side 0: above the cursor; 1: below it */
export const addRow = (side: 0 | 1): Command =>
  changing(
    (tr, { table, at, row, column }) => {
      tr.insert(tr.doc.resolve(at + 1).posAtIndex(row + side), emptyRow(table))
      select(tr, at, row + side, column)
    },
    ({ row }) => row + side > 0
  )

/** @param side 0: before the cursor; 1: after it */
export const addColumn = (side: 0 | 1): Command =>
  changing((tr, { table, at, row, column }) => {
    // From the last row on: the positions before it stay.
    for (const [index, { firstChild, childCount }] of [...table.children.entries()].toReversed()) {
      const place = Math.min(column + side, childCount)
      tr.insert(positionOf(tr, at, index, place), firstChild!.type.create())
    }
    select(tr, at, row, column + side)
  })

/** The row below a head becomes the head; without rows there is no table. */
export const removeRow: Command = changing((tr, { table, at, row, column }) => {
  if (table.childCount === 1) return removeTable(tr, at, table)
  const from = tr.doc.resolve(at + 1).posAtIndex(row)
  tr.delete(from, from + table.child(row).nodeSize)
  if (row === 0) {
    for (const [index, { attrs }] of table.child(1).children.entries()) {
      tr.setNodeMarkup(positionOf(tr, at, 0, index), nodes.table_header, attrs)
    }
  }
  select(tr, at, row, column)
})

export const removeColumn: Command = changing((tr, { table, at, row, column }) => {
  if (table.firstChild!.childCount === 1) return removeTable(tr, at, table)
  for (const [index, { children, firstChild }] of [...table.children.entries()].toReversed()) {
    const cell = children[column]
    if (!cell) continue
    const from = positionOf(tr, at, index, column)
    const empty = children.length === 1 ? [firstChild!.type.create()] : []
    tr.replaceWith(from, from + cell.nodeSize, empty)
  }
  select(tr, at, row, column)
})

function removeTable(tr: Transaction, at: number, table: Node): void {
  tr.replaceWith(at, at + table.nodeSize, nodes.paragraph.create())
  tr.setSelection(TextSelection.create(tr.doc, at + 1))
}

export function alignmentAt(state: EditorState): string | null {
  const place = cellAt(state)
  return (place?.table.firstChild!.maybeChild(place.column)?.attrs['align'] as string | undefined) ?? null
}

export const alignColumn =
  (align: 'left' | 'center' | 'right'): Command =>
  (state, dispatch) =>
    changing((tr, { table, at, column }) => {
      const next = alignmentAt(state) === align ? null : align
      for (const [index, { childCount }] of table.children.entries()) {
        if (column < childCount) tr.setNodeAttribute(positionOf(tr, at, index, column), 'align', next)
      }
    })(state, dispatch)

/** Below a table that ends the text, there is no line to go to. */
export const leaveTable: Command = (state, dispatch, view) => {
  const place = cellAt(state)
  if (!place || !state.selection.empty || view?.endOfTextblock('down') === false) return false
  const { table, at, row } = place
  const end = at + table.nodeSize
  if (row < table.childCount - 1 || state.doc.resolve(end).nodeAfter) return false
  const tr = state.tr.insert(end, nodes.paragraph.create())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView())
  return true
}
