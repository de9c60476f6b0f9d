import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { announce, messageOf, offerUndo } from '../../ui/browser/contract.ts'
import type { FieldChange, Row } from './contract.ts'
import { latestRow, PER_PAGE, type Filters, type Order, type Page } from './data.ts'
import { inverseOf } from './inverse.ts'
import { sendChange } from './send.ts'

export type { FieldChange } from './contract.ts'

/** A change of one issue among several. */
export interface RowChange {
  row: Row
  change: FieldChange
  /** The change that undoes it, where rows do not tell it. */
  back?: FieldChange | undefined
}

/** One request for any number of issues. The revisions prevent lost updates. */
function send(changes: ReadonlyArray<{ row: Row; change: object }>): Promise<unknown> {
  const [first] = changes
  if (first && changes.length === 1) {
    return sendChange(`/v1/issues/${first.row.id}`, { ...first.change, rev: first.row.rev })
  }
  const issues = changes.map(({ row: { id, rev }, change }) => ({ issueId: id, rev, ...change }))
  return sendChange('/v1/issues/bulk_change', { issues })
}

const KEY = ['issues']

/** Changes issues of a listing: optimistically, and back when the change is refused. Ctrl Z undoes it. */
export function useRowChanges() {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: KEY })
  /** The displayed row, which may have changed since it was selected, or since a drag of it began. */
  const latest = (row: Row): Row => latestRow(client, row.id) ?? row
  const mutation = useMutation({
    mutationKey: KEY,
    // In sequence: two changes of one issue must not overtake each other.
    scope: { id: 'issues' },
    mutationFn: ({ changes }: { changes: readonly RowChange[]; title: string; undone: string }) =>
      send(changes.map(({ row, change }) => ({ row: latest(row), change }))),
    /** Synchronous: the next key acts on the changed rows. @returns the rows before the change */
    onMutate({ changes }) {
      client.cancelQueries({ queryKey: KEY })
      const before = changes.map(({ row }) => latest(row))
      changes.forEach(({ change }, at) => showChanged(client, { row: before[at]!, change }))
      return before
    },
    onSuccess(_, { changes, title, undone }, rows) {
      const inverse = changes.flatMap(({ change, back }, at) => {
        const before = back ?? inverseOf(rows[at]!, change)
        return before ? [{ row: rows[at]!, change: before }] : []
      })
      offerUndo({ title, undone, undo: () => send(inverse).finally(refresh) })
    },
    onError: error => announce(messageOf(error)),
    // Fetching during another change may return the state before it: the last one fetches.
    onSettled: () => (client.isMutating({ mutationKey: KEY }) === 1 ? refresh() : undefined)
  })
  return { ...mutation, latest }
}

/** An issue with a change that the server has not answered yet. */
export function changedRow<T extends Row>(row: T, change: FieldChange): T {
  const { addLabelIds = [], removeLabelIds = [], ...fields } = change
  return { ...row, ...fields, labelIds: [...row.labelIds.filter(id => !removeLabelIds.includes(id)), ...addLabelIds] }
}

/** Shows a change before the server has answered. */
function showChanged(client: QueryClient, { row, change }: RowChange): void {
  const changed = changedRow(row, change)
  const keys = client
    .getQueryCache()
    .findAll({ queryKey: KEY })
    .map(({ queryKey }) => queryKey as readonly ['issues', Filters, Order, number])
  for (const key of keys) {
    const [, filters, order, page] = key
    client.setQueryData<Page>(key, data => data && pageWith(data, row, changed, { filters, order, page }))
  }
}

/** The property of a row that each of these keys filters. */
const PROPERTIES: Readonly<Record<string, string>> = {
  state: 'stateId',
  priority: 'priority',
  assignee: 'assigneeId',
  label: 'labelIds',
  project: 'projectId',
  cycle: 'cycleId',
  parent: 'parentId'
}
/** Rows have them unless they are empty. */
const IN_ROWS = new Set(['stateId', 'priority', 'assigneeId', 'labelIds'])
const isValue = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^[\da-f-]{36}$/.test(value))

