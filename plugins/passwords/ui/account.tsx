import { useMutation } from '@tanstack/react-query'
import { useRef, type FormEvent } from 'react'
import { announce, api, Button, ErrorNote, Field } from '../../ui/browser/contract.ts'
import styles from './form.module.css'

export default function Account() {
  const form = useRef<HTMLFormElement>(null)
  const change = useMutation({
    mutationFn: (body: object) => api('/v1/passwords', { body }),
    onSuccess() {
      form.current?.reset()
      announce('The password is changed.')
    }
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    change.mutate(Object.fromEntries(new FormData(event.currentTarget)))
  }
  return (
    <form ref={form} className={styles['form']} onSubmit={submit}>
      <p>This ends all your sessions except the one in this browser. “Sign out everywhere” ends that one, too.</p>
      <Field label="Current password">
        {id => <input id={id} name="currentPassword" type="password" required autoComplete="current-password" />}
      </Field>
      <Field label="New password, at least 10 characters">
        {id => <input id={id} name="password" type="password" required minLength={10} autoComplete="new-password" />}
      </Field>
      {change.error && <ErrorNote error={change.error} />}
      {change.isSuccess && <p>The password is changed.</p>}
      <Button type="submit" kind="primary" disabled={change.isPending}>
        Change the password
      </Button>
    </form>
  )
}
