import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AddForm,
  api,
  ConfirmButton,
  ErrorNote,
  Line,
  Lines,
  NameField,
  Select,
  Skeleton,
  TextField,
  useRequest
} from '../../ui/browser/contract.ts'
import { useCycles, type Cycle } from './data.ts'

interface Team {
  id: string
  identifier: string
}

export default function CycleSettings() {
  const { data: cycles, error } = useCycles()
  const { data: teams } = useQuery({
    queryKey: ['teams'],
    queryFn: ({ signal }) => api<Team[]>('/v1/teams', { signal })
  })
  if (error) return <ErrorNote error={error} />
  if (!cycles || !teams) return <Skeleton />
  return (
    <>
      <AddCycle teams={teams} />
      <Lines label="Cycles">
        {cycles.map(cycle => (
          <CycleLine key={cycle.id} cycle={cycle} team={teams.find(({ id }) => id === cycle.teamId)} />
        ))}
      </Lines>
    </>
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
