import { useQuery } from '@tanstack/react-query'
import { api } from '../../../ui/browser/contract.ts'
import { NAMES_STALE_MS } from '../directory.ts'

export interface Label {
  id: string
  name: string
  color: string
}
export const labelsQuery = {
  queryKey: ['labels'],
  queryFn: () => api<Label[]>('/v1/labels'),
  staleTime: NAMES_STALE_MS
}
export const useLabels = (): Label[] => useQuery(labelsQuery).data ?? []

/** True until the labels are loaded, too. */
export function useIsLabel(): (id: string) => boolean {
  const { data: labels } = useQuery(labelsQuery)
  return id => labels?.some(label => label.id === id) ?? true
}
