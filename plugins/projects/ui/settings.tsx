import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AddForm,
  api,
  Button,
  ConfirmButton,
  ErrorNote,
  Line,
  Lines,
  NameField,
  Skeleton,
  useRequest
} from '../../ui/browser/contract.ts'
import { useCycles, useProjects, type Cycle, type Project } from './data.ts'

interface Team {
  id: string
  identifier: string
}

/** Settings → Projects and cycles. */
export default function ProjectSettings() {
  const { data: projects, error } = useProjects()
  const { data: cycles } = useCycles()
  const { data: teams } = useQuery({
    queryKey: ['teams'],
    queryFn: ({ signal }) => api<Team[]>('/v1/teams', { signal })
  })
  if (error) return <ErrorNote error={error} />
  if (!projects || !cycles || !teams) return <Skeleton />
  return (
    <>
      <h3>Projects</h3>
      <AddProject teams={teams} />
      <Lines label="Projects">
        {projects.map(project => (
          <ProjectLine key={project.id} project={project} />
        ))}
      </Lines>
      <h3>Cycles</h3>
      <AddCycle teams={teams} />
      <Lines label="Cycles">
        {cycles.map(cycle => (
          <CycleLine key={cycle.id} cycle={cycle} team={teams.find(({ id }) => id === cycle.teamId)} />
        ))}
      </Lines>
    </>
  )
}

function ProjectLine({ project: { id, name } }: { project: Project }) {
  const { mutate, error } = useRequest('projects', 'context')
  const path = `/v1/projects/${id}`
  return (
    <Line>
      <NameField
        key={name}
        label={`Name of the project ${name}`}
        name={name}
        onRename={name => mutate({ path, body: { name } })}
      />
      <ConfirmButton
        label={`Remove the project ${name}`}
        word="Remove"
        warning="Its issues stay."
        onConfirm={() => mutate({ path, method: 'DELETE' })}
      />
      {error && <ErrorNote error={error} />}
    </Line>
  )
}

const dayOf = (at: string) => new Date(at).toLocaleDateString()
function CycleLine({ cycle: { id, name, startsAt, endsAt }, team }: { cycle: Cycle; team: Team | undefined }) {
  const { mutate, error } = useRequest('cycles', 'context')
  const path = `/v1/cycles/${id}`
  return (
    <Line>
      <NameField
        key={name}
        label={`Name of the cycle ${name}`}
        name={name}
        onRename={name => mutate({ path, body: { name } })}
      />
      <span>
        {team?.identifier}, {dayOf(startsAt)} to {dayOf(endsAt)}
      </span>
      <ConfirmButton
        label={`Remove the cycle ${name}`}
        word="Remove"
        warning="Its issues stay."
        onConfirm={() => mutate({ path, method: 'DELETE' })}
      />
      {error && <ErrorNote error={error} />}
    </Line>
  )
}

interface TeamSelectProps {
  label: string
  teams: readonly Team[]
  /** What stands for no team; absent: there must be one. */
  none?: string
  value: string
  onChange: (id: string) => void
}
function TeamSelect({ label, teams, none, value, onChange }: TeamSelectProps) {
  return (
    <select aria-label={label} value={value} onChange={event => onChange(event.target.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {teams.map(({ id, identifier }) => (
        <option key={id} value={id}>
          {identifier}
        </option>
      ))}
    </select>
  )
}

function AddProject({ teams }: { teams: readonly Team[] }) {
  const { mutate, error, isPending } = useRequest('projects')
  const [name, setName] = useState('')
  const [teamId, setTeamId] = useState('')
  const add = () =>
    mutate({ path: '/v1/projects', body: { name, teamId: teamId || null } }, { onSuccess: () => setName('') })
  return (
    <AddForm label="Open a project" onAdd={add}>
      <input
        aria-label="Name of a new project"
        placeholder="A new project"
        required
        maxLength={200}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <TeamSelect label="Team of a new project" teams={teams} none="All teams" value={teamId} onChange={setTeamId} />
      <Button type="submit" kind="primary" disabled={isPending}>
        Open
      </Button>
      {error && <ErrorNote error={error} />}
    </AddForm>
  )
}

function AddCycle({ teams }: { teams: readonly Team[] }) {
  const { mutate, error, isPending } = useRequest('cycles')
  const [name, setName] = useState('')
  const [teamId, setTeamId] = useState(teams[0]?.id ?? '')
  const [days, setDays] = useState({ from: '', to: '' })
  const timeOf = (day: string) => new Date(`${day}T00:00:00`).toISOString()
  function add(): void {
    const body = { name, teamId, startsAt: timeOf(days.from), endsAt: timeOf(days.to) }
    mutate({ path: '/v1/cycles', body }, { onSuccess: () => setName('') })
  }
  const day = (name: 'from' | 'to', label: string) => (
    <input
      type="date"
      aria-label={label}
      required
      value={days[name]}
      onChange={event => setDays({ ...days, [name]: event.target.value })}
    />
  )
  return (
    <AddForm label="Plan a cycle" onAdd={add}>
      <input
        aria-label="Name of a new cycle"
        placeholder="A new cycle"
        required
        maxLength={200}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <TeamSelect label="Team of a new cycle" teams={teams} value={teamId} onChange={setTeamId} />
      {day('from', 'First day')}
      {day('to', 'Day after the last')}
      <Button type="submit" kind="primary" disabled={isPending}>
        Plan
      </Button>
      {error && <ErrorNote error={error} />}
    </AddForm>
  )
}
