import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import {
  Empty,
  ErrorNote,
  Icon,
  Kbd,
  Skeleton,
  useCommands,
  usePrinting,
  useRowHeight
} from '../../../ui/browser/contract.ts'
import type { Row } from '../contract.ts'
import { useLabels, useRangeToLoad, type Order } from '../data.ts'
import { useGroupDisplay } from '../display/column-head.tsx'
import { filtersOfListing, ListingFrame, type ListingProps } from '../display/listing-frame.tsx'
import { withoutOf } from '../display/properties.ts'
import { isGrouping, useListingGroups } from '../display/use-groups.ts'
import { groupsOfList, useGroups, type Group, type Line as GroupLine } from '../board/groups.ts'
import { useListKeys } from './list-keys.ts'
import styles from './list.module.css'
import { useScrollPlace } from '../return-place.ts'
import { SelectionBar } from '../selection/selection-bar.tsx'
import { useSelection } from '../selection/selection.ts'
import { useListingPickers, type ListingPickers } from '../pickers/listing-pickers.tsx'
import { hasNames, styleOf, useColumns } from './columns.ts'
import { Line, type LineHandlers } from './line.tsx'
import { ListHead } from './list-head.tsx'

/** Pixels, as in the style sheet. */
const HEAD_HEIGHT = 28
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
  const columns = useColumns()
  const { listing, virtualizer, items } = useVirtualLines(scroller, groups, display.orderBy)
  useScrollPlace(scroller, 'rows', listing.total !== undefined)
  const { noteFocus, handlers, currentRow, allRows } = useListKeys({
    ...{ scroller, listing, selection, groups, order: display.orderBy },
    scrollTo: index => virtualizer.scrollToIndex(index)
  })
  const pickers = useListingPickers(directory, selection, currentRow)
  const renaming = useRenaming(pickers, currentRow)
  const lineHandlers: LineHandlers = {
    ...renaming.handlers,
    onFocus: (index, { id }) => noteFocus(index, id),
    onToggle: row => selection.toggle(row),
    onExtend: row => selection.extend(allRows(), row, row),
    // On a selected issue, it changes all selected ones, as on the board.
    onChange: (row, field, anchor) => pickers.open(field, anchor, selection.ids.has(row.id) ? undefined : [row])
  }
  const firstRow = items.find(({ line }) => line && 'row' in line)?.index
  return (
    <>
      <div
        ref={scroller}
        className={styles['scroller']}
        data-without={withoutOf('list', display.properties)}
        style={styleOf(columns)}
        {...handlers}
      >
        <ListHead columns={columns} />
        {listing.error == null ? listing.total === undefined && <Skeleton /> : <ErrorNote error={listing.error} />}
        {listing.total === 0 && (
          <Empty title="No issues here">
            Remove a filter, or create an issue: <Kbd keys="c" />
          </Empty>
        )}
        <ul style={{ height: virtualizer.getTotalSize() }} aria-label="Issues">
          {items.map(({ index, start, line }) => (
            <li key={lineKey(line) ?? index} style={{ transform: `translateY(${start - HEAD_HEIGHT}px)` }}>
              {line && 'heading' in line && <GroupHeading group={line.heading} totalText={line.totalText} />}
              {line && 'row' in line && line.row && (
                <Line
                  {...{ row: line.row, index, labels, members: directory.members, handlers: lineHandlers }}
                  isTabStop={index === firstRow}
                  isSelected={selection.ids.has(line.row.id)}
                  renaming={renaming.of(line.row)}
                  hasNames={hasNames(columns)}
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

function useRenaming(pickers: ListingPickers, currentRow: () => Row | undefined) {
  const [renamed, setRenamed] = useState<{ id: string; text?: string }>()
  const start = (row: Row | undefined) => row && setRenamed({ id: row.id })
  useCommands([{ id: 'rename', title: 'Rename…', section: 'Issues', keys: ['f2'], run: () => start(currentRow()) }])
  return {
    of: ({ id }: Row) => (renamed?.id === id ? renamed : undefined),
    handlers: {
      onRename: start,
      onRenamed(row: Row, title: string | undefined) {
        setRenamed(undefined)
        if (title === undefined) return
        pickers.change(
          [row],
          () => ({ title }),
          () => setRenamed({ id: row.id, text: title })
        )
      }
    }
  }
}

function GroupHeading({ group, totalText }: { group: Group; totalText: string | undefined }) {
  const { collapse } = useGroupDisplay('list')
  return (
    <h2 className={styles['heading']}>
      <button type="button" aria-expanded={!group.isCollapsed} onClick={() => collapse(group.id)}>
        <Icon name="chevron" size={12} />
        {group.icon}
        <span className={styles['groupName']}>{group.name}</span> <span>{totalText}</span>
      </button>
    </h2>
  )
}

function useVirtualLines(scroller: RefObject<HTMLDivElement | null>, groups: readonly Group[], order: Order) {
  const { first, last, noteInSight } = useRangeToLoad()
  const listing = useGroups(groups, order, first, last)
  const isPrinting = usePrinting()
  const rowHeight = useRowHeight()
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are not kept between renders
  const virtualizer = useVirtualizer({
    count: listing.total ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    overscan: isPrinting ? (listing.total ?? 0) : 10,
    onChange: noteInSight
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const items = virtualizer.getVirtualItems().map(({ index, start }) => ({ index, start, line: listing.line(index) }))
  return { listing, virtualizer, items }
}

/** An issue may be in two groups for a moment, while only one of them has been refetched. */
const lineKey = (line: GroupLine | undefined) =>
  line && 'row' in line && line.row ? `${line.group.id} ${line.row.id}` : undefined
