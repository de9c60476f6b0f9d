import { useQueryClient } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { ErrorNote, usePrinting } from '../../../ui/browser/contract.ts'
import type { Row } from '../contract.ts'
import {
  loadedListing,
  rowIn,
  useListing,
  useRangeToLoad,
  type Filters,
  type LoadedListing,
  type Label,
  type Member,
  type Order,
  type Pages,
  type Team
} from '../data.ts'
import type { Cell } from '../display/cells.ts'
import { ColumnHead, OlderNote } from '../display/column-head.tsx'
import { isOfClosed } from '../display/grouping.ts'
import { focusRow } from '../focus.ts'
import { useScrollPlace } from '../return-place.ts'
import styles from './board.module.css'
import { Card, estimatedHeight, type CardHandlers } from './card.tsx'
import { useDropping, type Drop, type Slot } from './dropping.ts'

/** Pixels between two cards, as in the style sheet. */
const GAP = 6

export interface ColumnHandle extends LoadedListing {
  focus(index: number): void
}
interface ColumnProps {
  cell: Cell
  /** The team of the board; undefined: all teams. */
  team: Team | undefined
  order: Order
  selected: ReadonlySet<string>
  members: readonly Member[]
  labels: readonly Label[]
  handlers: CardHandlers
  onDrop: Drop
  onHandle: (handle: ColumnHandle | undefined) => void
}

export function Column(props: ColumnProps) {
  const { cell, team, order, selected, members, labels, handlers, onDrop, onHandle } = props
  const column = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const client = useQueryClient()
  const { id, name, filters } = cell
  const { listing, virtualizer } = useCards(scroller, filters, order)
  const total = listing.total ?? 0
  const places = () => virtualizer.measurementsCache
  const over = useDropping(column, scroller, places, onDrop)
  const slot = over && slotOf(over, cell, order, total)
  useScrollPlace(scroller, id, total > 0)
  // In the commit phase: the focused element may just have been moved.
  useLayoutEffect(() => {
    const loaded = loadedListing(client, filters, order)
    onHandle({
      ...loaded,
      focus(index) {
        virtualizer.scrollToIndex(index)
        focusRow(scroller.current, index, loaded.row(index)?.id)
      }
    })
    return () => onHandle(undefined)
  })
  return (
    <section
      ref={column}
      className={styles['column']}
      aria-label={cell.lane ? `${cell.lane.name}: ${name}` : name}
      data-over={over !== undefined || undefined}
    >
      {!cell.lane && <ColumnHead group={cell.group} team={team} totalText={listing.totalText} />}
      {!cell.lane && isOfClosed(cell.group) && <OlderNote />}
      {listing.error != null && <ErrorNote error={listing.error} />}
      <div ref={scroller} className={styles['scroller']}>
        <Cards
          {...{ cell, selected, members, labels, handlers, listing, virtualizer, slot, isOver: over !== undefined }}
        />
      </div>
    </section>
  )
}

interface CardsProps extends ReturnType<typeof useCards> {
  cell: Cell
  selected: ReadonlySet<string>
  members: readonly Member[]
  labels: readonly Label[]
  handlers: CardHandlers
  slot: Slot | undefined
  isOver: boolean
}
function Cards({ listing, virtualizer, cell, selected, slot, isOver, ...shown }: CardsProps) {
  const startOf = (index: number) => virtualizer.measurementsCache[index]?.start ?? virtualizer.getTotalSize()
  return (
    <ul style={{ height: virtualizer.getTotalSize() + (slot?.height ?? 0) }} data-shifting={isOver || undefined}>
      {slot && (
        <li
          className={styles['slot']}
          aria-hidden
          style={{ height: slot.height, transform: `translateY(${startOf(slot.index)}px)` }}
        />
      )}
      {virtualizer.getVirtualItems().map(({ index, start, size }) => {
        const row = listing.row(index)
        const shift = slot && index >= slot.index ? slot.height + GAP : 0
        return (
          <li
            key={row?.id ?? index}
            ref={virtualizer.measureElement}
            data-place={index}
            // A row that is not loaded takes the place that it will have.
            style={{ transform: `translateY(${start + shift}px)`, ...(!row && { height: size }) }}
          >
            {row && <Card row={row} index={index} cellId={cell.id} isSelected={selected.has(row.id)} {...shown} />}
          </li>
        )
      })}
    </ul>
  )
}

function useCards(scroller: RefObject<HTMLDivElement | null>, filters: Filters, order: Order) {
  const { first, last, noteInSight } = useRangeToLoad()
  const listing = useListing(filters, order, first, last)
  const isPrinting = usePrinting()
  const places = usePlaces(listing.pages, JSON.stringify([filters, order]))
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are not kept between renders
  const virtualizer = useVirtualizer({
    count: listing.total ?? 0,
    getScrollElement: () => scroller.current,
    // A card that gets another place keeps its height. With another function, all places are computed again.
    getItemKey: useCallback((index: number) => rowIn(places, index)?.id ?? index, [places]),
    estimateSize: index => rowIn(places, index)?.height ?? estimatedHeight(undefined),
    indexAttribute: 'data-place',
    // Its observer reports the size after the layout: to measure here would force a layout for each card.
    measureElement: (element, entry, { measurementsCache }) =>
      Math.round(
        entry?.borderBoxSize[0]?.blockSize ??
          measurementsCache[Number(element.getAttribute('data-place'))]?.size ??
          estimatedHeight(undefined)
      ),
    overscan: isPrinting ? (listing.total ?? 0) : 5,
    onChange: noteInSight
  })
  return { listing, virtualizer }
}

interface Place {
  id: string
  /** Estimated pixels, until the card is measured. */
  height: number
}
type Places = Pages<Place>
const placesOfRows = new WeakMap<readonly Row[], readonly Place[]>()
/** The places of the rows of a page: for the same rows, the same array. */
function placesOf(rows: readonly Row[]): readonly Place[] {
  const known = placesOfRows.get(rows)
  const places = known ?? rows.map(row => ({ id: row.id, height: estimatedHeight(row) }))
  if (!known) placesOfRows.set(rows, places)
  return places
}

/**
 * The places of all pages of a listing that were loaded, as they were last: cards out of sight keep their heights when
 * their page is let go.
 */
function usePlaces(pages: Pages, listing: string): Places {
  const [seen, setSeen] = useState<{ listing: string; places: Places }>({ listing, places: new Map() })
  const before: Places = seen.listing === listing ? seen.places : new Map()
  const loaded = [...pages].map(([number, rows]) => [number, placesOf(rows)] as const)
  const isSame = seen.listing === listing && loaded.every(([number, places]) => before.get(number) === places)
  if (!isSame) setSeen({ listing, places: new Map([...before, ...loaded]) })
  return seen.places
}

/**
 * The slot of dragged cards: in the manual order, where they are dropped; by the last change, the first of another
 * column. Undefined: the order of the column decides.
 */
function slotOf(over: Slot, cell: Cell, order: Order, total: number): Slot | undefined {
  if (order === 'sortOrder') return { ...over, index: Math.min(over.index, total) }
  return order === 'updatedAt' && over.from !== cell.id ? { ...over, index: 0 } : undefined
}
