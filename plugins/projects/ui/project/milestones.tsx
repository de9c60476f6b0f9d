import { useState, type FormEvent } from 'react'
import {
  Button,
  DayPicker,
  dayText,
  ErrorNote,
  Menu,
  Meter,
  NameField,
  offerUndo,
  PickerButton,
  Skeleton,
  useRequest
} from '../../../ui/browser/contract.ts'
import { useMilestones, type Milestone } from '../data.ts'
import styles from './project.module.css'

const QUERIES = ['milestones', 'issue', 'issues', 'context'] as const

export function Milestones({ projectId }: { projectId: string }) {
  const { data: milestones, error } = useMilestones(projectId)
  return (
    <section className={styles['section']} aria-labelledby="milestones">
      <h2 id="milestones">Milestones</h2>
      {error && <ErrorNote error={error} />}
      {!milestones && !error && <Skeleton lines={2} />}
      {milestones?.length === 0 && <p className={styles['none']}>A milestone is a step with a date.</p>}
      <ul aria-label="Milestones" data-rows>
        {milestones?.map(milestone => (
          <Line key={milestone.id} milestone={milestone} />
        ))}
      </ul>
      <AddMilestone projectId={projectId} />
    </section>
  )
}

function Line({ milestone }: { milestone: Milestone }) {
  const { id, projectId, name, date, issues } = milestone
  const { mutate, mutateAsync, error } = useRequest(...QUERIES)
  const path = `/v1/milestones/${id}`
  function remove(): void {
    const again = () => mutateAsync({ path: '/v1/milestones', body: { projectId, name, date } })
    const onSuccess = () =>
      issues.total === 0 && offerUndo({ title: `${name} is removed`, undone: `${name} is there again`, undo: again })
    mutate({ path, method: 'DELETE' }, { onSuccess })
  }
  return (
    <li>
      <NameField
        label={`Name of the milestone ${name}`}
        name={name}
        onRename={(name, previous) => mutateAsync({ path, body: { name, previous: { name: previous } } })}
      />
      <PickerButton
        label={`Date of ${name}`}
        className={styles['day']}
        picker={open => (
          <DayPicker
            {...open}
            label="Date"
            day={date}
            onChoose={chosen => mutate({ path, body: { date: chosen, previous: { date } } })}
          />
        )}
      >
        {date ? dayText(date) : 'No date'}
      </PickerButton>
      <span className={styles['counts']}>
        <Meter label={`Completed issues of ${name}`} value={issues.completed} max={issues.total} />
        {issues.completed}/{issues.total}
      </span>
      <Menu label={`Actions on ${name}`} items={[{ title: 'Remove', isDangerous: true, run: remove }]} />
      {error && <ErrorNote error={error} />}
    </li>
  )
}

function AddMilestone({ projectId }: { projectId: string }) {
  const { mutate, error, isPending } = useRequest(...QUERIES)
  const [name, setName] = useState('')
  function submit(event: FormEvent): void {
    event.preventDefault()
    mutate({ path: '/v1/milestones', body: { projectId, name } }, { onSuccess: () => setName('') })
  }
  return (
    <form className={styles['add']} onSubmit={submit}>
      <input
        aria-label="Name of a new milestone"
        placeholder="A new milestone…"
        maxLength={200}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <Button type="submit" disabled={isPending || name.trim() === ''}>
        Add
      </Button>
      {error && <ErrorNote error={error} />}
    </form>
  )
}
