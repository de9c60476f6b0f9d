import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import {
  Avatar,
  Button,
  ConfirmButton,
  contributions,
  Dialog,
  Empty,
  ErrorNote,
  havePictures,
  lazyElement,
  Lead,
  Line,
  Lines,
  LineText,
  PictureField,
  Skeleton,
  Time,
  useRequest,
  useSession
} from '../../ui/browser/contract.ts'
import { agentSettings } from './contract.ts'
import { AGENTS_KEY, agentsQuery, type Agent } from './data.ts'
import { NewAgent } from './new-agent.tsx'
import { TokenShown } from './new-token.tsx'

export default function Agents() {
  const session = useSession()
  const isAdmin = session?.account?.role === 'ADMIN'
  const { data: agents, error } = useQuery(agentsQuery)
  const [shown, setShown] = useState<{ name: string; token: string }>()
  if (error) return <ErrorNote error={error} />
  if (agents === undefined) return <Skeleton />
  return (
    <>
      <Lead>
        An agent has its own account: its changes are recorded under its name, not under the name of the person who
        connected it.
      </Lead>
      {isAdmin ? (
        <NewAgent onMade={(name, token) => setShown({ name, token })} />
      ) : (
        <p>Only administrators can create, change and remove agents.</p>
      )}
      {shown && <TokenShown {...shown} onClose={() => setShown(undefined)} />}
      {agents.length === 0 && (
        <Empty title="No agents yet">Create one for each client, and configure the client with its token.</Empty>
      )}
      <Lines label="Agents">
        {agents.map(agent => (
          <AgentLine
            key={agent.id}
            agent={agent}
            isAdmin={isAdmin}
            onToken={token => setShown({ name: agent.fullname, token })}
          />
        ))}
      </Lines>
      {contributions(agentSettings).map(({ load }, at) => (
        <Suspense key={at} fallback={<Skeleton />}>
          {lazyElement(load, {})}
        </Suspense>
      ))}
    </>
  )
}

interface AgentLineProps {
  agent: Agent
  isAdmin: boolean
  onToken: (token: string) => void
}
function AgentLine({ agent: { id, fullname, scopes, lastUsedAt }, isAdmin, onToken }: AgentLineProps) {
  const { mutate, error } = useRequest<{ token: string }>(...AGENTS_KEY)
  const path = `/v1/users/agents/${id}`
  const rotate = () => mutate({ path: `${path}/token`, method: 'POST' }, { onSuccess: ({ token }) => onToken(token) })
  return (
    <Line error={error}>
      <Avatar name={fullname} id={id} isAgent />
      <LineText title={fullname}>
        {scopes.join(', ')} ·{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            used <Time at={lastUsedAt} />
          </>
        )}
      </LineText>
      {isAdmin && (
        <>
          <PictureButton id={id} name={fullname} />
          <ConfirmButton
            label={`Rotate the token of ${fullname}`}
            word="Rotate token"
            warning="The current token stops working immediately."
            onConfirm={rotate}
          />
          <ConfirmButton
            label={`Remove ${fullname}`}
            word="Remove"
            warning="Its token stops working immediately."
            onConfirm={() => mutate({ path, method: 'DELETE' })}
          />
        </>
      )}
    </Line>
  )
}

function PictureButton({ id, name }: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  if (!havePictures()) return null
  return (
    <>
      <Button aria-label={`Picture of ${name}`} onClick={() => setOpen(true)}>
        Picture
      </Button>
      <Dialog title={`Picture of ${name}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <PictureField id={id} name={name} isAgent />
      </Dialog>
    </>
  )
}
