import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../ui/browser/contract.ts'

export interface Project {
  id: string
  name: string
  teamId: string | null
}
export interface Cycle {
  id: string
  name: string
  teamId: string
  startsAt: string
  endsAt: string
}

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => api<Project[]>('/v1/projects?view=list', { signal })
})
export const cyclesQuery = queryOptions({
  queryKey: ['cycles'],
  queryFn: ({ signal }) => api<Cycle[]>('/v1/cycles', { signal })
})
export const useProjects = () => useQuery(projectsQuery)
export const useCycles = () => useQuery(cyclesQuery)
