import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../../ui/browser/contract.ts'
import { FOLLOW_MS, isOver, type Run } from '../data.ts'

const PAGE = 1000
const NONE: never[] = []

export function useFollowed<E extends { seq: number }>(run: Run, what: 'events' | 'steps') {
  const client = useQueryClient()
  const isEnded = isOver(run)
  const {
    data = NONE as E[],
    error,
    isPending,
    refetch
  } = useQuery({
    queryKey: ['runs', run.id, what],
    async queryFn({ signal, queryKey }) {
      const all = [...(client.getQueryData<E[]>(queryKey) ?? [])]
      for (;;) {
        const after = all.at(-1)?.seq ?? 0
        const more = await api<E[]>(`/v1/agent_runs/${run.id}/${what}?limit=${PAGE}&after=${after}`, { signal })
        all.push(...more)
        if (more.length < PAGE) return all
      }
    },
    refetchInterval: isEnded ? false : FOLLOW_MS
  })
  // The last ones arrive when it ends.
  useEffect(() => {
    if (isEnded) refetch()
  }, [isEnded, refetch])
  return { events: data, error, isPending }
}
