import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AddForm,
  api,
  Button,
  ConfirmButton,
  contributions,
  ErrorNote,
  Lead,
  Line,
  Lines,
  NameField,
  Select,
  Skeleton,
  TextField,
  useRequest
} from '../../ui/browser/contract.ts'
import { CATEGORY_NAMES, teamSettings, type StateCategory, type TeamSettings } from './contract.ts'

interface State {
  id: string
  name: string
  category: StateCategory
  position: number
}
/** Settings → Teams: names, rules for completing issues, and workflow states. */
export default function Teams() {
  const { data: teams, error } = useQuery({
    queryKey: ['teams'],
    queryFn: ({ signal }) => api<TeamSettings[]>('/v1/teams', { signal })
  })
  if (error) return <ErrorNote error={error} />
  if (!teams) return <Skeleton />
  return (
    <>
      <Lead>A team has issues with keys of its own, and states that they go through.</Lead>
      <AddTeam />
      {teams.map(team => (
        <TeamStates key={team.id} team={team} />
      ))}
    </>
  )
}

/** The reason why a state or team with issues cannot be removed. @throws ApiProblem */
async function whyKept(filters: object): Promise<string | undefined> {
  const body = { filters, page: 1, perPage: 1 }
  const { total } = await api<{ total: number }>('/v1/issues/filter', { body })
  if (total === 0) return undefined
  return total === 1 ? 'An issue is in it: move it first.' : `${total} issues are in it: move them first.`
}

const useTeamRequest = () => useRequest('teams', 'states', 'directory')

function AddTeam() {
  const request = useTeamRequest()
  const [identifier, setIdentifier] = useState('')
  const [name, setName] = useState('')
  function add(): void {
    const onSuccess = () => {
      setIdentifier('')
      setName('')
    }
    request.mutate({ path: '/v1/teams', body: { identifier, name } }, { onSuccess })
  }
  return (
    <AddForm label="Add a team" request={request} onAdd={add}>
      <TextField label="Name of the team" placeholder="Name" maxLength={100} value={name} onChange={setName} />
      <TextField
        label="Identifier"
        placeholder="OPS"
        maxLength={10}
        pattern="[A-Za-z][A-Za-z0-9]{0,9}"
        value={identifier}
        onChange={setIdentifier}
      />
    </AddForm>
  )
}

function TeamStates({ team }: { team: TeamSettings }) {
  const { id, identifier, name } = team
  const { mutate, mutateAsync, error } = useTeamRequest()
  const { data: states = [] } = useQuery({
    queryKey: ['states', id],
    queryFn: ({ signal }) => api<State[]>(`/v1/${id}/workflows`, { signal })
  })
  const path = `/v1/teams/${id}`
  /** The previous state of the same category. */
  function stateBefore(state: State): State | undefined {
    const others = states.filter(({ category }) => category === state.category)
    return others[others.indexOf(state) - 1]
  }
  function swap(state: State, other: State): void {
    const put = ({ id: stateId, position }: State, to: number) =>
      mutate({ path: `/v1/${id}/workflows/${stateId}`, body: { position: to, previous: { position } } })
    put(state, other.position)
    put(other, state.position)
  }
  return (
    <section aria-label={name}>
      <h3>{identifier}</h3>
      <Lines label={`States of ${name}`}>
        <Line>
          <NameField
            label={`Name of ${identifier}`}
            name={name}
            onRename={(name, previous) => mutateAsync({ path, body: { name, previous: { name: previous } } })}
          />
          {contributions(teamSettings).map((Setting, n) => (
            <Setting key={n} team={team} />
          ))}
          <ConfirmButton
            label={`Remove the team ${identifier}`}
            word="Remove"
            warning="Its states go, too."
            whyNot={() => whyKept({ team: { filterType: 'IS', value: [id] } })}
            onConfirm={() => mutate({ path, method: 'DELETE' })}
          />
        </Line>
        {states.map(state => {
          const before = stateBefore(state)
          return <StateLine key={state.id} teamId={id} state={state} onRaise={before && (() => swap(state, before))} />
        })}
      </Lines>
      <AddState teamId={id} team={identifier} />
      {error && <ErrorNote error={error} />}
    </section>
  )
}

interface StateLineProps {
  teamId: string
  state: State
  /** Undefined for the first state of its category. */
  onRaise: (() => void) | undefined
}
function StateLine({ teamId, state, onRaise }: StateLineProps) {
  const { mutate, mutateAsync, error } = useTeamRequest()
  const { id, name, category } = state
  const path = `/v1/${teamId}/workflows/${id}`
  return (
    <Line error={error}>
      <NameField
        label={`Name of the state ${name}`}
        name={name}
        onRename={(name, previous) => mutateAsync({ path, body: { name, previous: { name: previous } } })}
      />
      <Select
        label={`Category of ${name}`}
        names={CATEGORY_NAMES}
        value={category}
        onChange={chosen => mutate({ path, body: { category: chosen, previous: { category } } })}
      />
      <Button kind="quiet" aria-label={`Put ${name} earlier`} disabled={!onRaise} onClick={onRaise}>
        ↑
      </Button>
      <ConfirmButton
        label={`Remove the state ${name}`}
        word="Remove"
        warning="No issue is in it."
        whyNot={() => whyKept({ state: { filterType: 'IS', value: [id] } })}
        onConfirm={() => mutate({ path, method: 'DELETE' })}
      />
    </Line>
  )
}

function AddState({ teamId, team }: { teamId: string; team: string }) {
  const request = useTeamRequest()
  const [name, setName] = useState('')
  const [category, setCategory] = useState<string>('STARTED')
  const add = () =>
    request.mutate({ path: `/v1/${teamId}/workflows`, body: { name, category } }, { onSuccess: () => setName('') })
  return (
    <AddForm label={`Add a state to ${team}`} kind="plain" request={request} onAdd={add}>
      <TextField
        label={`Name of a new state of ${team}`}
        placeholder="A new state"
        maxLength={60}
        value={name}
        onChange={setName}
      />
      <Select
        label={`Category of a new state of ${team}`}
        names={CATEGORY_NAMES}
        value={category}
        onChange={setCategory}
      />
    </AddForm>
  )
}
