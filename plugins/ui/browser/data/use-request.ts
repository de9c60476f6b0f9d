import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './api.ts'

/** A request that writes. */
export interface WriteRequest {
  path: string
  body?: object
  method?: 'POST' | 'DELETE'
}

/**
 * Sends a writing request; afterwards queries whose keys begin with one of these words are fetched again, without
 * waiting for them: a form is ready for the next entry as soon as the server has answered.
 */
export function useRequest<T = unknown>(...queries: readonly string[]) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, ...rest }: WriteRequest) => api<T>(path, rest),
    onSettled() {
      for (const query of queries) client.invalidateQueries({ queryKey: [query] })
    }
  })
}
