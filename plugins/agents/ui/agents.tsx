import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, Avatar, Button, Empty, ErrorNote, Skeleton, Time, useSession } from '../../ui/browser/contract.ts'
import styles from './agents.module.css'
import { AGENTS_KEY, agentsQuery, type Agent } from './data.ts'
import { NewAgent } from './new-agent.tsx'
import { TokenShown } from './new-token.tsx'

/** Settings → Agents: who they are, what they may do, and their tokens. */
export default function Agents() {
  const session = useSession()
  const isAdmin = session?.account?.role === 'ADMIN'
  const { data: agents, error } = useQuery(agentsQuery)
  const [shown, setShown] = useState<{ name: string; token: string }>()
  if (error) return <ErrorNote error={error} />
  if (agents === undefined) return <Skeleton />
  return (
    <>
      <p className={styles['lead']}>
        An agent is an account of its own: what it does is recorded against it, not against who connected it.
      </p>
      {isAdmin ? (
        <NewAgent onMade={(name, token) => setShown({ name, token })} />
      ) : (
        <p>Only an administrator makes, changes and removes agents.</p>
      )}
      {shown && <TokenShown {...shown} onClose={() => setShown(undefined)} />}
      {agents.length === 0 && (
        <Empty title="No agents yet">Make one for each client that works here, and give it its token.</Empty>
      )}
      <ul className={styles['list']}>
        {agents.map(agent => (
          <AgentRow
            key={agent.id}
            agent={agent}
            isAdmin={isAdmin}
            onToken={token => setShown({ name: agent.fullname, token })}
          />
        ))}
      </ul>
    </>
  )
}

interface AgentRowProps {
  agent: Agent
  isAdmin: boolean
  onToken: (token: string) => void
}
function AgentRow({ agent: { id, fullname, scopes, lastUsedAt }, isAdmin, onToken }: AgentRowProps) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: AGENTS_KEY })
  const [asked, setAsked] = useState<'rotate' | 'remove'>()
  const rotate = useMutation({
    mutationFn: () => api<{ token: string }>(`/v1/users/agents/${id}/token`, { method: 'POST' }),
    onSuccess: ({ token }) => onToken(token),
    onSettled: refresh
  })
  const remove = useMutation({
    mutationFn: () => api(`/v1/users/agents/${id}`, { method: 'DELETE' }),
    onSettled: refresh
  })
  function confirm(): void {
    if (asked === 'rotate') rotate.mutate()
    else remove.mutate()
    setAsked(undefined)
  }
  const error = rotate.error ?? remove.error
  return (
    <li className={styles['agent']}>
      <Avatar name={fullname} isAgent />
      <div className={styles['who']}>
        <strong>{fullname}</strong>
        <span>
          {scopes.join(', ')} ·{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              used <Time at={lastUsedAt} />
            </>
          )}
        </span>
      </div>
      {isAdmin && asked === undefined && (
        <>
          <Button aria-label={`Rotate the token of ${fullname}`} onClick={() => setAsked('rotate')}>
            Rotate token
          </Button>
          <Button kind="danger" aria-label={`Remove ${fullname}`} onClick={() => setAsked('remove')}>
            Remove
          </Button>
        </>
      )}
      {asked !== undefined && (
        <>
          <span>The token of now stops working at once.</span>
          <Button kind="danger" autoFocus onClick={confirm}>
            {asked === 'rotate' ? 'Rotate' : 'Remove'}
          </Button>
          <Button onClick={() => setAsked(undefined)}>Keep</Button>
        </>
      )}
      {error && <ErrorNote error={error} />}
    </li>
  )
}
