import { useQuery } from '@tanstack/react-query'
import { api, Button, ErrorNote, Line, Lines, LineText, Skeleton, Time, useRequest } from '../../ui/browser/contract.ts'

interface Delivery {
  id: string
  type: string
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  attempts: number
  responseStatus: number | null
  durationMs: number | null
  error: string | null
  createdAt: string
}
const FOLLOW_MS = 2000

export function Deliveries({ webhookId }: { webhookId: string }) {
  const path = `/v1/webhooks/${webhookId}/deliveries`
  const { data: deliveries, error } = useQuery({
    queryKey: ['deliveries', webhookId],
    queryFn: ({ signal }) => api<Delivery[]>(path, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'PENDING') ? FOLLOW_MS : false)
  })
  const again = useRequest('deliveries')
  if (error) return <ErrorNote error={error} />
  if (!deliveries) return <Skeleton />
  if (deliveries.length === 0) return <p>No recent deliveries.</p>
  return (
    <Lines label="Deliveries">
      {deliveries.map(({ id, type, status, attempts, responseStatus, durationMs, error, createdAt }) => (
        <Line key={id}>
          <LineText title={type}>
            {status.toLowerCase()}
            {responseStatus !== null && ` · ${responseStatus} after ${durationMs} ms`}
            {attempts > 1 && ` · ${attempts} attempts`}
            {error !== null && ` · ${error}`}
          </LineText>
          <Time at={createdAt} />
          <Button onClick={() => again.mutate({ path: `${path}/${id}/redeliver`, method: 'POST' })}>Redeliver</Button>
        </Line>
      ))}
      {again.error && <ErrorNote error={again.error} />}
    </Lines>
  )
}
