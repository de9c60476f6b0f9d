import { useQuery } from '@tanstack/react-query'
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

interface Options {
  signal: AbortSignal
}
export const projectsQuery = {
  queryKey: ['projects'],
  queryFn: ({ signal }: Options) => api<Project[]>('/v1/projects?view=list', { signal })
}
export const cyclesQuery = {
  queryKey: ['cycles'],
  queryFn: ({ signal }: Options) => api<Cycle[]>('/v1/cycles', { signal })
}
export const useProjects = () => useQuery(projectsQuery)
export const useCycles = () => useQuery(cyclesQuery)
