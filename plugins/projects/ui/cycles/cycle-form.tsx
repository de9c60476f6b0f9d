import { useState, type FormEvent } from 'react'
import type { Team } from '../../../workspace/ui/contract.ts'
import {
  addDays,
  Button,
  DayChoice,
  Dialog,
  ErrorNote,
  Field,
  go,
  today,
  useRequest
} from '../../../ui/browser/contract.ts'
import { useCycles, type Cycle } from '../data.ts'
import styles from './cycle.module.css'
import { CYCLE_QUERIES, daysOf } from './data.ts'

const DEFAULT_DAYS = 14

interface CycleFormProps {
  team: Pick<Team, 'id'>
  /** Undefined: a new one. */
  cycle?: Cycle
  isOpen: boolean
  onClose: () => void
}
export const CycleForm = ({ cycle, isOpen, onClose, ...rest }: CycleFormProps) => (
  <Dialog title={cycle ? 'Change the cycle' : 'New cycle'} isOpen={isOpen} onClose={onClose}>
    <Form cycle={cycle} onClose={onClose} {...rest} />
  </Dialog>
)

function Form({ team, cycle, onClose }: { team: Pick<Team, 'id'>; cycle: Cycle | undefined; onClose: () => void }) {
  const { data: all = [] } = useCycles()
  const ofTeam = all.filter(({ teamId }) => teamId === team.id)
  const [name, setName] = useState(cycle?.name ?? nextName(ofTeam))
  const [[first, last], setDays] = useState(() => (cycle ? daysOf(cycle) : daysOfNext(ofTeam)))
  const { mutate, error, isPending } = useRequest<Cycle>(...CYCLE_QUERIES)
  function submit(event: FormEvent): void {
    event.preventDefault()
    const isSame = cycle && daysOf(cycle).join() === [first, last].join()
    const dates = isSame ? {} : { startsAt: midnight(first), endsAt: midnight(addDays(last, 1)) }
    if (cycle) {
      const { startsAt, endsAt } = cycle
      const previous = { name: cycle.name, ...(!isSame && { startsAt, endsAt }) }
      return mutate({ path: `/v1/cycles/${cycle.id}`, body: { name, ...dates, previous } }, { onSuccess: onClose })
    }
    const body = { teamId: team.id, name, ...dates }
    const onSuccess = ({ id }: Cycle) => {
      // Going back leads to the list.
      onClose()
      go(`/cycles/${id}`)
    }
    mutate({ path: '/v1/cycles', body }, { onSuccess })
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      <Field label="Name">
        {id => <input id={id} required maxLength={200} value={name} onChange={event => setName(event.target.value)} />}
      </Field>
      {cycle?.closedAt === undefined && (
        <div className={styles['days']}>
          <Day label="First day" day={first} onChoose={day => setDays([day, day > last ? day : last])} />
          <Day label="Last day" day={last} onChoose={day => setDays([day < first ? day : first, day])} />
        </div>
      )}
      {error && <ErrorNote error={error} />}
      <Button type="submit" kind="primary" disabled={isPending}>
        {cycle ? 'Save' : 'Create cycle'}
      </Button>
    </form>
  )
}

const Day = (props: { label: string; day: string; onChoose: (day: string) => void }) => (
  <div>
    <span aria-hidden>{props.label}</span>
    <DayChoice {...props} />
  </div>
)

const midnight = (day: string): string => `${day}T00:00:00.000Z`

function nextName(cycles: readonly Cycle[]): string {
  const numbers = cycles.map(({ name }) => Number(/^Cycle (\d+)$/.exec(name)?.[1] ?? 0))
  return `Cycle ${Math.max(0, ...numbers) + 1}`
}
function daysOfNext(cycles: readonly Cycle[]): readonly [string, string] {
  const first = [today(), ...cycles.map(cycle => addDays(daysOf(cycle)[1], 1))].toSorted().at(-1)!
  return [first, addDays(first, DEFAULT_DAYS - 1)]
}
