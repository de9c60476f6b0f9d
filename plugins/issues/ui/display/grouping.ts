import type { ReactNode } from 'react'
import type { Filters } from '../../../../lib/filter/filters.ts'
import { isClosed, type Directory, type StateCategory, type Team } from '../../../workspace/ui/contract.ts'
import type { FieldChange, Row } from '../list/row.ts'

/** A group of the issues of a listing: a column, a row of lanes, or a part of a list with a heading. */
export interface ListingGroup {
  /** As views store it: the id of a state, a number of a priority, `none`. */
  id: string
  name: string
  icon?: ReactNode
  /** Set if the states of all its issues have this category. */
  category?: StateCategory
  /** Only the issues of the group; empty: all. */
  filters: Filters
  /** Undefined: not known from a row. */
  has?(row: Row): boolean
  /** Puts an issue into the group; without it, or when it is undefined, an issue cannot be moved there. */
  change?(row: Pick<Row, 'stateId'>): FieldChange | undefined
  /** The values of a new issue in the group; default: those of `change`. */
  created?: FieldChange
}
export const isOfClosed = ({ category }: ListingGroup): boolean => category !== undefined && isClosed(category)
/** True for a group of open states; both are false where the group is no state. */
export const isOfOpen = ({ category }: ListingGroup): boolean => category !== undefined && !isClosed(category)

export const NONE = 'none'

export interface GroupNames {
  directory: Directory
  /** The team of the listing; undefined: all teams. */
  team: Team | undefined
  data: unknown
}
/** A property by which issues can be grouped. Plugins contribute those of their own properties. */
export interface Grouping {
  /** As views store it: `groupBy`. */
  id: string
  title: string
  order: number
  /** Names that it needs beside teams and members. */
  query?: {
    queryKey: readonly unknown[]
    queryFn(options: { signal: AbortSignal }): Promise<unknown>
    staleTime?: number
  }
  groups(names: GroupNames): ListingGroup[]
}

export const isOneOf = (key: string, ...value: unknown[]): Filters => ({ [key]: { filterType: 'IS', value } })
export const isWithout = (key: string): Filters => ({ [key]: { filterType: 'UNDEFINED' } })

/** The groups of a property that has at most one value, such as a project, and the group of those without it. */
export const groupsOfReference = (
  key: 'project' | 'cycle' | 'parent' | 'assignee',
  values: ReadonlyArray<{ id: string; name: string; icon?: ReactNode }>,
  none: { name: string; icon?: ReactNode },
  change: (id: string | null) => FieldChange
): ListingGroup[] => [
  ...values.map(({ id, name, icon }) => ({
    ...{ id, name, icon, filters: isOneOf(key, id) },
    has: (row: Row) => row[`${key}Id`] === id,
    change: () => change(id)
  })),
  {
    ...{ ...none, id: NONE, filters: isWithout(key) },
    has: row => (row[`${key}Id`] ?? null) === null,
    change: () => change(null)
  }
]
