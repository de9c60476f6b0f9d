import { useQueries } from '@tanstack/react-query'
import { mergeFilters } from '../../../../lib/filter/filters.ts'
import type { Row } from '../contract.ts'
import { pageQuery, PER_PAGE, totalText, type Filters, type Order } from '../data.ts'
import type { ListingGroup } from '../display/grouping.ts'

export interface Group extends ListingGroup {
  isCollapsed: boolean
}
export const groupsOfList = (
  groups: readonly ListingGroup[] | undefined,
  filters: Filters,
  isCollapsed: (id: string) => boolean
): Group[] =>
  (groups ?? [{ id: '', name: '', filters: {} }]).map(group => ({
    ...group,
    filters: mergeFilters(group.filters, filters),
    isCollapsed: isCollapsed(group.id)
  }))

export type Line = { heading: Group; totalText: string | undefined } | { group: Group; row: Row | undefined }
export interface GroupedListing {
  /** The number of lines; undefined until the totals of all groups are loaded. */
  total: number | undefined
  error: unknown
  line(index: number): Line | undefined
}
const isPage = (group: Group, page: number) => (each: { group: Group; page: number }) =>
  each.group === group && each.page === page

interface Place {
  group: Group
  /** The lines of the group, and of its issues, which follow its heading. */
  start: number
  rowsStart: number
  end: number
}
function placesOf(groups: readonly Group[], totals: readonly number[]): Place[] {
  let end = 0
  return groups.map((group, at) => {
    const total = totals[at]!
    const start = end
    const rowsStart = start + (group.name !== '' && total > 0 ? 1 : 0)
    end = rowsStart + (group.isCollapsed ? 0 : total)
    return { group, start, rowsStart, end }
  })
}

/**
 * The issues of some groups, one after the other. Of each group the first page, which has its total, and the pages of
 * some lines are fetched.
 * @param first and `last`: these lines
 */
export function useGroups(groups: readonly Group[], order: Order, first: number, last: number): GroupedListing {
  const firstPages = useQueries({ queries: groups.map(({ filters }) => pageQuery(filters, order, 1)) })
  const totals = firstPages.map(({ data }) => data?.total ?? 0)
  const places = placesOf(groups, totals)
  const end = places.at(-1)?.end ?? 0
  const pageRequests = places.flatMap(({ group, rowsStart, end }) => {
    const from = Math.floor(Math.max(0, first - rowsStart) / PER_PAGE) + 1
    const to = Math.floor((Math.min(last, end - 1) - rowsStart) / PER_PAGE) + 1
    const inSight = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => ({ group, page: from + n }))
    return inSight.filter(({ page }) => page > 1)
  })
  const pages = useQueries({ queries: pageRequests.map(({ group, page }) => pageQuery(group.filters, order, page)) })
  return {
    total: firstPages.every(({ data }) => data) ? end : undefined,
    error: firstPages.find(({ error }) => error)?.error,
    line(index) {
      const place = places.find(({ start, end }) => index >= start && index < end)
      if (!place) return undefined
      const { group, rowsStart } = place
      const firstPage = firstPages[places.indexOf(place)]
      if (index < rowsStart) return { heading: group, totalText: totalText(firstPage?.data ?? {}) }
      const at = index - rowsStart
      const page = Math.floor(at / PER_PAGE) + 1
      const loaded = page === 1 ? firstPage : pages[pageRequests.findIndex(isPage(group, page))]
      return { group, row: loaded?.data?.issues[at % PER_PAGE] }
    }
  }
}
