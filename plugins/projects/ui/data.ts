import { useQuery } from '@tanstack/react-query'
import type { NodeJson } from '../../../lib/rich-text/index.ts'
import { api, withFiles } from '../../ui/browser/contract.ts'
import type { Health, ProjectState } from '../states.ts'

export { HEALTHS, type Health } from '../states.ts'

/** In the order in which they are shown. */
export const SHOWN_STATES: readonly ProjectState[] = ['STARTED', 'PLANNED', 'PAUSED', 'COMPLETED', 'CANCELED']
export const STATE_NAMES: Readonly<Record<ProjectState, string>> = {
  STARTED: 'In progress',
  PLANNED: 'Planned',
  PAUSED: 'Paused',
  COMPLETED: 'Completed',
  CANCELED: 'Canceled'
}
export const HEALTH_NAMES: Readonly<Record<Health, string>> = {
  ON_TRACK: 'On track',
  AT_RISK: 'At risk',
  OFF_TRACK: 'Off track'
}

export interface Project {
  id: string
  name: string
  teamId: string | null
  state: ProjectState
  leadId: string | null
  memberIds: string[]
  /** `YYYY-MM-DD`, as `targetOn`. */
  startsOn: string | null
  targetOn: string | null
  health: Health | null
}
export interface DescribedProject extends Project {
  description: NodeJson | null
  descriptionMarkdown: string
}
/** Without canceled ones. */
export interface IssueCounts {
  total: number
  completed: number
}
export interface Progress extends IssueCounts {
  projectId: string
  criteria: { met: number; total: number }
  expectedOn?: string
}
export interface Milestone {
  id: string
  projectId: string
  name: string
  date: string | null
  issues: IssueCounts
}
export interface ProjectUpdate {
  id: string
  health: Health
  body: NodeJson
  bodyMarkdown: string
  createdById: string
  createdAt: string
}
export interface Cycle {
  id: string
  name: string
  teamId: string
  startsAt: string
  endsAt: string
  closedAt?: string
}

export const PROJECT_QUERIES = ['projects', 'project', 'project-progress', 'context'] as const

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
export const milestonesQuery = {
  queryKey: ['milestones'],
  queryFn: ({ signal }: Options) => api<Milestone[]>('/v1/milestones', { signal })
}

const useGet = <T>(queryKey: readonly unknown[], path: string, enabled = true) =>
  useQuery({ queryKey, queryFn: ({ signal }) => withFiles(api<T>(path, { signal })), enabled })

export const useProjects = () => useQuery(projectsQuery)
export const useProject = (id: string) => useGet<DescribedProject>(['project', id], `/v1/projects/${id}`)
/** @param projectId undefined: all projects with issues */
export const useProgress = (projectId?: string) =>
  useGet<Progress[]>(
    ['project-progress', projectId ?? 'all'],
    `/v1/projects/progress${projectId === undefined ? '' : `?projectId=${projectId}`}`
  )
export const useMilestones = (projectId: string | null) =>
  useGet<Milestone[]>(['milestones', projectId], `/v1/milestones?projectId=${projectId}`, projectId !== null)
export const useUpdates = (projectId: string) =>
  useGet<ProjectUpdate[]>(['project-updates', projectId], `/v1/project_updates?projectId=${projectId}`)
export const useCycles = () => useQuery(cyclesQuery)
