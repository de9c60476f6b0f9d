import { api } from '../../ui/browser/contract.ts'

export interface Agent {
  id: string
  fullname: string
  scopes: string[]
  createdAt: string
  lastUsedAt: string | null
}
export const AGENTS_KEY = ['agents']
export const agentsQuery = {
  queryKey: AGENTS_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => api<Agent[]>('/v1/users/agents', { signal })
}
