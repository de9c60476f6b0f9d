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

export const useProjects = () =>
  useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => api<Project[]>('/v1/projects?view=list', { signal })
  })
export const useCycles = () =>
  useQuery({ queryKey: ['cycles'], queryFn: ({ signal }) => api<Cycle[]>('/v1/cycles', { signal }) })
