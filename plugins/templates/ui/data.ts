import { useQuery, type QueryClient } from '@tanstack/react-query'
import { api } from '../../ui/browser/contract.ts'
import type { Filling } from '../../issues/ui/contract.ts'
import { NAMES_STALE_MS } from '../../workspace/ui/contract.ts'

export interface Template extends Filling {
  id: string
}
const templatesQuery = {
  queryKey: ['issue_templates'],
  queryFn: () => api<Template[]>('/v1/issue_templates'),
  staleTime: NAMES_STALE_MS
}
export const useTemplates = () => useQuery(templatesQuery)
export const fetchTemplates = (client: QueryClient) => client.fetchQuery(templatesQuery)
