import { mergeFilters } from '../../../../lib/filter/filters.ts'
import type { FieldChange } from '../list/row.ts'
import type { Row } from '../contract.ts'
import type { Filters } from '../data.ts'
import { isOfOpen, type ListingGroup } from './grouping.ts'

/** A column of the board, or of one of its rows of lanes. */
export interface Cell {
  id: string
  name: string
  group: ListingGroup
  lane: ListingGroup | undefined
  filters: Filters
  has: ((row: Row) => boolean) | undefined
  /** Undefined: an issue cannot be moved there. */
  change(row: Row, from: Cell): FieldChange | undefined
}

/**
 * The columns of each lane, one lane after the other.
 * @param ageFilters `filters` with the one for the age of closed issues, which is costly: open states do without it
 */
export function cellsOf(
  lanes: readonly ListingGroup[] | undefined,
  groups: readonly ListingGroup[],
  filters: Filters,
  ageFilters: Filters = filters
): Cell[] {
  return (lanes ?? [undefined]).flatMap(lane =>
    groups.map((group): Cell => {
      const has = group.has && (!lane || lane.has) && ((row: Row) => group.has!(row) && (!lane || lane.has!(row)))
      return {
        id: lane ? `${lane.id} ${group.id}` : group.id,
        name: group.name,
        group,
        lane,
        filters: mergeFilters(...(lane ? [lane.filters] : []), group.filters, isOfOpen(group) ? filters : ageFilters),
        has,
        change(row, from) {
          const changes = [
            from.group === group ? {} : group.change?.(row),
            from.lane === lane ? {} : lane?.change?.(row)
          ]
          return changes.includes(undefined) ? undefined : Object.assign({}, ...changes)
        }
      }
    })
  )
}
