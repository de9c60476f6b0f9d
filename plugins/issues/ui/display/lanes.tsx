import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { mergeFilters } from '../../../../lib/filter/filters.ts'
import { Icon } from '../../../ui/browser/contract.ts'
import { pageQuery, totalText, type Filters, type Order } from '../data.ts'
import { useGroupDisplay } from './column-head.tsx'
import styles from './display.module.css'
import type { ListingGroup } from './grouping.ts'

export interface Lane extends ListingGroup {
  totalText: string | undefined
}

/** The lanes that have issues. @returns undefined: the board has no lanes */
export function useShownLanes(
  lanes: readonly ListingGroup[] | undefined,
  filters: Filters,
  order: Order
): Lane[] | 'loading' | undefined {
  const pages = useQueries({
    queries: (lanes ?? []).map(lane => pageQuery(mergeFilters(lane.filters, filters), order, 1))
  })
  if (!lanes) return undefined
  if (pages.some(({ data, error }) => !data && !error)) return 'loading'
  return lanes.flatMap((lane, at) => {
    const page = pages[at]?.data
    // A column may have the same id.
    return page && page.total !== 0 ? [{ ...lane, id: `row:${lane.id}`, totalText: totalText(page) }] : []
  })
}

export function LaneRow({ lane, children }: { lane: Lane; children: ReactNode }) {
  const { isCollapsed, collapse } = useGroupDisplay('board')
  const isOpen = !isCollapsed(lane.id)
  return (
    <section className={styles['lane']} aria-label={lane.name}>
      <h2>
        <button type="button" aria-expanded={isOpen} onClick={() => collapse(lane.id)}>
          <Icon name="chevron" size={12} />
          {lane.icon}
          <span className={styles['laneName']}>{lane.name}</span>
          <span>{lane.totalText}</span>
        </button>
      </h2>
      {isOpen && <div className={styles['laneColumns']}>{children}</div>}
    </section>
  )
}
