import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import {
  api,
  ApiProblem,
  Button,
  ErrorNote,
  Field,
  rememberEmail,
  rememberedEmail,
  WorkspaceChoice,
  type Workspace
} from '../../ui/browser/contract.ts'
import styles from './form.module.css'

interface SignedIn {
  email: string | null
}
/** The request's fields: the first time a token, then the e-mail address, and the workspace if several match. */
type Credentials = Record<string, FormDataEntryValue>

/** From an answer that requires a choice. */
const workspacesIn = (error: unknown): Workspace[] | undefined =>
  error instanceof ApiProblem && error.code === 'SEVERAL_WORKSPACES'
    ? (error.details['workspaces'] as Workspace[])
    : undefined

export function PasswordForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [isFirst, setFirst] = useState(false)
  const send = useMutation({
    mutationFn: (body: Credentials) =>
      api<SignedIn>('token' in body ? '/v1/passwords/first' : '/v1/passwords/sign_in', { body }),
    onSuccess({ email }) {
      if (email !== null) rememberEmail(email)
      onSignedIn()
    },
    onError(error) {
      if (!(error instanceof ApiProblem) || error.code !== 'HAS_PASSWORD') return
      rememberEmail(error.details['email'] as string)
      setFirst(false)
    }
  })
  const workspaces = workspacesIn(send.error)
  if (workspaces !== undefined) {
    return (
      <WorkspaceChoice
        reason="Your password is valid in these workspaces."
        workspaces={workspaces}
        onChoose={workspaceId => send.mutate({ ...send.variables, workspaceId })}
        onBack={() => send.reset()}
      />
    )
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    send.mutate(Object.fromEntries(new FormData(event.currentTarget)))
  }
  const switchForm = () => {
    setFirst(!isFirst)
    send.reset()
  }
  return (
    <form key={String(isFirst)} className={styles['form']} onSubmit={submit}>
      {isFirst ? <TokenField /> : <EmailField />}
      <Field label={isFirst ? 'New password, at least 10 characters' : 'Password'}>
        {id => (
          <input
            id={id}
            name="password"
            type="password"
            required
            minLength={isFirst ? 10 : 1}
            autoComplete={isFirst ? 'new-password' : 'current-password'}
          />
        )}
      </Field>
      {send.error && <ErrorNote error={send.error} />}
      <Button type="submit" kind="primary" disabled={send.isPending}>
        Sign in
      </Button>
      <Button kind="quiet" onClick={switchForm}>
        {isFirst ? 'I have a password' : 'The first time here? Use your token'}
      </Button>
    </form>
  )
}

const EmailField = () => (
  <Field label="E-mail address">
    {id => (
      <input
        id={id}
        name="email"
        required
        autoFocus
        autoComplete="username"
        // On a phone: a keyboard with @, starting with lowercase.
        inputMode="email"
        autoCapitalize="none"
        defaultValue={rememberedEmail()}
      />
    )}
  </Field>
)

const TokenField = () => (
  <>
    <p>
      The first start of the server printed a token; the administrator who added you has yours. Paste it and choose a
      password; from then on you sign in with your e-mail address.
    </p>
    <Field label="Token">
      {id => <input id={id} name="token" required autoFocus autoComplete="off" placeholder="trk_…" />}
    </Field>
  </>
)
