import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './api.ts'

export interface WriteRequest {
  path: string
  body?: object
  method?: 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
}

/** @param queries the first words of the keys of queries to refetch, without waiting; none: all */
export function useRequest<T = unknown>(...queries: readonly string[]) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, ...rest }: WriteRequest) => api<T>(path, rest),
    onSettled() {
      if (queries.length === 0) client.invalidateQueries()
      for (const query of queries) client.invalidateQueries({ queryKey: [query] })
    }
  })
}