/**
 * Whether a row is in a group, whose condition is the first one of its key.
 * @param isListed what holds for a condition that the row does not tell
 * @returns undefined if the filters have no group
 */
function isInGroup(filters: Filters, row: Row, isListed: boolean): boolean | undefined {
  const properties = new Map<string, unknown>(Object.entries(row))
  const answers = Object.entries(PROPERTIES).flatMap(([key, property]) => {
    const [entry] = [filters[key]].flat()
    if (typeof entry !== 'object') return []
    const values = [properties.get(property) ?? []].flat()
    const isTold = IN_ROWS.has(property) || properties.has(property)
    if (entry.filterType === 'UNDEFINED') return [isTold ? values.length === 0 : isListed]
    const ofGroup: unknown = entry.filterType === 'IS' ? entry.value : undefined
    // A typed filter has names.
    if (!Array.isArray(ofGroup) || !ofGroup.every(isValue)) return []
    return [isTold ? values.some(value => ofGroup.includes(value)) : isListed]
  })
  return answers.length === 0 ? undefined : answers.every(Boolean)
}

interface Place {
  filters: Filters
  order: Order
  page: number
}
function pageWith(data: Page, before: Row, changed: Row, { filters, order, page }: Place): Page {
  const sorted = (issues: Row[]) =>
    order === 'sortOrder' ? issues.toSorted((a, b) => a.sortOrder - b.sortOrder) : issues
  const others = data.issues.filter(({ id }) => id !== changed.id)
  const isListed = others.length < data.issues.length
  const isHere = isInGroup(filters, changed, isListed)
  if (isHere === undefined) {
    return { ...data, issues: sorted(data.issues.map(row => (row.id === changed.id ? changed : row))) }
  }
  const added = (isHere ? 1 : 0) - (isInGroup(filters, before, isListed) ? 1 : 0)
  const rest = { ...data, ...(data.total !== undefined && { total: data.total + added }) }
  const isLast = data.nextCursor === null && others.length < PER_PAGE
  if (!isHere || !fits(others, changed, { order, page, isLast })) return { ...rest, issues: others }
  return { ...rest, issues: sorted([changed, ...others]) }
}

/**
 * True if a row belongs to a page: the last changed one to the first, a manually ordered one between its neighbours.
 */
function fits(
  rows: readonly Row[],
  { sortOrder }: Row,
  { order, page, isLast }: Omit<Place, 'filters'> & { isLast: boolean }
) {
  if (order !== 'sortOrder') return page === 1
  const [first, last] = [rows[0], rows.at(-1)]
  return (page === 1 || (first && first.sortOrder <= sortOrder)) && (isLast || (last && sortOrder <= last.sortOrder))
}

/**
 * The numbers that put a row before the one at `index` of a column. Rows with equal numbers (created together) after it
 * get new numbers, too.
 */
export function placesAt(row: Row, index: number, at: (index: number) => Row | undefined): RowChange[] {
  const neighbour = (from: number, by: 1 | -1) => {
    const other = at(from)
    return other?.id === row.id ? at(from + by) : other
  }
  const before = neighbour(index - 1, -1)
  const after = neighbour(index, 1)
  const place = (sortOrder: number): RowChange[] => [{ row, change: { sortOrder } }]
  if (!before && !after) return []
  if (!before) return place(after!.sortOrder - 1)
  if (!after) return place(before.sortOrder + 1)
  if (before.sortOrder < after.sortOrder) return place((before.sortOrder + after.sortOrder) / 2)
  const same: Row[] = []
  let next = at(index)
  for (let n = index; next && next.sortOrder === before.sortOrder && same.length < PER_PAGE - 1; next = at(++n)) {
    if (next.id !== row.id) same.push(next)
  }
  const room = (next ? next.sortOrder : before.sortOrder + 1) - before.sortOrder
  return [row, ...same].map((each, n, all) => ({
    row: each,
    change: { sortOrder: before.sortOrder + (room * (n + 1)) / (all.length + 1) }
  }))
}
