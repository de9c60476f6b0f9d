import { notifyManager, type QueryClient } from '@tanstack/react-query'
import { changedRow, type FieldChange, type Row } from '../list/row.ts'
import { PER_PAGE, type Filters, type Order, type Page } from '../data.ts'

/** Shows changes before the server has answered, all at once. */
export function showChanged(client: QueryClient, changes: ReadonlyArray<{ row: Row; change: FieldChange }>): void {
  const changed = changes.map(({ row, change }) => ({ row, changed: changedRow(row, change) }))
  notifyManager.batch(() => {
    for (const { queryKey } of client.getQueryCache().findAll({ queryKey: ['issues'] })) {
      const [, filters, order, page] = queryKey as readonly ['issues', Filters, Order, number]
      client.setQueryData<Page>(
        queryKey,
        data =>
          data &&
          changed.reduce((shown, { row, changed }) => pageWith(shown, row, changed, { filters, order, page }), data)
      )
    }
  })
}

const PROPERTIES: Readonly<Record<string, string>> = {
  state: 'stateId',
  priority: 'priority',
  assignee: 'assigneeId',
  label: 'labelIds',
  project: 'projectId',
  cycle: 'cycleId',
  parent: 'parentId'
}
const isValue = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^[\da-f-]{36}$/.test(value))

/**
 * True if a row is in the group of these filters, whose condition is the first one of its key.
 * @returns undefined if the filters have no group
 */
function isInGroup(filters: Filters, row: Row): boolean | undefined {
  const properties = new Map<string, unknown>(Object.entries(row))
  const answers = Object.entries(PROPERTIES).flatMap(([key, property]) => {
    const [entry] = [filters[key]].flat()
    if (typeof entry !== 'object') return []
    const values = [properties.get(property) ?? []].flat()
    if (entry.filterType === 'UNDEFINED') return [values.length === 0]
    const ofGroup: unknown = entry.filterType === 'IS' ? entry.value : undefined
    // A typed filter has names.
    if (!Array.isArray(ofGroup) || !ofGroup.every(isValue)) return []
    return [values.some(value => ofGroup.includes(value))]
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
  const isHere = isInGroup(filters, changed)
  if (isHere === undefined) {
    return { ...data, issues: sorted(data.issues.map(row => (row.id === changed.id ? changed : row))) }
  }
  const added = (isHere ? 1 : 0) - (isInGroup(filters, before) ? 1 : 0)
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
