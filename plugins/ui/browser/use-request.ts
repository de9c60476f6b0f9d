import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './api.ts'

/** A request that writes. */
export interface WriteRequest {
  path: string
  body?: object
  method?: 'POST' | 'DELETE'
}

/** Sends what writes; afterwards queries whose keys begin with one of these words are asked again. */
export function useRequest<T = unknown>(...queries: readonly string[]) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, ...rest }: WriteRequest) => api<T>(path, rest),
    onSettled: () => Promise.all(queries.map(query => client.invalidateQueries({ queryKey: [query] })))
  })
}
