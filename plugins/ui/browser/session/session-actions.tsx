import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../data/api.ts'
import { Button, Dialog } from '../parts/controls.tsx'
import { prefix } from '../go.ts'
import { reportProblem } from '../shell/undo.tsx'
import styles from './sign-in.module.css'
import { SignInForms } from './sign-in.tsx'

export function useSignOut(): (everywhere?: boolean) => Promise<void> {
  const client = useQueryClient()
  return (everywhere = false) =>
    api(everywhere ? '/v1/session/sign_out_everywhere' : '/v1/session/sign_out', { body: {} }).then(() => {
      client.clear()
      location.reload()
    }, reportProblem)
}

export const SwitchWorkspace = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Dialog title="Switch workspace" isOpen={isOpen} onClose={onClose}>
    <div className={styles['switch']}>
      <p>Sign in to the other workspace. If your password is valid in several, you choose one.</p>
      <SignInForms onSignedIn={() => location.assign(`${prefix}/`)} />
    </div>
  </Dialog>
)

export function SessionActions() {
  const signOut = useSignOut()
  const [isSwitching, setSwitching] = useState(false)
  return (
    <div className={styles['actions']}>
      <Button onClick={() => setSwitching(true)}>Switch workspace</Button>
      <Button onClick={() => signOut()}>Sign out</Button>
      <Button onClick={() => signOut(true)}>Sign out everywhere</Button>
      <SwitchWorkspace isOpen={isSwitching} onClose={() => setSwitching(false)} />
    </div>
  )
}
