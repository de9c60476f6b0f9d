import { useSearchParams } from 'wouter'
import { contributions } from '../../../ui/browser/contract.ts'
import { mergeFilters } from '../../../../lib/filter/filters.ts'
import { savedListings, type Display, type Layout, type SavedListing } from '../contract.ts'
import type { Filters, Order } from '../data.ts'

/* How a listing is displayed: as the address says, else as the stored listing that it names, else as usual. */

export const ORDERS: ReadonlyArray<readonly [Order, string]> = [
  ['updatedAt', 'Last updated'],
  ['createdAt', 'Last created'],
  ['urgency', 'Most urgent'],
  ['number', 'By number'],
  ['sortOrder', 'Manual']
]
export const pathOf = (layout: Layout): string => (layout === 'board' ? '/board' : '/issues')

/** Days after which closed issues leave boards. */
const BOARD_DAYS = 14
export const usual = (layout: Layout): Display => ({
  orderBy: 'updatedAt',
  groupBy: layout === 'board' ? 'state' : null,
  subGroupBy: null,
  properties: [],
  hiddenGroups: [],
  collapsedGroups: [],
  closedWithinDays: layout === 'board' ? BOARD_DAYS : null
})

const PARAMS = {
  orderBy: 'order',
  groupBy: 'group',
  subGroupBy: 'rows',
  properties: 'show',
  hiddenGroups: 'hide',
  collapsedGroups: 'fold',
  closedWithinDays: 'closed'
} as const satisfies Record<keyof Display, string>
const FORMER: Readonly<Record<string, string>> = { status: 'state' }

const listOf = (text: string | null) => (text === null || text === '' ? [] : text.split(','))
/** Null: not in the address. An empty parameter is none. */
function read(params: URLSearchParams): { [K in keyof Display]: Display[K] | undefined } {
  const value = <T>(part: keyof Display, of: (text: string) => T): T | undefined => {
    const text = params.get(PARAMS[part])
    return text === null ? undefined : of(text)
  }
  const grouping = (text: string) => (text === '' ? null : (FORMER[text] ?? text))
  return {
    orderBy: value('orderBy', () => orderOf(params)),
    groupBy: value('groupBy', grouping),
    subGroupBy: value('subGroupBy', grouping),
    properties: value('properties', listOf),
    hiddenGroups: value('hiddenGroups', listOf),
    collapsedGroups: value('collapsedGroups', listOf),
    closedWithinDays: value('closedWithinDays', text => (/^\d{1,4}$/.test(text) ? Number(text) : null))
  }
}

/** The order of an address; a stored listing may have another. */
export const orderOf = (params: URLSearchParams): Order =>
  ORDERS.find(([order]) => order === params.get(PARAMS.orderBy))?.[0] ?? 'updatedAt'

const parts = Object.keys(PARAMS) as Array<keyof Display>
const textOf = (value: Display[keyof Display]) => (value === null ? '' : String(value))

const NO_SOURCE = { useSaved: () => undefined }
export function useSavedListing(): SavedListing | 'loading' | 'missing' | undefined {
  const [params] = useSearchParams()
  const { useSaved } = contributions(savedListings)[0] ?? NO_SOURCE
  return useSaved(params)
}
const shownListing = (saved: ReturnType<typeof useSavedListing>) => (typeof saved === 'object' ? saved : undefined)

export interface ShownDisplay {
  display: Display
  isChanged: boolean
  /** Writes a part into the address, unless it is as usual, or as in the stored listing. */
  change(changed: Partial<Display>): void
}
export function useDisplay(layout: Layout): ShownDisplay {
  const [params, setParams] = useSearchParams()
  const saved = shownListing(useSavedListing())
  const own = usual(layout)
  const base: Display = saved ? { ...saved.display, groupBy: saved.display.groupBy ?? own.groupBy } : own
  const fromAddress = Object.entries(read(params)).filter(([, value]) => value !== undefined)
  const display: Display = { ...base, ...Object.fromEntries(fromAddress) }
  // A board has columns.
  const groupBy = display.groupBy ?? own.groupBy
  return {
    display: { ...display, groupBy },
    isChanged:
      params.has('filter') ||
      parts.some(part => params.has(PARAMS[part])) ||
      (saved !== undefined && saved.layout !== layout),
    change: changed =>
      setParams(
        now => {
          const next = new URLSearchParams(now)
          for (const part of parts) {
            const value = changed[part]
            if (value === undefined) continue
            if (textOf(value) === textOf(base[part])) next.delete(PARAMS[part])
            else next.set(PARAMS[part], textOf(value))
          }
          return next
        },
        { replace: true }
      )
  }
}

export function withoutChanges(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const name of ['filter', ...Object.values(PARAMS)]) next.delete(name)
  return next
}

export function withAllClosed(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params)
  next.set(PARAMS.closedWithinDays, textOf(null))
  return next
}

/** True if the address says more than the team and the order. */
export const hasOwnDisplay = (params: URLSearchParams): boolean =>
  params.has(SAVED) || parts.some(part => part !== 'orderBy' && params.has(PARAMS[part]))

const SAVED = 'view'

export const withAge = (filters: Filters, { closedWithinDays }: Display): Filters =>
  closedWithinDays === null
    ? filters
    : mergeFilters(filters, { closedWithinDays: { filterType: 'IS', value: closedWithinDays } })
