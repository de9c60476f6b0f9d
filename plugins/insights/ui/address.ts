import { useSearchParams } from 'wouter'
import { addDays, mondayOf, today } from '../../ui/browser/contract.ts'

/** Whole weeks until today, the present one included. */
export const RANGES = [
  { id: '4w', title: '4 weeks', weeks: 4 },
  { id: '12w', title: '12 weeks', weeks: 12 },
  { id: '1y', title: 'A year', weeks: 52 }
] as const
const USUAL = RANGES[1]
export const OWN_DAYS = 'own'

export type By = 'week' | 'assignee' | 'agent' | 'label'
export const GROUPINGS: ReadonlyArray<{ id: By; title: string }> = [
  { id: 'week', title: 'By week' },
  { id: 'assignee', title: 'By assignee' },
  { id: 'agent', title: 'By agent' },
  { id: 'label', title: 'By label' }
]

export interface Selection {
  team: string | undefined
  project: string | undefined
  /** `YYYY-MM-DD`, as `to`. */
  from: string
  to: string
}
/** The group of a figure; null: no group; undefined: all. */
export type GroupId = string | null | undefined
export type OpenIssues = (figure: string, group?: GroupId) => void

export interface Address {
  selection: Selection
  /** The id of a range, or `OWN_DAYS`. */
  range: string
  by: By
  figure: string | undefined
  /** `none`: no group. */
  group: string | undefined
  change(values: Readonly<Record<string, string | undefined>>): void
}

const firstOf = (weeks: number, last: string): string => addDays(mondayOf(last), -7 * (weeks - 1))

const DAY = /^\d{4}-\d\d-\d\d$/
export const isDay = (text: string | undefined): text is string =>
  text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text))

export function useAddress(): Address {
  const [params, setParams] = useSearchParams()
  const text = (name: string) => params.get(name) || undefined
  const day = (name: string) => {
    const value = text(name)
    return isDay(value) ? value : undefined
  }
  const from = day('from')
  const to = day('to') ?? today()
  const { id, weeks } = RANGES.find(({ id }) => id === text('range')) ?? USUAL
  return {
    selection: { team: text('team'), project: text('project'), from: from ?? firstOf(weeks, to), to },
    range: from === undefined && day('to') === undefined ? id : OWN_DAYS,
    by: GROUPINGS.find(({ id }) => id === text('by'))?.id ?? 'week',
    figure: text('figure'),
    group: text('group'),
    change: values =>
      setParams(
        now => {
          const next = new URLSearchParams(now)
          for (const [name, value] of Object.entries(values)) {
            if (value === undefined) next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace: true }
      )
  }
}
