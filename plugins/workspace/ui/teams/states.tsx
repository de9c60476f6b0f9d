import {
  Choice,
  DragHandle,
  ErrorNote,
  Menu,
  MOVING_KEYS,
  NameField,
  offerUndo,
  useSorting,
  type DragRange
} from '../../../ui/browser/contract.ts'
import { ColorField } from '../color-field.tsx'
import { CATEGORY_NAMES, STATE_CATEGORIES } from '../contract.ts'
import { useMoveState, useStates, useTeamRequest, useIssuesWithin, type State } from './data.ts'
import styles from './teams.module.css'

export const CATEGORIES = STATE_CATEGORIES.map(category => ({ id: category, title: CATEGORY_NAMES[category] }))

/** One list: a state that gets another category keeps what is typed in its row. */
export function States({ teamId, team }: { teamId: string; team: string }) {
  const states = useStates(teamId)
  const { move, error } = useMoveState(teamId)
  const within = (at: number) => rangeOfCategory(states, at)
  function moveWithin(from: number, to: number): void {
    const { first } = within(from)
    move(states[from]!, from - first, to - first)
  }
  const ids = states.map(({ id }) => id)
  const { list, rowAt, step } = useSorting(ids, moveWithin, within)
  return (
    <div className={styles['states']}>
      <ul aria-label={`States of ${team}`} {...list}>
        {states.map((state, at) => (
          <li key={state.id} {...rowAt(at)}>
            <StateRow {...{ teamId, state, at }} range={within(at)} onStep={by => step(at, by)} />
          </li>
        ))}
      </ul>
      {error && <ErrorNote error={error} />}
    </div>
  )
}

function rangeOfCategory(states: readonly State[], at: number): DragRange {
  const isSame = ({ category }: State) => category === states[at]?.category
  return { first: states.findIndex(isSame), last: states.findLastIndex(isSame) }
}

interface StateRowProps {
  teamId: string
  state: State
  at: number
  /** The places of the states of its category. */
  range: DragRange
  onStep: (by: 1 | -1) => void
}
function StateRow({ teamId, state, at, range, onStep }: StateRowProps) {
  const { id, name, category, color } = state
  const { mutate, mutateAsync, error } = useTeamRequest()
  const { whyNot, count } = useIssuesWithin({ state: { filterType: 'IS', value: [id] } })
  const path = `/v1/${teamId}/workflows/${id}`
  async function remove(): Promise<void> {
    const { position } = state
    const body = { name, category, color, position }
    const undo = () => mutateAsync({ path: `/v1/${teamId}/workflows`, body })
    // Its row may be gone before the answer. A refusal is shown by the row.
    await mutateAsync({ path, method: 'DELETE' }).then(
      () => offerUndo({ title: `${name} is removed`, undone: `${name} is there again`, undo }),
      () => undefined
    )
  }
  const isAlone = range.first === range.last
  const moves = [
    ...(at > range.first ? [{ title: 'Move up', run: () => onStep(-1) }] : []),
    ...(at < range.last ? [{ title: 'Move down', run: () => onStep(1) }] : [])
  ]
  return (
    <>
      {!isAlone && <DragHandle isShown />}
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
        keyshortcuts={isAlone ? undefined : MOVING_KEYS}
        onOpen={count}
        items={[...moves, { title: 'Remove', isDangerous: true, whyNot, run: remove }]}
      />
      {error && <ErrorNote error={error} />}
    </>
  )
}
