import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { agentsQuery } from '../../agents/ui/contract.ts'
import { api, ErrorNote } from '../../ui/browser/contract.ts'
import styles from './oauth.module.css'

interface Person {
  id: string
  fullname: string
  kind: 'PERSON' | 'AGENT'
  role: 'ADMIN' | 'MEMBER'
}
interface Connectable {
  agentId: string
  connectableBy: string[]
}
const QUERY = 'oauth-connectors'

/** Administrators may always. */
export function Connectors() {
  const { data: agents } = useQuery(agentsQuery)
  const { data: connectable, error } = useQuery({
    queryKey: [QUERY],
    queryFn: ({ signal }) => api<Connectable[]>('/v1/oauth/agents', { signal })
  })
  const { data: accounts } = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => api<Person[]>('/v1/users', { signal })
  })
  const client = useQueryClient()
  const {
    mutate,
    error: refusal,
    isPending,
    variables
  } = useMutation({
    mutationFn: ({ agentId, ...body }: Connectable) => api(`/v1/oauth/agents/${agentId}`, { body }),
    onSettled: () => Promise.all([QUERY, 'oauth-grants'].map(query => client.invalidateQueries({ queryKey: [query] })))
  })
  const members = (accounts ?? []).filter(({ kind, role }) => kind === 'PERSON' && role === 'MEMBER')
  if (error) return <ErrorNote error={error} />
  if (agents === undefined || connectable === undefined || members.length === 0) return null
  return (
    <>
      <p>Members may connect clients as these agents; administrators as any:</p>
      {refusal && <ErrorNote error={refusal} />}
      {agents.map(({ id, fullname }) => {
        // The choice that is being stored counts, so that another one after it keeps it.
        const current = isPending && variables.agentId === id ? [variables] : connectable
        const now = current.find(({ agentId }) => agentId === id)?.connectableBy ?? []
        const toggle = (personId: string) =>
          mutate({
            agentId: id,
            connectableBy: now.includes(personId) ? now.filter(other => other !== personId) : [...now, personId]
          })
        return (
          <details key={id}>
            <summary>
              {fullname}: {now.length === 0 ? 'no members' : now.length === 1 ? '1 member' : `${now.length} members`}
            </summary>
            <div className={styles['people']}>
              {members.map(person => (
                <label key={person.id}>
                  <input type="checkbox" checked={now.includes(person.id)} onChange={() => toggle(person.id)} />
                  {person.fullname}
                </label>
              ))}
            </div>
          </details>
        )
      })}
    </>
  )
}
