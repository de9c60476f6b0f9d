import { storedState, type Widths } from '../../../ui/browser/contract.ts'
import { propertiesOf } from '../display/properties.ts'

const WIDTHS = {
  key: { least: 44, usual: 64, most: 160 },
  labels: { least: 60, usual: 180, most: 480 },
  dueDate: { least: 44, usual: 72, most: 160 },
  updatedAt: { least: 44, usual: 64, most: 160 },
  assignee: { least: 28, usual: 28, most: 240 }
} as const satisfies Record<string, Widths>
type ColumnId = keyof typeof WIDTHS

const NAME_FROM = 90

const ids = Object.keys(WIDTHS) as ColumnId[]
const state = storedState<Partial<Record<ColumnId, number>>>('tracker.listColumns', {})

export interface Column {
  id: string
  title: string
  width: number
  widths: Widths
  resize: (width: number) => void
}

export function useColumns(): readonly Column[] {
  const widths = state.use()
  const titles = new Map(propertiesOf('list').map(({ id, title }) => [id, title]))
  return ids.map(id => ({
    ...{ id, title: titles.get(id) ?? id, width: widths[id] ?? WIDTHS[id].usual, widths: WIDTHS[id] },
    resize: width => state.change({ [id]: width })
  }))
}

export const styleOf = (columns: readonly Column[]): Record<string, string> =>
  Object.fromEntries(columns.map(({ id, width }) => [`--width-${id}`, `${width}px`]))

export const hasNames = (columns: readonly Column[]): boolean =>
  columns.some(({ id, width }) => id === 'assignee' && width >= NAME_FROM)
