import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { announce, messageOf, offerUndo } from '../../../ui/browser/contract.ts'
import { teamOfState } from '../../../workspace/ui/contract.ts'
import { directoryQuery, latestRow, type Directory } from '../data.ts'
import { changedRow, type FieldChange, type Row } from '../list/row.ts'
import { inverseOf } from './inverse.ts'
import { Refused, sendChanges, type Refusal } from './send-changes.ts'
import { showChanged } from './shown-changes.ts'

export interface RowChange {
  row: Row
  change: FieldChange
  /** The change that undoes it, if it does not follow from the row. */
  back?: FieldChange | undefined
}
interface Changes {
  changes: readonly RowChange[]
  /** `3 issues are changed` */
  title: string
  /** `3 issues are as before` */
  undone: string
}

const KEY = ['issues']

function withTeam(client: QueryClient, row: Row): Row & { teamId?: string } {
  const teams = client.getQueryData<Directory>(directoryQuery.queryKey)?.teams ?? []
  const team = teamOfState(teams, row.stateId)
  return { ...row, ...(team && { teamId: team.id }) }
}

/**
 * Changes issues of a listing: optimistically, and back where a change is refused; the others stay. Ctrl Z undoes all
 * of them.
 * @param renew is called with the changed issues, and with the former ones of refused changes
 */
export function useRowChanges(renew?: (rows: readonly Row[]) => void) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: KEY })
  /** The displayed row, which may have changed since it was selected, or since a drag of it began. */
  const latest = (row: Row): Row => latestRow(client, row.id) ?? row
  const mutation = useMutation({
    mutationKey: KEY,
    // In sequence: two changes of one issue must not overtake each other.
    scope: { id: 'issues' },
    /** @returns the refused ones @throws if all are */
    async mutationFn({ changes }: Changes): Promise<Refusal[]> {
      const refusals = await sendChanges(changes.map(({ row, change }) => ({ row: latest(row), change })))
      if (refusals.length === changes.length) throw new Refused(refusals)
      return refusals
    },
    /** Synchronous: the next key acts on the changed rows. @returns the rows before the change */
    onMutate({ changes }) {
      client.cancelQueries({ queryKey: KEY })
      const before = changes.map(({ row }) => latest(row))
      const all = changes.map(({ change }, at) => ({ row: before[at]!, change }))
      showChanged(client, all)
      renew?.(all.map(({ row, change }) => changedRow(row, change)))
      return before
    },
    onSuccess(refusals, { changes, title, undone }, rows) {
      const isRefused = ({ id }: Row) => refusals.some(({ row }) => row.id === id)
      renew?.(rows.filter(isRefused))
      const inverse = changes.flatMap(({ change, back }, at) => {
        const row = rows[at]!
        const before = back ?? inverseOf(withTeam(client, row), change)
        return before && !isRefused(row) ? [{ row, change: before }] : []
      })
      const undo = () => sendChanges(inverse).then(Refused.throwIfAny).finally(refresh)
      const done = changes.length - refusals.length
      if (done === changes.length) return offerUndo({ title, undone, undo })
      offerUndo({
        title: `${done} of ${changes.length} issues are changed`,
        undone: `${done} issues are restored`,
        undo
      })
    },
    onError(error, _changes, rows = []) {
      renew?.(rows)
      announce(messageOf(error))
    },
    // Fetching during another change may return the state before it: the last one fetches.
    onSettled: () => (client.isMutating({ mutationKey: KEY }) === 1 ? refresh() : undefined)
  })
  const { mutate, isPending, error, data, reset } = mutation
  return {
    mutate,
    isPending,
    latest,
    reset,
    error,
    refusals: error instanceof Refused ? error.refusals : (data ?? [])
  }
}
