import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { DragLocationHistory } from '@atlaskit/pragmatic-drag-and-drop/types'
import { useQueryClient } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { Link } from 'wouter'
import { ErrorNote, Icon, Time, usePrinting } from '../../../ui/browser/contract.ts'
import styles from './board.module.css'
import type { Row } from '../contract.ts'
import {
  loadedListing,
  useListing,
  type Filters,
  type LoadedListing,
  type Label,
  type Member,
  type Order
} from '../data.ts'
import type { Cell } from '../display/cells.ts'
import { ColumnHead } from '../display/column-head.tsx'
import { focusRow } from '../focus.ts'
import { noteOpened, useFocusAfterReturn, useScrollPlace } from '../return-place.ts'
import { DueDate } from '../pickers/due-date.tsx'
import { isOf, nameOfRow } from '../list/row-name.ts'
import { extendOnShift } from '../selection/extend-on-shift.ts'
import { Assignee, LabelChip, PriorityIcon, RunStatus } from '../symbols.tsx'

/** Pixels of a card and the gap below it: the height is fixed, not measured. */
const CARD_HEIGHT = 107
const MAX_LABELS_SHOWN = 2

/** A column for the keys of the board. */
export interface ColumnHandle extends LoadedListing {
  focus(index: number): void
}
interface ColumnProps {
  cell: Cell
  order: Order
  selected: ReadonlySet<string>
  members: readonly Member[]
  labels: readonly Label[]
  /**
   * @param from the id of its column
   * @param index of the row that it was dropped before
   */
  onDrop: (row: Row, from: string, index: number) => void
  onFocus: (index: number, rowId: string) => void
  /** Selects all up to an issue. */
  onExtend: (row: Row) => void
  onHandle: (handle: ColumnHandle | undefined) => void
}

