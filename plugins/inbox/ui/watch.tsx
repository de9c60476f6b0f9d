import { useQuery } from '@tanstack/react-query'
import type { Issue } from '../../issues/ui/contract.ts'
import { api, Button, ErrorNote, useRequest } from '../../ui/browser/contract.ts'

export function WatchSwitch({ issue }: { issue: Issue }) {
  const path = `/v1/issues/${issue.id}/watch`
  const { data } = useQuery({
    queryKey: ['watch', issue.id],
    queryFn: ({ signal }) => api<{ watching: boolean }>(path, { signal })
  })
  const { mutate, error, isPending } = useRequest('watch')
  if (!data) return null
  return (
    <>
      {error && <ErrorNote error={error} />}
      <Button
        kind="quiet"
        role="switch"
        aria-checked={data.watching}
        aria-label="Watch"
        title="Problems with this issue, and messages to you, appear in “Needs you”"
        disabled={isPending}
        onClick={() => mutate({ path, method: data.watching ? 'DELETE' : 'POST' })}
      >
        {data.watching ? 'Watching' : 'Watch'}
      </Button>
    </>
  )
}
