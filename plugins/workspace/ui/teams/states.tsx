import { useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import {
  Choice,
  DragHandle,
  ErrorNote,
  Menu,
  moveByKeys,
  MOVING_KEYS,
  NameField,
  offerUndo,
  useDragging
} from '../../../ui/browser/contract.ts'
import { ColorField } from '../color-field.tsx'
import { CATEGORY_NAMES, STATE_CATEGORIES, type StateCategory } from '../contract.ts'
import { useMoveState, useStates, useTeamRequest, useWhyKept, type State } from './data.ts'
import styles from './teams.module.css'

const CATEGORIES = STATE_CATEGORIES.map(category => ({ id: category, title: CATEGORY_NAMES[category] }))

/** The states of a team by category, each category in the order that people give it. */
export function States({ teamId, team }: { teamId: string; team: string }) {
  const states = useStates(teamId)
  const present = STATE_CATEGORIES.filter(category => states.some(state => state.category === category))
  return (
    <div className={styles['states']}>
      {present.map(category => (
        <CategoryStates
          key={category}
          {...{ teamId, team, category }}
          states={states.filter(state => state.category === category)}
        />
      ))}
    </div>
  )
}

interface CategoryStatesProps {
  teamId: string
  team: string
  category: StateCategory
  states: readonly State[]
}
function CategoryStates({ teamId, team, category, states }: CategoryStatesProps) {
  const list = useRef<HTMLUListElement>(null)
  const { move, error } = useMoveState(teamId)
  const { drag, press, markOf } = useDragging(list, ({ from, to }) => move(states, from, to))
  const moved = useRef<string>(undefined)
  // The browser takes the focus from an element that changes its place.
  useLayoutEffect(() => {
    if (moved.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-state="${moved.current}"] [aria-haspopup=menu]`)?.focus()
    moved.current = undefined
  }, [states])
  function step(from: number, by: 1 | -1): void {
    const to = from + by
    if (to < 0 || to >= states.length) return
    moved.current = states[from]!.id
    move(states, from, to)
  }
  // In a name the keys select text.
  const hear = (event: KeyboardEvent, at: number) =>
    event.target instanceof HTMLInputElement || moveByKeys(event, by => step(at, by))
  return (
    <div className={styles['category']}>
      <ul ref={list} aria-label={`${CATEGORY_NAMES[category]}: states of ${team}`} data-dragging={drag && true}>
        {states.map((state, at) => (
          <li
            key={state.id}
            data-state={state.id}
            data-dragged={drag?.from === at || undefined}
            data-mark={markOf(at)}
            onPointerDown={press}
            onKeyDown={event => hear(event, at)}
          >
            <StateRow {...{ teamId, state, at }} count={states.length} onStep={by => step(at, by)} />
          </li>
        ))}
      </ul>
      {error && <ErrorNote error={error} />}
    </div>
  )
}

interface StateRowProps {
  teamId: string
  state: State
  at: number
  /** Of the states of the category. */
  count: number
  onStep: (by: 1 | -1) => void
}
function StateRow({ teamId, state, at, count, onStep }: StateRowProps) {
  const { id, name, category, color } = state
  const { mutate, mutateAsync, error } = useTeamRequest()
  const { whyNot, ask } = useWhyKept({ state: { filterType: 'IS', value: [id] } })
  const path = `/v1/${teamId}/workflows/${id}`
  function remove(): void {
    const { position } = state
    const body = { name, category, color, position }
    const undo = () => mutateAsync({ path: `/v1/${teamId}/workflows`, body })
    const onSuccess = () => offerUndo({ title: `${name} is removed`, undone: `${name} is there again`, undo })
    mutate({ path, method: 'DELETE' }, { onSuccess })
  }
  const moves = [
    ...(at > 0 ? [{ title: 'Move up', run: () => onStep(-1) }] : []),
    ...(at < count - 1 ? [{ title: 'Move down', run: () => onStep(1) }] : [])
  ]
  return (
    <>
      {count > 1 && <DragHandle isShown />}
      <ColorField
        label={`Colour of ${name}`}
        color={color}
        onChange={(color, previous) => mutate({ path, body: { color, previous: { color: previous } } })}
      />
      <NameField
        label={`Name of the state ${name}`}
        name={name}
        onRename={(name, previous) => mutateAsync({ path, body: { name, previous: { name: previous } } })}
      />
      <Choice
        label={`Category of ${name}`}
        options={CATEGORIES}
        chosen={category}
        onChoose={chosen => mutate({ path, body: { category: chosen, previous: { category } } })}
      />
      <Menu
        label={`Actions on the state ${name}`}
        keyshortcuts={count > 1 ? MOVING_KEYS : undefined}
        onOpen={ask}
        items={[...moves, { title: 'Remove', isDangerous: true, whyNot, run: remove }]}
      />
      {error && <ErrorNote error={error} />}
    </>
  )
}
