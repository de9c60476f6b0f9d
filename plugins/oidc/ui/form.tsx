import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, ErrorNote } from '../../ui/browser/contract.ts'
import { beginAtProvider, providerQuery } from './begin.ts'

/** A button that redirects to the provider. */
export function OidcForm() {
  const { data: provider } = useQuery(providerQuery)
  const { mutate, error, isPending } = useMutation({ mutationFn: () => beginAtProvider() })
  if (!provider || provider.name === null) return null
  return (
    <>
      <Button disabled={isPending} onClick={() => mutate()}>
        Sign in with {provider.name}
      </Button>
      {error && <ErrorNote error={error} />}
    </>
  )
}
