import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Empty } from './bits.tsx'
import { contributions, signInForms } from './registry.ts'
import { SESSION_KEY } from './session.ts'
import styles from './sign-in.module.css'

/** Displayed at every address to those who are not signed in; after signing in, the address opens. */
export function SignIn() {
  const client = useQueryClient()
  const forms = contributions(signInForms).toSorted((a, b) => a.order - b.order)
  useEffect(() => {
    document.title = 'Sign in · tracker'
  }, [])
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <span className={styles['mark']} aria-hidden />
        <h1>Sign in</h1>
        {forms.length === 0 && (
          <Empty title="Nobody can sign in here">
            No plugin for signing in is on: the operator of the server can turn one on.
          </Empty>
        )}
        {forms.map(({ id, component: Form }) => (
          <Form key={id} onSignedIn={() => client.invalidateQueries({ queryKey: SESSION_KEY })} />
        ))}
      </div>
    </main>
  )
}
