import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  api,
  Button,
  ConfirmButton,
  Empty,
  ErrorNote,
  Lead,
  Line,
  Lines,
  LineText,
  Skeleton,
  Time,
  useRequest
} from '../../ui/browser/contract.ts'
import { beginAtProvider, providerQuery } from './begin.ts'

interface Identity {
  id: string
  issuer: string
  subject: string
  linkedAt: string
}
const QUERY = 'oidc-identities'

export default function Identities() {
  const { data: provider } = useQuery(providerQuery)
  const { data: identities, error } = useQuery({
    queryKey: [QUERY],
    queryFn: ({ signal }) => api<Identity[]>('/v1/oidc/identities', { signal })
  })
  const begin = useMutation({ mutationFn: () => beginAtProvider({ link: true }) })
  const unlink = useRequest(QUERY)
  const problem = useLinking() ?? begin.error ?? unlink.error
  if (error) return <ErrorNote error={error} />
  if (!identities || !provider) return <Skeleton />
  if (provider.name === null) {
    return <Empty title="No provider">The operator of the server sets plugins.oidc.issuer and clientId.</Empty>
  }
  return (
    <>
      <Lead>With a linked identity you sign in at {provider.name}, without a password of this server.</Lead>
      <div>
        <Button kind="primary" disabled={begin.isPending} onClick={() => begin.mutate()}>
          Link an identity of {provider.name}
        </Button>
      </div>
      {problem && <ErrorNote error={problem} />}
      {identities.length === 0 && <Empty title="No identities">You sign in with another method.</Empty>}
      <Lines label="Your identities">
        {identities.map(({ id, issuer, subject, linkedAt }) => (
          <Line key={id}>
            <LineText title={subject}>
              at {issuer}, linked <Time at={linkedAt} />
            </LineText>
            <ConfirmButton
              label={`Unlink ${subject}`}
              word="Unlink"
              warning="It can no longer be used to sign in."
              onConfirm={() => unlink.mutate({ path: `/v1/oidc/identities/${id}`, method: 'DELETE' })}
            />
          </Line>
        ))}
      </Lines>
    </>
  )
}

/** The query of the provider's redirect is in the page's address. @returns its error */
function useLinking(): Error | null {
  const { mutate, error } = useRequest(QUERY)
  useEffect(() => {
    const { pathname, search } = location
    if (!new URLSearchParams(search).has('state')) return
    // It is valid once: neither a reload nor a bookmark sends it again.
    history.replaceState(null, '', pathname)
    mutate({ path: '/v1/oidc/link', body: { callback: search.slice(1) } })
  }, [mutate])
  return error
}
