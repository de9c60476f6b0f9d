import { useRef } from 'react'
import { useSearchParams } from 'wouter'
import { ErrorNote, PageFrame } from '../../../ui/browser/contract.ts'
import { BOARD_ORDERS, orderOf } from '../address.ts'
import styles from './board.module.css'
import { useListingPickers } from '../pickers/listing-pickers.tsx'
import { useBoardCursor } from './board-cursor.ts'
import { useBoardKeys } from './board-keys.ts'
import { useBoardMoves } from './board-moves.ts'
import { Column } from './column.tsx'
import { sortStates, useDirectory, useLabels, type Directory, type Team } from '../data.ts'
import { FilterBar, FilterChoice, FilterRow, useFilters } from '../list/filters.tsx'
import { EmptyBoard } from './empty-board.tsx'
import { LoadingPage } from '../issue/loading-page.tsx'
import { NewIssueButton } from '../create/new-issue.tsx'
import { useScrollPlace } from '../return-place.ts'
import { SelectionBar, useSelection } from '../list/selection.tsx'

/** The issues of a team, in a column for each state. */
export default function Board() {
  const directory = useDirectory()
  const { team } = useFilters(directory)
  if (!directory || !team) return <LoadingPage title="Board" />
  return (
    <PageFrame
      title={team.name}
      tools={
        <>
          <FilterBar directory={directory} withTeam />
          <FilterChoice name="order" label="Order" options={BOARD_ORDERS.map(([id, title]) => ({ id, title }))} />
        </>
      }
      actions={<NewIssueButton />}
      below={<FilterRow directory={directory} />}
    >
      <Columns key={team.id} team={team} directory={directory} />
    </PageFrame>
  )
}

function Columns({ team, directory }: { team: Team; directory: Directory }) {
  const labels = useLabels()
  const { filters } = useFilters(directory)
  const [params] = useSearchParams()
  const order = orderOf(params, BOARD_ORDERS)
  const selection = useSelection()
  const states = sortStates(team.states)
  const cursor = useBoardCursor(states)
  const scroller = useRef<HTMLDivElement>(null)
  useScrollPlace(scroller, 'columns')
  const moves = useBoardMoves({ states, order, selection, cursor })
  useBoardKeys(cursor, moves, selection)
  const pickers = useListingPickers(directory, selection, cursor.currentRow, moved => cursor.follow(moved))
  return (
    <>
      {moves.error && <ErrorNote error={moves.error} />}
      {/* Focusable, so that the keys can scroll a column without cards. */}
      <div
        ref={scroller}
        className={styles['board']}
        role="group"
        aria-label="Columns"
        tabIndex={0}
        {...cursor.handlers}
      >
        {states.map((state, column) => (
          <Column
            key={state.id}
            state={state}
            filters={filters}
            order={order}
            selected={selection.ids}
            members={directory.members}
            labels={labels}
            onDrop={(row, index) => moves.moveTo(row, state, index)}
            onFocus={(index, rowId) => cursor.note(column, index, rowId)}
            onHandle={handle => cursor.register(state.id, handle)}
          />
        ))}
      </div>
      <EmptyBoard />
      {pickers.element}
      <SelectionBar selection={selection} pickers={pickers} />
    </>
  )
}
