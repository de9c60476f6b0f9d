import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AddForm,
  api,
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
  Time,
  useRequest
} from '../../ui/browser/contract.ts'

interface Token {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export default function Tokens() {
  const { data: tokens, error } = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => api<Token[]>('/v1/users/pats', { signal })
  })
  const { mutate, error: problem } = useRequest('tokens')
  if (error) return <ErrorNote error={error} />
  if (!tokens) return <Skeleton />
  return (
    <>
      <Lead>A token may do what you may do: it is for your own scripts. An agent gets an account of its own.</Lead>
      <NewToken />
      {tokens.length === 0 && <Empty title="No tokens">None of your own is in use.</Empty>}
      <Lines label="Your tokens">
        {tokens.map(({ id, name, createdAt, lastUsedAt, expiresAt }) => (
          <Line key={id}>
            <LineText title={name}>
              made <Time at={createdAt} />
              {lastUsedAt !== null && (
                <>
                  , used <Time at={lastUsedAt} />
                </>
              )}
              {expiresAt !== null && `, until ${new Date(expiresAt).toLocaleDateString()}`}
            </LineText>
            <ConfirmButton
              label={`Revoke ${name}`}
              word="Revoke"
              warning="It stops working at once."
              onConfirm={() => mutate({ path: `/v1/users/pats/${id}`, method: 'DELETE' })}
            />
          </Line>
        ))}
      </Lines>
      {problem && <ErrorNote error={problem} />}
    </>
  )
}

function NewToken() {
  const request = useRequest<{ token: string }>('tokens')
  const [name, setName] = useState('')
  const [until, setUntil] = useState('')
  const [shown, setShown] = useState<string>()
  function make(): void {
    const expiresAt = until === '' ? {} : { expiresAt: new Date(`${until}T00:00:00`).toISOString() }
    const onSuccess = ({ token }: { token: string }) => {
      setShown(token)
      setName('')
    }
    request.mutate({ path: '/v1/users/pat', body: { name, ...expiresAt } }, { onSuccess })
  }
  return (
    <>
      <AddForm label="Make a token" word="Make" request={request} onAdd={make}>
        <TextField label="What it is for" maxLength={100} value={name} onChange={setName} />
        <TextField
          type="date"
          label="Until when it works; empty: until it is revoked"
          value={until}
          onChange={setUntil}
          required={false}
        />
      </AddForm>
      {shown !== undefined && <ShownOnce title="Your token" text={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
