import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NodeJson } from '../../../lib/rich-text/index.ts'
import {
  AddForm,
  api,
  Button,
  ConfirmButton,
  contributions,
  currentText,
  ErrorNote,
  Line,
  Lines,
  NameField,
  removeRestorable,
  Select,
  Skeleton,
  StoredText,
  TextField,
  useHasDraft,
  useRequest
} from '../../ui/browser/contract.ts'
import { projectActions } from './contract.ts'
import styles from './settings.module.css'
import { useCycles, useProjects, type Cycle, type Project } from './data.ts'

interface Described extends Project {
  description: NodeJson | null
  descriptionMarkdown: string
}
interface Team {
  id: string
  identifier: string
}

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

function ProjectLine({ project }: { project: Project }) {
  const { id, name } = project
  const { mutateAsync, error } = useRequest('projects', 'context')
  const [isOpen, setOpen] = useState(useHasDraft(placeOf(id, name).name))
  const path = `/v1/projects/${id}`
  return (
    <Line error={error}>
      <NameField
        label={`Name of the project ${name}`}
        name={name}
        onRename={(name, previous) => mutateAsync({ path, body: { name, previous: { name: previous } } })}
      />
      <Button
        kind="quiet"
        aria-label={`Description of the project ${name}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Description
      </Button>
      {contributions(projectActions).map((Action, n) => (
        <Action key={n} project={project} />
      ))}
      <Button
        kind="danger"
        aria-label={`Remove the project ${name}`}
        onClick={() => removeRestorable(mutateAsync, path, `The project ${name}`)}
      >
        Remove
      </Button>
      {isOpen && <Description id={id} />}
    </Line>
  )
}

const placeOf = (id: string, name: string) => ({
  name: `project.${id}`,
  title: `Description of the project ${name}`,
  href: '/settings/projects'
})

/** The objective of a project. */
function Description({ id }: { id: string }) {
  const path = `/v1/projects/${id}`
  const { mutateAsync } = useRequest('projects', 'project', 'context')
  const { data: project, error } = useQuery({
    queryKey: ['project', id],
    queryFn: ({ signal }) => api<Described>(path, { signal })
  })
  if (error) return <ErrorNote error={error} />
  if (!project) return <Skeleton />
  const { name, description, descriptionMarkdown } = project
  return (
    <div className={styles['description']}>
      <StoredText
        label={`Description of the project ${name}`}
        what="project"
        doc={description}
        markdown={descriptionMarkdown}
        context={descriptionMarkdown}
        place={placeOf(id, name)}
        invitation="Add a description: the objective of the project."
        send={(text, descriptionMarkdown) =>
          mutateAsync({ path, body: { descriptionMarkdown: text, previous: { descriptionMarkdown } } })
        }
        theirs={error => currentText(error, 'descriptionMarkdown')}
      />
    </div>
  )
}

const dayOf = (at: string) => new Date(at).toLocaleDateString()
function CycleLine({ cycle: { id, name, startsAt, endsAt }, team }: { cycle: Cycle; team: Team | undefined }) {
  const { mutate, mutateAsync, error } = useRequest('cycles', 'context')
  const path = `/v1/cycles/${id}`
  return (
    <Line error={error}>
      <NameField
        label={`Name of the cycle ${name}`}
        name={name}
        onRename={(name, previous) => mutateAsync({ path, body: { name, previous: { name: previous } } })}
      />
      <span>
        {team?.identifier}, {dayOf(startsAt)} to {dayOf(endsAt)}
      </span>
      <ConfirmButton
        label={`Remove the cycle ${name}`}
        word="Remove"
        warning="Its issues are kept."
        onConfirm={() => mutate({ path, method: 'DELETE' })}
      />
    </Line>
  )
}

const namesOf = (teams: readonly Team[]) => Object.fromEntries(teams.map(({ id, identifier }) => [id, identifier]))

function AddProject({ teams }: { teams: readonly Team[] }) {
  const request = useRequest('projects')
  const [name, setName] = useState('')
  const [teamId, setTeamId] = useState('')
  const add = () =>
    request.mutate({ path: '/v1/projects', body: { name, teamId: teamId || null } }, { onSuccess: () => setName('') })
  return (
    <AddForm label="Create a project" word="Create project" request={request} onAdd={add}>
      <TextField
        label="Name of a new project"
        placeholder="A new project"
        maxLength={200}
        value={name}
        onChange={setName}
      />
      <Select
        label="Team of a new project"
        names={{ '': 'All teams', ...namesOf(teams) }}
        value={teamId}
        onChange={setTeamId}
      />
    </AddForm>
  )
}

function AddCycle({ teams }: { teams: readonly Team[] }) {
  const request = useRequest('cycles')
  const [name, setName] = useState('')
  const [teamId, setTeamId] = useState(teams[0]?.id ?? '')
  const [days, setDays] = useState({ from: '', to: '' })
  const timeOf = (day: string) => new Date(`${day}T00:00:00`).toISOString()
  function add(): void {
    const body = { name, teamId, startsAt: timeOf(days.from), endsAt: timeOf(days.to) }
    request.mutate({ path: '/v1/cycles', body }, { onSuccess: () => setName('') })
  }
  const day = (name: 'from' | 'to', label: string) => (
    <TextField type="date" label={label} value={days[name]} onChange={value => setDays({ ...days, [name]: value })} />
  )
  return (
    <AddForm label="Create a cycle" word="Create cycle" request={request} onAdd={add}>
      <TextField
        label="Name of a new cycle"
        placeholder="A new cycle"
        maxLength={200}
        value={name}
        onChange={setName}
      />
      <Select label="Team of a new cycle" names={namesOf(teams)} value={teamId} onChange={setTeamId} />
      {day('from', 'Start date')}
      {day('to', 'End date (exclusive)')}
    </AddForm>
  )
}
