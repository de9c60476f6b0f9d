import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Logo } from '../logo/logo.tsx'
import { Empty } from '../parts/bits.tsx'
import { contributions, signInForms } from '../registry.ts'
import { SESSION_KEY } from './session.ts'
import styles from './sign-in.module.css'

export function SignIn() {
  const client = useQueryClient()
  useEffect(() => {
    document.title = 'Sign in · tracker'
  }, [])
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <Logo size={32} />
        <h1>Sign in</h1>
        <SignInForms onSignedIn={() => client.invalidateQueries({ queryKey: SESSION_KEY })} />
      </div>
    </main>
  )
}

export function SignInForms({ onSignedIn }: { onSignedIn: () => void }) {
  const forms = contributions(signInForms).toSorted((a, b) => a.order - b.order)
  if (forms.length === 0) {
    return (
      <Empty title="Sign-in is not available">The operator of the server must enable a plugin for signing in.</Empty>
    )
  }
  return forms.map(({ id, component: Form }) => <Form key={id} onSignedIn={onSignedIn} />)
}
