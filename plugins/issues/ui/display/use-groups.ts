import { useQuery } from '@tanstack/react-query'
import { contributions } from '../../../ui/browser/contract.ts'
import { groupings } from '../contract.ts'
import type { Directory, Team } from '../data.ts'
import type { Grouping, ListingGroup } from './grouping.ts'
import { ownGroupings } from './own-groupings.tsx'

export const allGroupings = (): Grouping[] =>
  [...ownGroupings, ...contributions(groupings)].toSorted((a, b) => a.order - b.order)

/** False for a grouping of a plugin that is off. */
export const isGrouping = (id: string | null): boolean => allGroupings().some(grouping => grouping.id === id)

const nothing = { queryKey: ['nothing'], queryFn: () => Promise.resolve(null) }

/**
 * The groups of a grouping.
 * @param id null, or the grouping of a plugin that is off: none
 * @returns undefined: there is no grouping, or its names are not loaded
 */
export function useListingGroups(
  id: string | null,
  directory: Directory,
  team: Team | undefined
): ListingGroup[] | undefined {
  const grouping = allGroupings().find(grouping => grouping.id === id)
  const query = grouping?.query
  const { data } = useQuery({ ...(query ?? nothing), enabled: query !== undefined })
  if (!grouping || (query && data === undefined)) return undefined
  return grouping.groups({ directory, team, data })
}
