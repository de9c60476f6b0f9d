import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState, type RefObject } from 'react'
import { Link } from 'wouter'
import { Empty, ErrorNote, Icon, Kbd, Skeleton, Time, usePrinting } from '../../../ui/browser/contract.ts'
import type { Row } from '../contract.ts'
import { useLabels, type Directory, type Label, type Order } from '../data.ts'
import { useGroupDisplay } from '../display/column-head.tsx'
import { filtersOfListing, ListingFrame, type ListingProps } from '../display/listing-frame.tsx'
import { withoutOf } from '../display/properties.ts'
import { isGrouping, useListingGroups } from '../display/use-groups.ts'
import { groupsOfList, useGroups, type Group, type Line as GroupLine } from '../board/groups.ts'
import { useListKeys } from './list-keys.ts'
import styles from './list.module.css'
import { noteOpened, useFocusAfterReturn, useScrollPlace } from '../return-place.ts'
import { isOf, nameOfRow } from './row-name.ts'
import { extendOnShift } from '../selection/extend-on-shift.ts'
import { SelectionBar } from '../selection/selection-bar.tsx'
import { useSelection } from '../selection/selection.ts'
import { DueDate } from '../pickers/due-date.tsx'
import { useListingPickers } from '../pickers/listing-pickers.tsx'
import { Assignee, LabelChip, PriorityIcon } from '../symbols.tsx'
import { StateIcon } from '../issue/state-icon.tsx'

const ROW_HEIGHT = 40
export default function List() {
  return <ListingFrame layout="list">{props => <GroupedList {...props} />}</ListingFrame>
}

function GroupedList(props: ListingProps) {
  const { directory, team, display } = props
  const { isHidden, isCollapsed } = useGroupDisplay('list')
  const grouped = useListingGroups(display.groupBy, directory, team)
  if (isGrouping(display.groupBy) && !grouped) return <Skeleton />
  const shown = grouped?.filter(({ id }) => !isHidden(id))
  return <Rows {...props} groups={groupsOfList(shown, filtersOfListing(props), isCollapsed)} />
}

interface RowsProps extends ListingProps {
  groups: readonly Group[]
}
function Rows({ directory, groups, display }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const selection = useSelection()
  const labels = useLabels()
  const { listing, virtualizer } = useVirtualLines(scroller, groups, display.orderBy)
  useScrollPlace(scroller, 'rows', listing.total !== undefined)
  const { noteFocus, handlers, currentRow, allRows } = useListKeys({
    ...{ scroller, listing, selection, groups, order: display.orderBy },
    scrollTo: index => virtualizer.scrollToIndex(index)
  })
  const pickers = useListingPickers(directory, selection, currentRow)
  const items = virtualizer.getVirtualItems().map(({ index, start }) => ({ index, start, line: listing.line(index) }))
  const firstRow = items.find(({ line }) => line && 'row' in line)?.index
  return (
    <>
      <div
        ref={scroller}
        className={styles['scroller']}
        data-without={withoutOf('list', display.properties)}
        {...handlers}
      >
        {listing.error !== null && listing.error !== undefined && <ErrorNote error={listing.error} />}
        {listing.total === 0 && (
          <Empty title="No issues here">
            Remove a filter, or create an issue: <Kbd keys="c" />
          </Empty>
        )}
        <ul style={{ height: virtualizer.getTotalSize() }} aria-label="Issues">
          {items.map(({ index, start, line }) => (
            <li key={lineKey(line) ?? index} style={{ transform: `translateY(${start}px)` }}>
              {line && 'heading' in line && <GroupHeading group={line.heading} totalText={line.totalText} />}
              {line && 'row' in line && line.row && (
                <Line
                  row={line.row}
                  index={index}
                  isTabStop={index === firstRow}
                  isSelected={selection.ids.has(line.row.id)}
                  labels={labels}
                  directory={directory}
                  onFocus={() => noteFocus(index, line.row!.id)}
                  onToggle={row => selection.toggle(row)}
                  onExtend={row => selection.extend(allRows(), row, row)}
                />
              )}
            </li>
          ))}
        </ul>
      </div>
      {pickers.element}
      <SelectionBar selection={selection} pickers={pickers} />
    </>
  )
}

/** The name of a group, which collapses it. */
function GroupHeading({ group, totalText }: { group: Group; totalText: string | undefined }) {
  const { collapse } = useGroupDisplay('list')
  return (
    <h2 className={styles['heading']}>
      <button type="button" aria-expanded={!group.isCollapsed} onClick={() => collapse(group.id)}>
        <Icon name="chevron" size={12} />
        {group.icon}
        {group.name} <span>{totalText}</span>
      </button>
    </h2>
  )
}

/** The loaded and visible lines of the listing. */
function useVirtualLines(scroller: RefObject<HTMLDivElement | null>, groups: readonly Group[], order: Order) {
  const [range, setRange] = useState({ first: 0, last: 0 })
  const listing = useGroups(groups, order, range.first, range.last)
  const isPrinting = usePrinting()
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are not kept between renders
  const virtualizer = useVirtualizer({
    count: listing.total ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: isPrinting ? (listing.total ?? 0) : 10,
    onChange({ range: inSight }) {
      if (!inSight) return
      const { startIndex: first, endIndex: last } = inSight
      setRange(now => (now.first === first && now.last === last ? now : { first, last }))
    }
  })
  return { listing, virtualizer }
}

/** An issue may be in two groups for a moment, while only one of them has been refetched. */
const lineKey = (line: GroupLine | undefined) =>
  line && 'row' in line && line.row ? `${line.group.id} ${line.row.id}` : undefined

interface LineProps {
  row: Row
  index: number
  isTabStop: boolean
  isSelected: boolean
  labels: readonly Label[]
  directory: Directory
  onFocus: () => void
  onToggle: (row: Row) => void
  /** Selects all up to it. */
  onExtend: (row: Row) => void
}
function Line({ row, index, isTabStop, isSelected, labels, directory, onFocus, onToggle, onExtend }: LineProps) {
  const ref = useRef<HTMLAnchorElement>(null)
  useFocusAfterReturn(ref, row.id)
  return (
    <div className={styles['row']} data-selected={isSelected || undefined} onFocus={onFocus}>
      <input
        type="checkbox"
        aria-label={`Select ${row.key}`}
        tabIndex={-1}
        checked={isSelected}
        onClickCapture={extendOnShift(() => onExtend(row))}
        onChange={() => onToggle(row)}
      />
      <Link
        ref={ref}
        href={`/issue/${row.key}`}
        className={styles['link']!}
        data-index={index}
        data-row={row.id}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={nameOfRow(row, directory.members, labels.filter(isOf(row)), isSelected)}
        onClickCapture={extendOnShift(() => onExtend(row))}
        onClick={() => noteOpened(row.id)}
      >
        <span data-property="priority">
          <PriorityIcon priority={row.priority} />
        </span>
        <span className={styles['key']} data-property="key">
          {row.key}
        </span>
        <span data-property="state">
          <StateIcon category={row.stateCategory} />
        </span>
        <span className={styles['title']}>{row.title}</span>
        <span className={styles['labels']} data-property="labels">
          {labels.filter(isOf(row)).map(label => (
            <LabelChip key={label.id} label={label} />
          ))}
        </span>
        <span data-property="dueDate">
          <DueDate row={row} />
        </span>
        <span data-property="updatedAt">
          <Time at={row.updatedAt} />
        </span>
        <span className={styles['who']} data-property="assignee">
          <Assignee row={row} members={directory.members} />
        </span>
      </Link>
    </div>
  )
}