/** The issues of a column, of which only the visible ones are rendered. */
export function Column(props: ColumnProps) {
  const { cell, order, selected, members, labels, onDrop, onFocus, onExtend, onHandle } = props
  const column = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const over = useDropIndex(column, scroller, onDrop)
  const client = useQueryClient()
  const { id, name, filters } = cell
  const { listing, virtualizer } = useCards(scroller, filters, order)
  const total = listing.total ?? 0
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
      {!cell.lane && <ColumnHead group={cell.group} totalText={listing.totalText} />}
      {listing.error !== null && listing.error !== undefined && <ErrorNote error={listing.error} />}
      <div ref={scroller} className={styles['scroller']}>
        <ul style={{ height: virtualizer.getTotalSize() }}>
          {over !== undefined && order === 'sortOrder' && <DropMark index={Math.min(over, total)} />}
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = listing.row(index)
            return (
              <li key={row?.id ?? index} style={{ transform: `translateY(${start}px)` }}>
                {row && (
                  <Card
                    row={row}
                    index={index}
                    cellId={id}
                    isSelected={selected.has(row.id)}
                    members={members}
                    labels={labels}
                    onFocus={onFocus}
                    onExtend={onExtend}
                  />
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}

/** The loaded and visible cards of a column. */
function useCards(scroller: RefObject<HTMLDivElement | null>, filters: Filters, order: Order) {
  const [range, setRange] = useState({ first: 0, last: 0 })
  const listing = useListing(filters, order, range.first, range.last)
  const isPrinting = usePrinting()
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are not kept between renders
  const virtualizer = useVirtualizer({
    count: listing.total ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    overscan: isPrinting ? (listing.total ?? 0) : 5,
    onChange({ range: inSight }) {
      if (!inSight) return
      const { startIndex: first, endIndex: last } = inSight
      setRange(now => (now.first === first && now.last === last ? now : { first, last }))
    }
  })
  return { listing, virtualizer }
}

/** Accepts dropped cards. @returns the index of the row before which the dragged card would be inserted */
function useDropIndex(
  column: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLDivElement | null>,
  onDrop: ColumnProps['onDrop']
): number | undefined {
  const [over, setOver] = useState<number>()
  const drop = useEffectEvent(onDrop)
  useEffect(() => {
    const element = scroller.current!
    const indexAt = ({ current }: DragLocationHistory) => {
      const { top } = element.getBoundingClientRect()
      // On the head of the column, it is before the first card.
      if (current.input.clientY < top) return 0
      return Math.max(0, Math.round((current.input.clientY - top + element.scrollTop) / CARD_HEIGHT))
    }
    return dropTargetForElements({
      element: column.current!,
      onDrag: ({ location }) => setOver(indexAt(location)),
      onDragLeave: () => setOver(undefined),
      onDrop({ source, location }) {
        setOver(undefined)
        drop(source.data['row'] as Row, source.data['cellId'] as string, indexAt(location))
      }
    })
  }, [column, scroller])
  return over
}

/** The mark at the position where a dragged card would be inserted, in the manual order. */
const DropMark = ({ index }: { index: number }) => (
  <li className={styles['drop']} aria-hidden style={{ transform: `translateY(${index * CARD_HEIGHT - 4}px)` }} />
)

interface CardProps {
  row: Row
  index: number
  cellId: string
  isSelected: boolean
  members: readonly Member[]
  labels: readonly Label[]
  onFocus: (index: number, rowId: string) => void
  onExtend: (row: Row) => void
}
/** Rendered again only when it changes, and not on each row that the column scrolls by. */
const Card = memo(function Card({ row, index, cellId, isSelected, members, labels, onFocus, onExtend }: CardProps) {
  const ref = useRef<HTMLAnchorElement>(null)
  useEffect(() => draggable({ element: ref.current!, getInitialData: () => ({ row, cellId }) }), [row, cellId])
  useFocusAfterReturn(ref, row.id)
  return (
    <Link
      ref={ref}
      href={`/issue/${row.key}`}
      className={styles['card']!}
      data-index={index}
      data-row={row.id}
      data-selected={isSelected || undefined}
      // One stop of the Tab key for each column; the arrow keys reach the others.
      tabIndex={index === 0 ? 0 : -1}
      aria-label={nameOfRow(row, members, labels.filter(isOf(row)).slice(0, MAX_LABELS_SHOWN), isSelected)}
      onFocus={() => onFocus(index, row.id)}
      onClickCapture={extendOnShift(() => onExtend(row))}
      onClick={() => noteOpened(row.id)}
    >
      <span className={styles['top']}>
        <span data-property="key">{row.key}</span>
        {row.isBlocked && <em data-kind="blocked">Blocked</em>}
        {row.awaiting && <em data-kind="awaiting">Asks</em>}
        {row.runStatus !== undefined && <RunStatus status={row.runStatus} />}
        <span className={styles['space']} />
        <span data-property="assignee">
          {row.assigneeId && row.assignedAt && <Time at={row.assignedAt} />}
          <Assignee row={row} members={members} />
        </span>
      </span>
      <strong>{row.title}</strong>
      <CardFoot row={row} labels={labels} />
    </Link>
  )
})

/** The line of a card below its title. */
function CardFoot({ row, labels }: { row: Row; labels: readonly Label[] }) {
  const shown = labels.filter(isOf(row)).slice(0, MAX_LABELS_SHOWN)
  return (
    <span className={styles['bottom']}>
      <span data-property="priority">
        <PriorityIcon priority={row.priority} />
      </span>
      {shown.map(label => (
        <span key={label.id} data-property="labels">
          <LabelChip label={label} />
        </span>
      ))}
      <span className={styles['space']} />
      <span data-property="dueDate">
        <DueDate row={row} />
      </span>
      {row.commentCount !== undefined && (
        <span className={styles['count']} title="Comments" data-property="comments">
          <Icon name="comment" size={12} />
          {row.commentCount}
        </span>
      )}
      {row.criteria && (
        <span
          className={styles['count']}
          data-property="criteria"
          data-met={row.criteria.met === row.criteria.total || undefined}
          title="Criteria met"
        >
          <Icon name="check" size={12} />
          {row.criteria.met}/{row.criteria.total}
        </span>
      )}
    </span>
  )
}
