import { useRef } from 'react'
import { useSearchParams } from 'wouter'
import { Button, ErrorNote, Icon, Kbd, PageFrame, Skeleton, useCommands } from '../../ui/browser/contract.ts'
import { BOARD_ORDERS, orderOf } from './address.ts'
import styles from './board.module.css'
import { useBoardMoves, type Cursor } from './board-moves.ts'
import { Column, type ColumnHandle } from './column.tsx'
import { openCreate } from './create.tsx'
import { inOrder, useDirectory, useLabels, type Directory, type Team } from './data.ts'
import { FilterBar, Select, useFilters } from './filters.tsx'
import { EmptyBoard } from './empty-board.tsx'
import { SelectionBar, useSelection } from './selection.tsx'

/** The issues of a team, a column for each state. */
export default function Board() {
  const directory = useDirectory()
  const { team } = useFilters(directory)
  if (!directory || !team) {
    return (
      <PageFrame title="Board">
        <Skeleton />
      </PageFrame>
    )
  }
  return (
    <PageFrame
      title={team.name}
      tools={
        <>
          <FilterBar directory={directory} withTeam />
          <Select name="order" label="Order" options={BOARD_ORDERS} />
        </>
      }
      actions={
        <Button onClick={() => openCreate()} aria-label="New issue">
          <Icon name="plus" />
          <span className={styles['newText']}>New issue</span>
          <Kbd keys="c" />
        </Button>
      }
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
  const states = inOrder(team.states)
  const handles = useRef(new Map<string, ColumnHandle>())
  const cursor = useRef<Cursor>({ column: -1, index: 0 })

  function focus(column: number, index: number): void {
    const state = states[column]
    const handle = state && handles.current.get(state.id)
    if (!handle || handle.total === 0) return
    const at = Math.max(0, Math.min(index, handle.total - 1))
    cursor.current = { column, index: at, rowId: handle.row(at)?.id }
    handle.focus(at)
  }
  /** To the next column that is not empty. */
  function stepAside(by: 1 | -1): void {
    let column = cursor.current.column + by
    while (states[column] && handles.current.get(states[column]!.id)?.total === 0) column += by
    focus(column, cursor.current.index)
  }
  function step(by: 1 | -1): void {
    const { column, index } = cursor.current
    if (column < 0) stepAside(1)
    else focus(column, index + by)
  }
  const { moveTo, moveAside, moveAlong, select, error } = useBoardMoves({
    states,
    order,
    handles,
    cursor,
    selection,
    focus
  })
  useCommands([
    { id: 'down', title: 'Next issue', section: 'Board', keys: ['j', 'arrowdown'], run: () => step(1) },
    { id: 'up', title: 'Previous issue', section: 'Board', keys: ['k', 'arrowup'], run: () => step(-1) },
    { id: 'right', title: 'Next column', section: 'Board', keys: ['l', 'arrowright'], run: () => stepAside(1) },
    { id: 'left', title: 'Previous column', section: 'Board', keys: ['h', 'arrowleft'], run: () => stepAside(-1) },
    {
      id: 'moveRight',
      title: 'Move to the next state',
      section: 'Board',
      keys: ['shift+arrowright'],
      run: () => moveAside(1)
    },
    {
      id: 'moveLeft',
      title: 'Move to the previous state',
      section: 'Board',
      keys: ['shift+arrowleft'],
      run: () => moveAside(-1)
    },
    {
      id: 'moveDown',
      title: 'Move down, in the order by hand',
      section: 'Board',
      keys: ['shift+arrowdown'],
      run: () => moveAlong(1)
    },
    {
      id: 'moveUp',
      title: 'Move up, in the order by hand',
      section: 'Board',
      keys: ['shift+arrowup'],
      run: () => moveAlong(-1)
    },
    { id: 'select', title: 'Select', section: 'Board', keys: ['x'], run: select },
    { id: 'unselect', title: 'Select nothing', section: 'Board', keys: ['escape'], run: selection.clear },
    {
      id: 'filter',
      title: 'Filter',
      section: 'Board',
      keys: ['/'],
      run: () => document.querySelector<HTMLElement>('[data-filter]')?.focus()
    }
  ])
  return (
    <>
      {error && <ErrorNote error={error} />}
      {/* Without a card in it nothing else could have the focus that the keys need to scroll it. */}
      <div className={styles['board']} role="group" aria-label="Columns" tabIndex={0}>
        {states.map((state, column) => (
          <Column
            key={state.id}
            state={state}
            filters={filters}
            order={order}
            selected={selection.ids}
            members={directory.members}
            labels={labels}
            onDrop={(row, index) => moveTo(row, state, index)}
            onFocus={(index, rowId) => {
              cursor.current = { column, index, rowId }
            }}
            onHandle={handle => {
              if (handle) handles.current.set(state.id, handle)
              else handles.current.delete(state.id)
            }}
          />
        ))}
      </div>
      <EmptyBoard />
      <SelectionBar selection={selection} directory={directory} />
    </>
  )
}
