import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './api.ts'

export interface WriteRequest {
  path: string
  body?: object
  method?: 'POST' | 'PUT' | 'DELETE'
}

/**
 * Sends a writing request; then refetches queries whose keys begin with one of these words, without waiting: a form is
 * ready for the next entry as soon as the server has answered. Without words, it refetches all.
 */
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
