import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { api, offerUndo, useCommands } from '../../../ui/browser/contract.ts'
import { changedRow } from '../list/row.ts'
import { useRowChanges } from '../changes/row-changes.ts'
import { forEachIssue, Refused, type Refusal } from '../changes/send-changes.ts'
import type { FieldChange, ListingField, Row } from '../contract.ts'
import type { Directory } from '../data.ts'
import { selectedOr, type Selection } from '../selection/selection.ts'
import { commandOf } from './field-picker.tsx'
import { fieldsOfListing } from './listing-fields.tsx'

export interface ListingPickers {
  fields: readonly ListingField[]
  /** @param of the changed issues; default: the selected ones, or else the one at the cursor */
  open(name: string, anchor?: Element | null, of?: readonly Row[]): void
  /** @param onRefused called if all of them are refused */
  change(rows: readonly Row[], of: (row: Row) => FieldChange, onRefused?: () => void): void
  remove(): void
  isPending: boolean
  /** The issues that the last change was refused for: they stay selected. */
  refusals: readonly Refusal[]
  forgetRefusals(): void
  element: ReactNode
}
interface Shown {
  field: ListingField
  rows: readonly Row[]
  anchor: Element | null
}

/** @param follow is called with the changed issue at the cursor */
export function useListingPickers(
  directory: Directory,
  selection: Selection,
  currentRow: () => Row | undefined,
  follow?: (changed: Row) => void
): ListingPickers {
  const [shown, setShown] = useState<Shown>()
  const { mutate, latest, isPending, refusals, reset } = useRowChanges(selection.renew)
  const removal = useRemoval(selection)
  const fields = fieldsOfListing(directory)
  const chosen = () => selectedOr(selection, currentRow())
  function open(name: string, anchor?: Element | null, of = chosen()): void {
    const field = fields.find(field => field.name === name)
    if (field && of.length > 0) setShown({ field, rows: of.map(latest), anchor: anchor ?? elementOf(currentRow()) })
  }
  function change(rows: readonly Row[], of: (row: Row) => FieldChange, onRefused?: () => void): void {
    const [what, undone] =
      rows.length === 1 ? [`${rows[0]!.key} is`, 'as before'] : [`${rows.length} issues are`, 'restored']
    const changes = rows.map(row => ({ row, change: of(row) }))
    removal.forget()
    mutate(
      { changes, title: `${what} changed`, undone: `${what} ${undone}` },
      {
        onSuccess: refused => refused.length > 0 && selection.select(refusedOf(rows, refused)),
        onError: () => onRefused?.()
      }
    )
    const own = rows.find(({ id }) => id === currentRow()?.id)
    if (own) follow?.(changedRow(own, of(own)))
  }
  function remove(): void {
    reset()
    removal.remove(chosen())
  }
  useCommands([
    ...fields.map(field => ({ ...commandOf(field, 'Issues'), run: () => open(field.name) })),
    { id: 'remove', title: 'Remove', words: 'delete', section: 'Issues', keys: ['delete'], isOnce: true, run: remove }
  ])
  const element = shown && (
    <shown.field.Picker
      {...{ label: shown.field.label, rows: shown.rows, anchor: shown.anchor, directory }}
      onChange={of => change(shown.rows, of)}
      onClose={() => setShown(undefined)}
    />
  )
  return {
    ...{ fields, open, change, remove, isPending: isPending || removal.isPending, element },
    refusals: [...refusals, ...removal.refusals],
    forgetRefusals() {
      reset()
      removal.forget()
    }
  }
}

/** The former rows: the rows in refusals already have the change. */
const refusedOf = (rows: readonly Row[], refused: readonly Refusal[]) =>
  rows.filter(({ id }) => refused.some(({ row }) => row.id === id))
const elementOf = (row: Row | undefined): Element | null =>
  row === undefined ? null : document.querySelector(`[data-row="${row.id}"]`)

function useRemoval(selection: Selection) {
  const client = useQueryClient()
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  const [isPending, setPending] = useState(false)
  /** Known at once: another key may come before the next render. */
  const isRunning = useRef(false)
  const pathOf = ({ id }: Row) => `/v1/issues/${id}`
  const refresh = () => client.invalidateQueries({ queryKey: ['issues'] })
  async function remove(rows: readonly Row[]): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    setPending(true)
    const items = rows.map(row => ({ row }))
    const refused = await forEachIssue(items, ({ row }) => api(pathOf(row), { method: 'DELETE' }))
    isRunning.current = false
    setPending(false)
    setRefusals(refused)
    selection.select(refused.map(({ row }) => row))
    const removed = items.filter(({ row }) => !refused.some(({ row: { id } }) => id === row.id))
    refresh()
    if (removed.length === 0) return
    const what = removed.length === 1 ? `${removed[0]!.row.key} is` : `${removed.length} issues are`
    offerUndo({
      title: `${what} removed`,
      undone: `${what} there again`,
      word: 'Restore',
      undo: () =>
        forEachIssue(removed, ({ row }) => api(`${pathOf(row)}/restore`, { method: 'POST' }))
          .then(Refused.throwIfAny)
          .finally(refresh)
    })
  }
  return { remove, isPending, refusals, forget: () => setRefusals([]) }
}
