import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  api,
  Button,
  endWorkspaceChoice,
  ErrorNote,
  isWorkspaceAsked,
  WorkspaceChoice,
  type Workspace
} from '../../ui/browser/contract.ts'
import { beginAtProvider, providerQuery } from './begin.ts'

interface FormProps {
  onSignedIn: () => void
}

export function OidcForm({ onSignedIn }: FormProps) {
  const [isChoosing, setChoosing] = useState(isWorkspaceAsked)
  const { data: provider } = useQuery(providerQuery)
  const endChoice = () => {
    endWorkspaceChoice()
    setChoosing(false)
  }
  if (!provider || provider.name === null) return null
  return isChoosing ? (
    <Choice name={provider.name} onSignedIn={onSignedIn} onBack={endChoice} />
  ) : (
    <SignInButton name={provider.name} />
  )
}

function SignInButton({ name }: { name: string }) {
  const { mutate, error, isPending } = useMutation({ mutationFn: () => beginAtProvider() })
  return (
    <>
      <Button disabled={isPending} onClick={() => mutate()}>
        Sign in with {name}
      </Button>
      {error && <ErrorNote error={error} />}
    </>
  )
}

/** Without a pending choice, the person signs in again. */
function Choice({ name, onSignedIn, onBack }: FormProps & { name: string; onBack: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['oidc-choice'],
    queryFn: ({ signal }) => api<{ workspaces: Workspace[] }>('/v1/oidc/choice', { signal })
  })
  const choose = useMutation({
    mutationFn: (workspaceId: string) => api('/v1/oidc/choose', { body: { workspaceId } }),
    onSuccess() {
      endWorkspaceChoice()
      onSignedIn()
    }
  })
  if (error) return <ErrorNote error={error} />
  if (!data) return null
  if (data.workspaces.length === 0 || choose.error) {
    return (
      <>
        {choose.error && <ErrorNote error={choose.error} />}
        <SignInButton name={name} />
      </>
    )
  }
  return (
    <WorkspaceChoice
      reason={`Your identity at ${name} is in these workspaces.`}
      workspaces={data.workspaces}
      isPending={choose.isPending}
      onChoose={id => choose.mutate(id)}
      onBack={onBack}
    />
  )
}
