import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import {
  Avatar,
  Card,
  Cards,
  contributions,
  Empty,
  ErrorNote,
  PageFrame,
  Skeleton,
  Time
} from '../../ui/browser/contract.ts'
import { agentWork } from './contract.ts'
import { agentsQuery, type Agent } from './data.ts'
import styles from './now.module.css'

/** Milliseconds between refreshes of the last activity, which the server stores at most once a minute. */
const LOOK_MS = 60_000

export default function AgentsNow() {
  const { data: agents, error } = useQuery({ ...agentsQuery, refetchInterval: LOOK_MS })
  return (
    <PageFrame title="Agents">
      {error && <ErrorNote error={error} />}
      {!agents && !error && <Skeleton />}
      {agents?.length === 0 && (
        <Empty title="No agents yet">
          Administrators create one for each client: <Link href="/settings/agents">Settings</Link>
        </Empty>
      )}
      {agents !== undefined && agents.length > 0 && (
        <Cards label="Agents">
          {agents.toSorted(byLastUse).map(agent => (
            <AgentNow key={agent.id} agent={agent} />
          ))}
        </Cards>
      )}
    </PageFrame>
  )
}

const byLastUse = (a: Agent, b: Agent) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? '')

function AgentNow({ agent: { id, fullname, lastUsedAt } }: { agent: Agent }) {
  return (
    <Card label={fullname}>
      <div className={styles['who']}>
        <Avatar name={fullname} id={id} isAgent />
        <h2>{fullname}</h2>
        <span>
          {lastUsedAt === null ? (
            'never active'
          ) : (
            <>
              last active <Time at={lastUsedAt} />
            </>
          )}
        </span>
      </div>
      {contributions(agentWork).map((Work, at) => (
        <Work key={at} agentId={id} />
      ))}
    </Card>
  )
}
