import { useRef } from 'react'
import {
  announce,
  Button,
  ErrorNote,
  Icon,
  Kbd,
  messageOf,
  PageFrame,
  Skeleton,
  useCommands
} from '../../ui/browser/contract.ts'
import styles from './board.module.css'
import { Column, type ColumnHandle } from './column.tsx'
import type { Row } from './contract.ts'
import { openCreate } from './create.tsx'
import { inOrder, useDirectory, useLabels, useMove, type Directory, type State, type Team } from './data.ts'
import { FilterBar, useFilters } from './filters.tsx'

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
      tools={<FilterBar directory={directory} withTeam />}
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
  const move = useMove()
  const states = inOrder(team.states)
  const handles = useRef(new Map<string, ColumnHandle>())
  /** Where the keys are: the real focus follows a frame later. */
  const cursor = useRef({ column: 0, index: 0 })

  function focus(column: number, index: number): void {
    const state = states[column]
    const handle = state && handles.current.get(state.id)
    if (!handle || handle.total === 0) return
    const at = Math.max(0, Math.min(index, handle.total - 1))
    cursor.current = { column, index: at }
    handle.focus(at)
  }
  const step = (by: number) => focus(cursor.current.column, cursor.current.index + by)
  /** To the next column that is not empty. */
  function stepAside(by: 1 | -1): void {
    let column = cursor.current.column + by
    while (states[column] && handles.current.get(states[column]!.id)?.total === 0) column += by
    focus(column, cursor.current.index)
  }
  function moveTo(row: Row, state: State): void {
    if (row.stateId === state.id) return
    move.mutate(
      { row, stateId: state.id },
      {
        onSuccess: () => announce(`${row.key} is in ${state.name}`),
        onError: error => announce(messageOf(error))
      }
    )
  }
  function moveAside(by: 1 | -1): void {
    const { column, index } = cursor.current
    const row = handles.current.get(states[column]?.id ?? '')?.row(index)
    const target = states[column + by]
    if (!row || !target) return
    moveTo(row, target)
    // It stands on top there, as what changed last.
    requestAnimationFrame(() => focus(column + by, 0))
  }
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
      id: 'filter',
      title: 'Filter',
      section: 'Board',
      keys: ['/'],
      run: () => document.querySelector<HTMLElement>('[data-filter]')?.focus()
    }
  ])
  return (
    <>
      {move.error && <ErrorNote error={move.error} />}
      <div className={styles['board']}>
        {states.map((state, column) => (
          <Column
            key={state.id}
            state={state}
            filters={filters}
            members={directory.members}
            labels={labels}
            onDrop={row => moveTo(row, state)}
            onFocus={index => {
              cursor.current = { column, index }
            }}
            onHandle={handle => {
              if (handle) handles.current.set(state.id, handle)
              else handles.current.delete(state.id)
            }}
          />
        ))}
      </div>
    </>
  )
}
