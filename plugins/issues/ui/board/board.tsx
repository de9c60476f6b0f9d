import { useRef } from 'react'
import { Skeleton } from '../../../ui/browser/contract.ts'
import styles from './board.module.css'
import { useListingPickers } from '../pickers/listing-pickers.tsx'
import { useBoardCursor, type BoardCursor } from './board-cursor.ts'
import { useBoardKeys } from './board-keys.ts'
import { useBoardMoves, type BoardMoves } from './board-moves.ts'
import { Column } from './column.tsx'
import { useEndOfDrags } from './dragged.ts'
import { useLabels, type Label, type Member, type Order, type Team } from '../data.ts'
import { cellsOf, type Cell } from '../display/cells.ts'
import {
  CollapsedColumn,
  ColumnHead,
  HiddenColumns,
  Narrow,
  OlderNote,
  useGroupDisplay
} from '../display/column-head.tsx'
import { isOfClosed, type ListingGroup } from '../display/grouping.ts'
import { LaneRow, useShownLanes, type Lane } from '../display/lanes.tsx'
import { filtersOfAnyAge, ListingFrame, type ListingProps } from '../display/listing-frame.tsx'
import { withAge } from '../display/display.ts'
import { withoutOf } from '../display/properties.ts'
import { useListingGroups } from '../display/use-groups.ts'
import { EmptyBoard } from './empty-board.tsx'
import { useScrollPlace } from '../return-place.ts'
import { SelectionBar } from '../selection/selection-bar.tsx'
import { useSelection, type Selection } from '../selection/selection.ts'

export default function Board() {
  return (
    <ListingFrame layout="board">{props => <GroupedBoard key={props.team?.id ?? 'all'} {...props} />}</ListingFrame>
  )
}

function GroupedBoard(props: ListingProps) {
  const { directory, team, display } = props
  const { isHidden, isCollapsed } = useGroupDisplay('board')
  const groups = useListingGroups(display.groupBy, directory, team)
  // The states of a team say the team themselves.
  const filters = filtersOfAnyAge(display.groupBy === 'state' ? { ...props, team: undefined } : props)
  const ageFilters = withAge(filters, display)
  const lanes = useShownLanes(useListingGroups(display.subGroupBy, directory, team), ageFilters, display.orderBy)
  if (!groups || lanes === 'loading') return <Skeleton />
  const shown = groups.filter(({ id }) => !isHidden(id))
  const open = shown.filter(({ id }) => !isCollapsed(id))
  return (
    <Columns
      {...props}
      hidden={groups.filter(({ id }) => isHidden(id))}
      groups={shown}
      lanes={lanes}
      open={open}
      cells={cellsOf(
        lanes?.filter(({ id }) => !isCollapsed(id)),
        open,
        filters,
        ageFilters
      )}
    />
  )
}

interface ColumnsProps extends ListingProps {
  groups: readonly ListingGroup[]
  hidden: readonly ListingGroup[]
  lanes: readonly Lane[] | undefined
  cells: readonly Cell[]
  open: readonly ListingGroup[]
}
function Columns({ directory, team, display, groups, open, hidden, lanes, cells }: ColumnsProps) {
  const labels = useLabels()
  const order = display.orderBy
  const selection = useSelection()
  const cursor = useBoardCursor(cells, open.length)
  const scroller = useRef<HTMLDivElement>(null)
  useScrollPlace(scroller, 'columns')
  useEndOfDrags()
  const moves = useBoardMoves({ board: scroller, cells, order, selection, cursor })
  useBoardKeys(cursor, moves, selection)
  const pickers = useListingPickers(directory, selection, cursor.currentRow, moved => cursor.follow(moved))
  const refusals = [...moves.refusals, ...pickers.refusals]
  function forgetRefusals(): void {
    moves.forgetRefusals()
    pickers.forgetRefusals()
  }
  const columns = (lane?: Lane) => (
    <LaneColumns
      {...{ lane, groups, cells, order, cursor, moves, labels }}
      selection={selection}
      team={team}
      members={directory.members}
    />
  )
  return (
    <>
      <div className={styles['page']}>
        {!open.some(isOfClosed) && <OlderNote />}
        {/* Focusable, so that the keys can scroll a column without cards. */}
        <div
          ref={scroller}
          className={styles['board']}
          data-lanes={lanes && true}
          data-without={withoutOf('board', display.properties)}
          role="group"
          aria-label="Columns"
          tabIndex={0}
          {...cursor.handlers}
        >
          {lanes && <Heads {...{ groups, open, team, moves }} />}
          {lanes?.map(lane => (
            <LaneRow key={lane.id} lane={lane}>
              {columns(lane)}
            </LaneRow>
          ))}
          {!lanes && columns()}
          <HiddenColumns groups={hidden} />
        </div>
      </div>
      <EmptyBoard />
      {pickers.element}
      <SelectionBar selection={selection} pickers={{ ...pickers, refusals, forgetRefusals }} />
    </>
  )
}

interface HeadsProps extends Pick<ColumnsProps, 'groups' | 'open' | 'team'> {
  moves: BoardMoves
}
const Heads = ({ groups, open, team, moves: { moveToGroup } }: HeadsProps) => (
  <div className={styles['heads']}>
    {groups.map(group =>
      open.includes(group) ? (
        <div key={group.id}>
          <ColumnHead group={group} team={team} onDrop={(...drop) => moveToGroup(...drop)} />
          {isOfClosed(group) && <OlderNote />}
        </div>
      ) : (
        <CollapsedColumn key={group.id} group={group} onDrop={(...drop) => moveToGroup(...drop)} />
      )
    )}
  </div>
)

interface LaneColumnsProps extends Pick<ColumnsProps, 'groups' | 'cells'> {
  /** Undefined: the board has no lanes. */
  lane: Lane | undefined
  team: Team | undefined
  order: Order
  cursor: BoardCursor
  moves: BoardMoves
  selection: Selection
  members: readonly Member[]
  labels: readonly Label[]
}
const LaneColumns = ({ lane, groups, cells, cursor, moves, selection, ...shown }: LaneColumnsProps) =>
  groups.map(group => {
    const at = cells.findIndex(cell => cell.group === group && cell.lane === lane)
    const cell = cells[at]
    if (!cell && lane) return <Narrow key={group.id} />
    if (!cell) return <CollapsedColumn key={group.id} group={group} onDrop={(...drop) => moves.moveToGroup(...drop)} />
    return (
      <Column
        key={cell.id}
        {...shown}
        selected={selection.ids}
        cell={cell}
        onDrop={(rows, fromId, index) => {
          const from = cells.find(({ id }) => id === fromId)
          if (from) moves.moveTo(rows, from, cell, index)
        }}
        handlers={{
          onFocus: (index, rowId) => cursor.note(at, index, rowId),
          onToggle: row => selection.toggle(row),
          onExtend: row => selection.extend(cursor.rowsInOrder(row), row, row),
          draggedWith: row => (selection.ids.has(row.id) ? selection.rows : [row])
        }}
        onHandle={handle => cursor.register(cell.id, handle)}
      />
    )
  })
