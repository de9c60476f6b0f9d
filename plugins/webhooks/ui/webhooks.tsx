import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AddForm,
  api,
  Button,
  ConfirmButton,
  Empty,
  ErrorNote,
  Lead,
  Line,
  Lines,
  LineText,
  ShownOnce,
  Skeleton,
  TextField,
  useRequest,
  useSession
} from '../../ui/browser/contract.ts'
import { Deliveries } from './deliveries.tsx'

interface Webhook {
  id: string
  url: string
  types: string[]
  active: boolean
  disabledReason: string | null
}
interface Secret {
  url: string
  secret: string
}

export default function Webhooks() {
  const session = useSession()
  if (session?.account?.role !== 'ADMIN') return <Lead>Only administrators can see and change webhooks.</Lead>
  return <AllWebhooks />
}

function AllWebhooks() {
  const { data: webhooks, error } = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => api<Webhook[]>('/v1/webhooks', { signal })
  })
  const [shown, setShown] = useState<Secret>()
  if (error) return <ErrorNote error={error} />
  if (!webhooks) return <Skeleton />
  return (
    <>
      <Lead>Webhooks deliver events to a URL: signed, in order, and retried until they arrive.</Lead>
      <AddWebhook onSecret={setShown} />
      {shown && (
        <ShownOnce title={`The secret for ${shown.url}`} text={shown.secret} onClose={() => setShown(undefined)} />
      )}
      {webhooks.length === 0 && !shown && <Empty title="No webhooks">No events are delivered.</Empty>}
      <Lines label="Webhooks">
        {webhooks.map(webhook => (
          <WebhookLine key={webhook.id} webhook={webhook} onSecret={setShown} />
        ))}
      </Lines>
    </>
  )
}

function AddWebhook({ onSecret }: { onSecret: (shown: Secret) => void }) {
  const request = useRequest<{ secret: string }>('webhooks')
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState('*')
  function add(): void {
    const names = types.split(',').map(type => type.trim())
    const onSuccess = ({ secret }: { secret: string }) => {
      onSecret({ url, secret })
      setUrl('')
    }
    request.mutate({ path: '/v1/webhooks', body: { url, types: names.filter(Boolean) } }, { onSuccess })
  }
  return (
    <AddForm label="Add a webhook" request={request} onAdd={add}>
      <TextField type="url" label="Address" placeholder="https://…" value={url} onChange={setUrl} />
      <TextField
        label="Event types, separated by commas"
        placeholder="issue.*, comment.created"
        value={types}
        onChange={setTypes}
      />
    </AddForm>
  )
}

function WebhookLine({ webhook, onSecret }: { webhook: Webhook; onSecret: (shown: Secret) => void }) {
  const { id, url, types, active, disabledReason } = webhook
  const [isOpen, setOpen] = useState(false)
  const { mutate, error } = useRequest('webhooks', 'deliveries')
  const rotate = useRequest<{ secret: string }>('webhooks')
  const path = `/v1/webhooks/${id}`
  const rotateSecret = () =>
    rotate.mutate(
      { path: `${path}/rotate_secret`, method: 'POST' },
      { onSuccess: ({ secret }) => onSecret({ url, secret }) }
    )
  const problem = error ?? rotate.error
  return (
    <Line>
      <LineText title={url}>
        {types.join(', ')}
        {disabledReason !== null && ` · ${disabledReason}`}
      </LineText>
      <label>
        <input
          type="checkbox"
          checked={active}
          onChange={event => mutate({ path, body: { active: event.target.checked, previous: { active } } })}
        />{' '}
        Active
      </label>
      <Button aria-label={`Send a test to ${url}`} onClick={() => mutate({ path: `${path}/test`, method: 'POST' })}>
        Test
      </Button>
      <Button aria-label={`Deliveries to ${url}`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Deliveries
      </Button>
      <ConfirmButton
        label={`Rotate the secret for ${url}`}
        word="Rotate"
        warning="For one day, both secrets sign."
        onConfirm={rotateSecret}
      />
      <ConfirmButton
        label={`Remove ${url}`}
        word="Remove"
        warning="Its deliveries are removed, too."
        onConfirm={() => mutate({ path, method: 'DELETE' })}
      />
      {problem && <ErrorNote error={problem} />}
      {isOpen && <Deliveries webhookId={id} />}
    </Line>
  )
}
