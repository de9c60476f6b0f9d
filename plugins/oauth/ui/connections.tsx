import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  ErrorNote,
  Lead,
  Line,
  Lines,
  LineText,
  Skeleton,
  Time,
  useRequest,
  useSession
} from '../../ui/browser/contract.ts'
import { Connectors } from './connectors.tsx'
import styles from './oauth.module.css'

interface Grant {
  id: string
  client: { id: string; name: string }
  redirectHost: string
  agent: { id: string; fullname: string }
  person: { id: string; fullname: string }
  scopes: string[]
  createdAt: string
  lastUsedAt: string | null
}
const QUERY = 'oauth-grants'

export default function Connections() {
  const session = useSession()
  const { data: grants, error } = useQuery({
    queryKey: [QUERY],
    queryFn: ({ signal }) => api<Grant[]>('/v1/oauth/grants', { signal })
  })
  const request = useRequest(QUERY)
  if (error) return <ErrorNote error={error} />
  if (grants === undefined) return <Skeleton />
  return (
    <section className={styles['connections']} aria-labelledby="oauth-connections">
      <h3 id="oauth-connections">Connected clients</h3>
      <Lead>
        A client connects with the address of the MCP server alone: it opens this server in your browser, where you
        choose the agent as which it acts.
      </Lead>
      {grants.length === 0 && <p>No client is connected in this way.</p>}
      {request.error && <ErrorNote error={request.error} />}
      <Lines label="Connected clients">
        {grants.map(({ id, client, redirectHost, agent, person, scopes, createdAt, lastUsedAt }) => (
          <Line key={id}>
            <LineText title={`${client.name} as ${agent.fullname}`}>
              {redirectHost} · {scopes.join(', ')} · connected by {person.fullname} <Time at={createdAt} />
              {lastUsedAt !== null && (
                <>
                  {' '}
                  · used <Time at={lastUsedAt} />
                </>
              )}
            </LineText>
            <ConfirmButton
              label={`Disconnect ${client.name} as ${agent.fullname}`}
              word="Disconnect"
              warning="Its tokens stop working immediately."
              onConfirm={() => request.mutate({ path: `/v1/oauth/grants/${id}`, method: 'DELETE' })}
            />
          </Line>
        ))}
      </Lines>
      {session?.account?.role === 'ADMIN' && <Connectors />}
    </section>
  )
}
