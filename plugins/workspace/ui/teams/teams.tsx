import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AddForm,
  api,
  Button,
  Choice,
  contributions,
  Dialog,
  ErrorNote,
  Labelled,
  Lead,
  Menu,
  NameField,
  Skeleton,
  TextField
} from '../../../ui/browser/contract.ts'
import { teamSettings, type TeamSettings } from '../contract.ts'
import { useIssuesWithin, useTeamRequest } from './data.ts'
import { CATEGORIES, States } from './states.tsx'
import styles from './teams.module.css'

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
      {teams.map(team => (
        <TeamCard key={team.id} team={team} />
      ))}
      <AddTeam />
    </>
  )
}

function TeamCard({ team }: { team: TeamSettings }) {
  const { id, identifier, name } = team
  const { mutateAsync, error } = useTeamRequest()
  const [isRemoving, setRemoving] = useState(false)
  const { whyNot, count } = useIssuesWithin({ team: { filterType: 'IS', value: [id] } })
  const path = `/v1/teams/${id}`
  const settings = contributions(teamSettings)
  return (
    <section className={styles['card']} aria-label={name}>
      <header>
        <h3 className={styles['mark']}>{identifier}</h3>
        <NameField
          label={`Name of ${identifier}`}
          name={name}
          onRename={(name, previous) => mutateAsync({ path, body: { name, previous: { name: previous } } })}
        />
        <Menu
          label={`Actions on the team ${identifier}`}
          onOpen={count}
          items={[{ title: 'Remove the team…', isDangerous: true, whyNot, run: () => setRemoving(true) }]}
        />
      </header>
      {settings.length > 0 && (
        <div className={styles['rules']}>
          {settings.map((Setting, n) => (
            <Setting key={n} team={team} />
          ))}
        </div>
      )}
      <States teamId={id} team={identifier} />
      <AddState teamId={id} team={identifier} />
      {error && <ErrorNote error={error} />}
      {isRemoving && <RemoveTeam team={team} onClose={() => setRemoving(false)} />}
    </section>
  )
}

function RemoveTeam({ team: { id, name, identifier }, onClose }: { team: TeamSettings; onClose: () => void }) {
  const { mutate, error, isPending } = useTeamRequest()
  const remove = () => mutate({ path: `/v1/teams/${id}`, method: 'DELETE' }, { onSuccess: onClose })
  return (
    <Dialog title={`Remove ${name}?`} isOpen onClose={onClose}>
      <div className={styles['confirmation']}>
        <p>Its states go, too, and nothing can have keys with {identifier} any more. This cannot be undone.</p>
        {error && <ErrorNote error={error} />}
        <div>
          <Button data-first-focus onClick={onClose}>
            Cancel
          </Button>
          <Button kind="danger" disabled={isPending} onClick={remove}>
            Remove the team
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

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
    <AddForm label="Add a team" word="Add team" request={request} onAdd={add}>
      <TextField label="Name of the team" maxLength={100} value={name} onChange={setName} />
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

function AddState({ teamId, team }: { teamId: string; team: string }) {
  const request = useTeamRequest()
  const [name, setName] = useState('')
  const [category, setCategory] = useState<string>('STARTED')
  const add = () =>
    request.mutate({ path: `/v1/${teamId}/workflows`, body: { name, category } }, { onSuccess: () => setName('') })
  return (
    <AddForm label={`Add a state to ${team}`} word="Add state" kind="plain" request={request} onAdd={add}>
      <TextField label="New state" maxLength={60} value={name} onChange={setName} />
      <Labelled label="Category">
        <Choice label="Category" options={CATEGORIES} chosen={category} onChoose={setCategory} />
      </Labelled>
    </AddForm>
  )
}
