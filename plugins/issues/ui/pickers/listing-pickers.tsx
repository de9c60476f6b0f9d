import { useState, type ReactNode } from 'react'
import { useCommands } from '../../../ui/browser/contract.ts'
import { changedRow, useRowChanges, type FieldChange } from '../changes.ts'
import type { Row } from '../contract.ts'
import type { Directory } from '../data.ts'
import { commandOf, FieldPicker, FIELDS, type FieldName } from './field-picker.tsx'

export interface ListingPickers {
  /** Opens a picker for the selected issues, or else the one at the cursor. */
  open(field: FieldName, anchor?: Element): void
  isPending: boolean
  error: unknown
  /** The open picker. */
  element: ReactNode
}
interface Selected {
  rows: readonly Row[]
  clear(): void
}

/**
 * The pickers of a board or list, which keys open.
 * @param follow is called with the changed issue at the cursor
 */
export function useListingPickers(
  directory: Directory,
  selection: Selected,
  currentRow: () => Row | undefined,
  follow?: (changed: Row) => void
): ListingPickers {
  const [shown, setShown] = useState<{ field: FieldName; rows: readonly Row[]; anchor: Element | null }>()
  const { mutate, latest, isPending, error } = useRowChanges()
  function open(field: FieldName, anchor?: Element): void {
    const row = currentRow()
    const rows = selection.rows.length > 0 ? selection.rows : row ? [row] : []
    if (rows.length > 0) setShown({ field, rows: rows.map(latest), anchor: anchor ?? elementOf(row) })
  }
  function change(of: (row: Row) => FieldChange): void {
    const { rows } = shown!
    const [what, undone] =
      rows.length === 1 ? [`${rows[0]!.key} is`, 'as before'] : [`${rows.length} issues are`, 'restored']
    const changes = rows.map(row => ({ row, change: of(row) }))
    mutate({ changes, title: `${what} changed`, undone: `${what} ${undone}` }, { onSuccess: selection.clear })
    const own = rows.find(({ id }) => id === currentRow()?.id)
    if (own) follow?.(changedRow(own, of(own)))
  }
  useCommands(FIELDS.map(field => ({ ...commandOf(field, 'Issues'), run: () => open(field.name) })))
  const element = shown && (
    <FieldPicker {...shown} directory={directory} onChange={change} onClose={() => setShown(undefined)} />
  )
  return { open, isPending, error, element }
}

const elementOf = (row: Row | undefined): Element | null =>
  row === undefined ? null : document.querySelector(`[data-row="${row.id}"]`)
