import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import {
  api,
  Button,
  Empty,
  ErrorNote,
  Field,
  Labelled,
  PageFrame,
  Select,
  Skeleton,
  useSignOut
} from '../../ui/browser/contract.ts'
import styles from './oauth.module.css'

interface Consent {
  client: { name: string; isProven: boolean }
  redirectHost: string
  workspace: { id: string; name: string }
  scopes: Array<{ name: string; summary: string; isSelected: boolean }>
  agents: Array<{ id: string; fullname: string; scopes: string[] }>
  mayCreateAgent: boolean
}
/** Stands for a new agent. */
const NEW = 'new'
const NEEDED = 'read'

export default function ConsentPage() {
  // The address stays the same: it names the request.
  const [query] = useState(() => location.search.slice(1))
  const { data: consent, error } = useQuery({
    queryKey: ['oauth-consent', query],
    queryFn: ({ signal }) => api<Consent>(`/v1/oauth/consent?query=${encodeURIComponent(query)}`, { signal }),
    enabled: query !== '',
    staleTime: Infinity,
    retry: false
  })
  return (
    <PageFrame title="Connect a client">
      {query === '' && <Empty title="No request">A client that connects to this server opens this page.</Empty>}
      {error && (
        <Empty title="This client cannot be connected">
          <ErrorNote error={error} />
        </Empty>
      )}
      {query !== '' && !error && (consent ? <ConsentForm query={query} consent={consent} /> : <Skeleton />)}
    </PageFrame>
  )
}

function ConsentForm({ query, consent }: { query: string; consent: Consent }) {
  const { client, agents, mayCreateAgent } = consent
  const signOut = useSignOut()
  const [agentId, setAgentId] = useState(agents[0]?.id ?? NEW)
  const [name, setName] = useState(client.name)
  const [selected, setSelected] = useState(
    consent.scopes.filter(scope => scope.isSelected || scope.name === NEEDED).map(({ name }) => name)
  )
  const agent = agents.find(({ id }) => id === agentId)
  const scopes = consent.scopes.filter(scope => agent === undefined || agent.scopes.includes(scope.name))
  const granted = scopes.filter(scope => selected.includes(scope.name)).map(scope => scope.name)
  const decide = useMutation({
    mutationFn: (isApproved: boolean) =>
      api<{ redirectTo: string }>('/v1/oauth/consent', {
        body: isApproved
          ? { query, isApproved, scopes: granted, ...(agent ? { agentId } : { newAgent: name }) }
          : { query, isApproved }
      }),
    onSuccess: ({ redirectTo }) => location.assign(redirectTo)
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    decide.mutate(true)
  }
  const mayConnect = agents.length > 0 || mayCreateAgent
  const isBusy = decide.isPending || decide.isSuccess
  return (
    <form className={styles['consent']} aria-label="Connect a client" onSubmit={submit}>
      <Request {...consent} />
      {!mayConnect ? (
        <Empty title="No agent to connect">An administrator lets you use an agent in Settings → Agents.</Empty>
      ) : (
        <>
          <AgentFields
            {...{ consent, agentId, name }}
            onAgent={setAgentId}
            onName={setName}
            isNew={agent === undefined}
          />
          <ScopeFields scopes={scopes} selected={granted} onChange={setSelected} />
        </>
      )}
      {decide.error && <ErrorNote error={decide.error} />}
      <div className={styles['actions']}>
        <Button type="submit" kind="primary" disabled={isBusy || !mayConnect || !granted.includes(NEEDED)}>
          Connect
        </Button>
        <Button disabled={isBusy} onClick={() => decide.mutate(false)}>
          Refuse
        </Button>
      </div>
      <Button kind="quiet" disabled={isBusy} onClick={() => signOut()}>
        Sign in to another workspace
      </Button>
    </form>
  )
}

/** The host is larger than the name, which a client may have chosen to deceive. */
function Request({ client, redirectHost, workspace }: Consent) {
  return (
    <>
      <p className={styles['host']}>{redirectHost}</p>
      <p>
        {client.isProven ? <strong>{client.name}</strong> : <>A program that calls itself “{client.name}”</>} asks to
        act as an agent in the workspace <strong>{workspace.name}</strong>.
      </p>
      {!client.isProven && (
        <p className={styles['note']}>
          Nobody vouches for this name: go on only if you have just started to connect it.
        </p>
      )}
    </>
  )
}

interface AgentFieldsProps {
  consent: Consent
  agentId: string
  name: string
  isNew: boolean
  onAgent: (id: string) => void
  onName: (name: string) => void
}
function AgentFields({ consent: { agents, mayCreateAgent }, agentId, name, isNew, onAgent, onName }: AgentFieldsProps) {
  const names = Object.fromEntries([
    ...agents.map(({ id, fullname }) => [id, fullname]),
    ...(mayCreateAgent ? [[NEW, 'A new agent']] : [])
  ]) as Record<string, string>
  return (
    <>
      <Labelled label="Agent">
        <Select label="Agent" names={names} value={agentId} onChange={onAgent} />
      </Labelled>
      {isNew && (
        <Field label="Name of the new agent">
          {id => <input id={id} required maxLength={200} value={name} onChange={event => onName(event.target.value)} />}
        </Field>
      )}
    </>
  )
}

interface ScopeFieldsProps {
  scopes: Consent['scopes']
  selected: string[]
  onChange: (selected: string[]) => void
}
function ScopeFields({ scopes, selected, onChange }: ScopeFieldsProps) {
  const toggle = (scope: string) =>
    onChange(selected.includes(scope) ? selected.filter(other => other !== scope) : [...selected, scope])
  return (
    <fieldset>
      <legend>It may</legend>
      {scopes.map(({ name, summary }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={selected.includes(name)}
            disabled={name === NEEDED}
            onChange={() => toggle(name)}
          />
          {name}: {summary.toLowerCase()}
        </label>
      ))}
    </fieldset>
  )
}
