import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import {
  Button,
  Empty,
  ErrorNote,
  Icon,
  Kbd,
  PageFrame,
  Skeleton,
  Time,
  useCommands
} from '../../ui/browser/contract.ts'
import { openCreate } from './create.tsx'
import { useDirectory, useLabels, useListing, type Directory, type Order } from './data.ts'
import { FilterBar, Select, useFilters } from './filters.tsx'
import styles from './list.module.css'
import { Assignee, LabelChip, PriorityIcon, StateIcon } from './symbols.tsx'

/** Pixels of a row. */
const ROW_HEIGHT = 40
const ORDERS: ReadonlyArray<readonly [Order, string]> = [
  ['updatedAt', 'Changed last'],
  ['createdAt', 'Filed last'],
  ['urgency', 'Most urgent']
]

/** All issues, a line each. */
export default function List() {
  const directory = useDirectory()
  if (!directory) {
    return (
      <PageFrame title="Issues">
        <Skeleton />
      </PageFrame>
    )
  }
  return (
    <PageFrame
      title="Issues"
      tools={
        <>
          <FilterBar directory={directory} withTeam={false} />
          <Select name="order" label="Order" options={ORDERS} />
        </>
      }
      actions={
        <Button onClick={() => openCreate()} aria-label="New issue">
          <Icon name="plus" />
          <Kbd keys="c" />
        </Button>
      }
    >
      <Rows directory={directory} />
    </PageFrame>
  )
}

function Rows({ directory }: { directory: Directory }) {
  const scroller = useRef<HTMLDivElement>(null)
  const cursor = useRef(-1)
  const [range, setRange] = useState({ first: 0, last: 0 })
  const [params] = useSearchParams()
  const labels = useLabels()
  const { filters } = useFilters(directory)
  const order = ORDERS.find(([name]) => name === params.get('order'))?.[0] ?? 'updatedAt'
  const listing = useListing(filters, order, range.first, range.last)
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are not kept between renders
  const virtualizer = useVirtualizer({
    count: listing.total ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    onChange({ range: inSight }) {
      if (inSight) setRange({ first: inSight.startIndex, last: inSight.endIndex })
    }
  })
  function step(by: number): void {
    const total = listing.total ?? 0
    if (total === 0) return
    cursor.current = Math.max(0, Math.min(cursor.current + by, total - 1))
    virtualizer.scrollToIndex(cursor.current)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${cursor.current}"]`)?.focus()
    )
  }
  useCommands([
    { id: 'down', title: 'Next issue', section: 'Issues', keys: ['j', 'arrowdown'], run: () => step(1) },
    { id: 'up', title: 'Previous issue', section: 'Issues', keys: ['k', 'arrowup'], run: () => step(-1) }
  ])
  const stateOf = new Map(directory.teams.flatMap(({ states }) => states).map(state => [state.id, state]))
  return (
    <div ref={scroller} className={styles['scroller']}>
      {listing.error !== null && listing.error !== undefined && <ErrorNote error={listing.error} />}
      {listing.total === 0 && (
        <Empty title="No issues here">
          Take a filter away, or file an issue: <Kbd keys="c" />
        </Empty>
      )}
      <ul style={{ height: virtualizer.getTotalSize() }} aria-label="Issues">
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = listing.row(index)
          return (
            <li key={row?.id ?? index} style={{ transform: `translateY(${start}px)` }}>
              {row && (
                <Link
                  href={`/issue/${row.key}`}
                  className={styles['row']!}
                  data-index={index}
                  tabIndex={index === 0 ? 0 : -1}
                  aria-label={`${row.key} ${row.title}`}
                  onFocus={() => {
                    cursor.current = index
                  }}
                >
                  <PriorityIcon priority={row.priority} />
                  <span className={styles['key']}>{row.key}</span>
                  <StateIcon category={stateOf.get(row.stateId)?.category ?? row.stateCategory} />
                  <span className={styles['title']}>{row.title}</span>
                  <span className={styles['labels']}>
                    {labels
                      .filter(({ id }) => row.labelIds.includes(id))
                      .map(label => (
                        <LabelChip key={label.id} label={label} />
                      ))}
                  </span>
                  <Time at={row.updatedAt} />
                  <span className={styles['who']}>
                    <Assignee row={row} members={directory.members} />
                  </span>
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
