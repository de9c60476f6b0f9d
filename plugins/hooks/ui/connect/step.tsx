import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { agentsQuery } from '../../../agents/ui/contract.ts'
import { plugins, StartStep } from '../../../ui/browser/contract.ts'

export default function ConnectStep() {
  const hasAgents = plugins.includes('agents')
  const { data: agents = [] } = useQuery({ ...agentsQuery, enabled: hasAgents })
  return (
    <StartStep title="Connect an agent" isDone={agents.some(({ lastUsedAt }) => lastUsedAt !== null)}>
      <p>Claude Code, Codex, Cursor and others read and write issues here, each agent with a token of its own.</p>
      {hasAgents && (
        <p>
          <Link href="/settings/agents">Create an agent</Link>: its token is shown with the steps for each client.
        </p>
      )}
      <p>
        With a token that you have: <Link href="/connect">Connect a client</Link>
      </p>
    </StartStep>
  )
}
