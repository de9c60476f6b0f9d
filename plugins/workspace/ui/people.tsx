import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  AddForm,
  api,
  Avatar,
  Button,
  ConfirmButton,
  ErrorNote,
  Lead,
  Line,
  Lines,
  LineText,
  NameField,
  Select,
  ShownOnce,
  Skeleton,
  TextField,
  useRequest,
  useSession
} from '../../ui/browser/contract.ts'

interface Person {
  id: string
  fullname: string
  email: string | null
  kind: 'PERSON' | 'AGENT'
  role: keyof typeof ROLES
}
const ROLES = { ADMIN: 'Administrator', MEMBER: 'Member' }
interface NewToken {
  name: string
  token: string
}

export default function People() {
  const session = useSession()
  const isAdmin = session?.account?.role === 'ADMIN'
  const { data: accounts, error } = useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => api<Person[]>('/v1/users', { signal })
  })
  const [shown, setShown] = useState<NewToken>()
  if (error) return <ErrorNote error={error} />
  if (!accounts) return <Skeleton />
  const administrators = accounts.filter(({ role }) => role === 'ADMIN')
  return (
    <>
      <Lead>Whoever is added signs in for the first time with the token that is shown here once.</Lead>
      {isAdmin ? <AddPerson onAdded={setShown} /> : <p>Only an administrator adds, changes and removes people.</p>}
      {shown && (
        <ShownOnce title={`The token of ${shown.name}`} text={shown.token} onClose={() => setShown(undefined)} />
      )}
      <Lines label="People">
        {accounts
          .filter(({ kind }) => kind === 'PERSON')
          .map(person => (
            <PersonLine
              key={person.id}
              person={person}
              isAdmin={isAdmin}
              isLastAdmin={person.role === 'ADMIN' && administrators.length === 1}
              onToken={setShown}
            />
          ))}
      </Lines>
    </>
  )
}

interface PersonLineProps {
  person: Person
  isAdmin: boolean
  /** Can be neither removed nor demoted. */
  isLastAdmin: boolean
  onToken: (shown: NewToken) => void
}
function PersonLine({ person: { id, fullname, email, role }, isAdmin, isLastAdmin, onToken }: PersonLineProps) {
  const { mutate, mutateAsync, error } = useRequest<{ token: string }>('people', 'directory')
  const path = `/v1/users/${id}`
  function makeToken(): void {
    mutate({ path: `${path}/token`, method: 'POST' }, { onSuccess: ({ token }) => onToken({ name: fullname, token }) })
  }
  return (
    <Line error={error}>
      <Avatar name={fullname} id={id} />
      <LineText title={fullname}>{email ?? 'Without an e-mail address nobody signs in.'}</LineText>
      {isAdmin ? (
        <>
          {email === null && (
            <NameField
              label={`E-mail address of ${fullname}`}
              name=""
              onRename={email => mutateAsync({ path, body: { email, previous: { email: null } } })}
            />
          )}
          {isLastAdmin ? (
            <span>The only administrator</span>
          ) : (
            <Select
              label={`Role of ${fullname}`}
              names={ROLES}
              value={role}
              onChange={chosen => mutate({ path, body: { role: chosen, previous: { role } } })}
            />
          )}
          <Button aria-label={`Let ${fullname} sign in`} onClick={makeToken}>
            First token
          </Button>
          {!isLastAdmin && (
            <ConfirmButton
              label={`Remove ${fullname}`}
              word="Remove"
              warning="Their tokens and sessions end at once; what they did keeps their name."
              onConfirm={() => mutate({ path, method: 'DELETE' })}
            />
          )}
        </>
      ) : (
        <span>{ROLES[role]}</span>
      )}
    </Line>
  )
}

function AddPerson({ onAdded }: { onAdded: (shown: NewToken) => void }) {
  const request = useRequest<{ token: string }>('people', 'directory')
  const [fullname, setFullname] = useState('')
  const [email, setEmail] = useState('')
  function add(): void {
    const onSuccess = ({ token }: { token: string }) => {
      onAdded({ name: fullname, token })
      setFullname('')
      setEmail('')
    }
    request.mutate({ path: '/v1/users', body: { fullname, email } }, { onSuccess })
  }
  return (
    <AddForm label="Add a person" request={request} onAdd={add}>
      <TextField label="Name" maxLength={200} value={fullname} onChange={setFullname} />
      <TextField label="E-mail address" type="email" value={email} onChange={setEmail} />
    </AddForm>
  )
}
