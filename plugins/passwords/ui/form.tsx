import { useState, type FormEvent } from 'react'
import { api, Button, ErrorNote, Field } from '../../ui/browser/contract.ts'
import styles from './form.module.css'

/** E-mail address and password; the first time, a token and the new password. */
export function PasswordForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [isFirst, setFirst] = useState(false)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const body = Object.fromEntries(new FormData(event.currentTarget))
    setBusy(true)
    setError(undefined)
    try {
      await api(isFirst ? '/v1/passwords/first' : '/v1/passwords/sign_in', { body })
      onSignedIn()
    } catch (error) {
      setError(error)
    } finally {
      setBusy(false)
    }
  }

  function switchForm(): void {
    setFirst(!isFirst)
    setError(undefined)
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
      {error !== undefined && <ErrorNote error={error} />}
      <Button type="submit" kind="primary" disabled={isBusy}>
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
        // On a phone: its keyboard has an @, and begins with a small letter.
        inputMode="email"
        autoCapitalize="none"
        defaultValue=""
      />
    )}
  </Field>
)

const TokenField = () => (
  <>
    <p>
      The first start of the server printed a token; the administrator who added you has yours. Paste it and choose a
      password.
    </p>
    <Field label="Token">
      {id => <input id={id} name="token" required autoFocus autoComplete="off" placeholder="trk_…" />}
    </Field>
  </>
)
