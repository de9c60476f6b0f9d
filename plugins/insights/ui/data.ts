import { useQuery } from '@tanstack/react-query'
import { api } from '../../ui/browser/contract.ts'
import type { StateCategory } from '../../workspace/ui/contract.ts'
import { isDay, type By, type Selection } from './address.ts'

/** Milliseconds for which figures are not read again. No events refresh them. */
const STALE_MS = 60_000
/** Milliseconds after which figures that are too low are read again. */
const INCOMPLETE_MS = 5_000

export interface Percentiles {
  p50Hours?: number
  p85Hours?: number
}
/** Figures of plugins that are off are absent. */
export interface Figures {
  filed: { count: number }
  completed: { count: number; proven?: number; cycleTime: Percentiles }
  canceled: { count: number }
  reopened: { count: number }
  inProgress: { count: number; age?: Percentiles }
  questions?: { count: number; answered: number; open: number } & Percentiles
  claimsLapsed?: { count: number }
  runs?: { count: number; succeeded: number; failed: number; canceled: number }
  usage?: { inputTokens: number; outputTokens: number; costUsd?: number; estimated?: true }
}
export interface Group extends Figures {
  /** A Monday, or a UUID; null: none. */
  id: string | null
  name: string | null
  kind?: 'PERSON' | 'AGENT'
}
export interface TimeInState {
  state: string
  category: StateCategory | null
  hours: number
  issues: number
}
export interface Insights {
  /** False: the figures are too low, for some time. */
  isComplete: boolean
  total: Figures & { timeInState: TimeInState[] }
  groups: Group[]
  hasMore: boolean
}
export interface ListedIssues {
  items: Array<{ id: string; key: string; title: string; at: string }>
  hasMore: boolean
}

function searchOf({ team, project, from, to }: Selection, by: By, more: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams({ from, to, by, ...more })
  if (team !== undefined) search.set('team', team)
  if (project !== undefined) search.set('project', project)
  return String(search)
}

export function useInsights(selection: Selection, by: By, enabled = true) {
  const search = searchOf(selection, by)
  return useQuery({
    queryKey: ['insights', by, search],
    queryFn: ({ signal }) => api<Insights>(`/v1/insights?${search}`, { signal }),
    enabled,
    staleTime: STALE_MS,
    refetchInterval: ({ state: { data } }) => data?.isComplete === false && INCOMPLETE_MS,
    placeholderData: (before: Insights | undefined, query) => (query?.queryKey[1] === by ? before : undefined)
  })
}

/** The grouping that `group` belongs to: the page by week has groups of assignees, too. */
export const groupingOf = (by: By, group: string | undefined): By =>
  group === undefined || isDay(group) ? 'week' : by === 'week' ? 'assignee' : by

export function useIssuesOf(selection: Selection, by: By, figure: string, group: string | undefined) {
  const search = searchOf(selection, groupingOf(by, group), { figure, ...(group !== undefined && { group }) })
  return useQuery({
    queryKey: ['insights', 'issues', search],
    queryFn: ({ signal }) => api<ListedIssues>(`/v1/insights/issues?${search}`, { signal })
  })
}

export function useProjectName(ref: string | undefined) {
  return useQuery({
    queryKey: ['project', ref],
    queryFn: ({ signal }) => api<{ id: string; name: string }>(`/v1/projects/${ref}`, { signal }),
    enabled: ref !== undefined
  })
}
