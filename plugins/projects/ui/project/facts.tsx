import { Link } from 'wouter'
import { PickerProperty, Property } from '../../../issues/ui/contract.ts'
import { memberOption, teamOption, useDirectory } from '../../../workspace/ui/contract.ts'
import {
  Avatar,
  DayPicker,
  dayText,
  ErrorNote,
  Icon,
  Meter,
  MultiPicker,
  offerUndo,
  Picker,
  useRequest
} from '../../../ui/browser/contract.ts'
import { PROJECT_QUERIES, SHOWN_STATES, STATE_NAMES, useProgress, type Project } from '../data.ts'
import { PlanSections } from '../plan-sections.tsx'
import { HealthMark } from '../symbols.tsx'
import styles from './project.module.css'

const NONE = ''

export function Facts({ project }: { project: Project }) {
  const { change, error } = useChange(project)
  const { teams = [] } = useDirectory() ?? {}
  const { state, teamId, health } = project
  return (
    <aside className={styles['facts']} aria-label="Properties">
      <PickerProperty
        name="State"
        icon={<Icon name="project" />}
        picker={open => (
          <Picker
            {...open}
            label="State"
            options={SHOWN_STATES.map(id => ({ id, title: STATE_NAMES[id] }))}
            chosen={state}
            onChoose={state => change({ state })}
          />
        )}
      >
        {STATE_NAMES[state]}
      </PickerProperty>
      {health && (
        <Property name="Health">
          <HealthMark health={health} />
        </Property>
      )}
      <People project={project} onChange={change} />
      <Day name="Start date" day={project.startsOn} onChange={startsOn => change({ startsOn })} />
      <Day name="Target date" day={project.targetOn} onChange={targetOn => change({ targetOn })} />
      <PickerProperty
        name="Team"
        picker={open => (
          <Picker
            {...open}
            label="Team"
            options={[{ id: NONE, title: 'All teams' }, ...teams.map(teamOption)]}
            chosen={teamId ?? NONE}
            onChoose={id => change({ teamId: id || null })}
          />
        )}
      >
        {teams.find(({ id }) => id === teamId)?.name ?? 'All teams'}
      </PickerProperty>
      {error && <ErrorNote error={error} />}
      <ProgressOfProject project={project} />
      <PlanSections plan={{ kind: 'project', id: project.id }} />
    </aside>
  )
}

type Plan = Partial<Pick<Project, 'state' | 'leadId' | 'memberIds' | 'startsOn' | 'targetOn' | 'teamId'>>

function useChange(project: Project) {
  const { mutate, mutateAsync, error } = useRequest(...PROJECT_QUERIES)
  const path = `/v1/projects/${project.id}`
  function change(values: { [K in keyof Plan]: Plan[K] | string }): void {
    const before = Object.fromEntries(Object.keys(values).map(name => [name, project[name as keyof Plan]]))
    const undo = () => mutateAsync({ path, body: { ...before, previous: values } })
    const onSuccess = () => offerUndo({ title: 'The project is changed', undone: 'The project is as before', undo })
    mutate({ path, body: { ...values, previous: before } }, { onSuccess })
  }
  return { change, error }
}

function People({ project, onChange }: { project: Project; onChange: (values: Plan) => void }) {
  const { members = [] } = useDirectory() ?? {}
  const options = members.map(memberOption)
  const { leadId, memberIds } = project
  const lead = members.find(({ id }) => id === leadId)
  const nobody = { id: NONE, title: 'Nobody', icon: <Icon name="person" /> }
  return (
    <>
      <PickerProperty
        name="Lead"
        isEmpty={!lead}
        icon={
          lead ? <Avatar name={lead.fullname} id={lead.id} isAgent={lead.kind === 'AGENT'} /> : <Icon name="person" />
        }
        picker={open => (
          <Picker
            {...open}
            label="Lead"
            options={[nobody, ...options]}
            chosen={leadId ?? NONE}
            onChoose={id => onChange({ leadId: id || null })}
          />
        )}
      >
        {lead?.fullname ?? 'Nobody'}
      </PickerProperty>
      <PickerProperty
        name="Members"
        isEmpty={memberIds.length === 0}
        icon={<Icon name="person" />}
        picker={open => (
          <MultiPicker
            {...open}
            label="Members"
            options={options}
            chosen={memberIds}
            onChoose={ids => onChange({ memberIds: ids.toSorted() })}
          />
        )}
      >
        {members
          .filter(({ id }) => memberIds.includes(id))
          .map(({ fullname }) => fullname)
          .join(', ') || 'Nobody'}
      </PickerProperty>
    </>
  )
}

interface DayProps {
  name: string
  day: string | null
  onChange: (day: string | null) => void
}
const Day = ({ name, day, onChange }: DayProps) => (
  <PickerProperty
    name={name}
    icon={<Icon name="calendar" />}
    isEmpty={day === null}
    picker={open => <DayPicker {...open} label={name} day={day} onChoose={onChange} />}
  >
    {day ? dayText(day) : 'None'}
  </PickerProperty>
)

function ProgressOfProject({ project: { id } }: { project: Project }) {
  const progress = useProgress(id).data?.[0]
  if (!progress) return null
  const { completed, total, criteria, expectedOn } = progress
  return (
    <section className={styles['progress']} aria-label="Progress">
      <h2>Progress</h2>
      <p>
        {completed} of {total} issues completed
      </p>
      <Meter label="Issues completed" value={completed} max={total} />
      {criteria.total > 0 && (
        <p>
          {criteria.met} of {criteria.total} criteria met
        </p>
      )}
      {expectedOn !== undefined && <p>Done on {dayText(expectedOn)} at the pace of the last four weeks</p>}
      <nav aria-label="Issues of the project">
        <Link href={`/issues?filter=project:${id}`}>As a list</Link>
        <Link href={`/board?filter=project:${id}&closed=`}>On the board</Link>
      </nav>
    </section>
  )
}
