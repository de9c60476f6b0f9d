import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NodeJson } from '../../../lib/rich-text/index.ts'
import { api, withFiles } from '../../ui/browser/contract.ts'

export const KIND_NAMES = {
  FACT: 'Fact',
  DECISION: 'Decision',
  CONVENTION: 'Convention',
  PITFALL: 'Pitfall',
  HOWTO: 'How to'
}
export type Kind = keyof typeof KIND_NAMES

export interface Entry {
  id: string
  content: string
  body: NodeJson
  kind: Kind
  tags: string[]
  issueId: string | null
  createdBy: { id: string; fullname: string }
  createdAt: string
  supersedesId: string | null
  status: 'ACTIVE' | 'SUPERSEDED' | 'DISPUTED' | 'EXPIRED'
  doubt: 'CHANGED' | 'REOPENED' | null
  standing: { helped: number; wrong: number; completed: number; canceled: number; reopened: number }
}
export const STANDING_NAMES = {
  HELPED: 'Helped',
  UNHELPED: 'Served, never helped',
  WRONG: 'Marked as wrong',
  DOUBTED: 'To be checked'
}
export interface Serving {
  id: string
  at: string
  token: { name: string; account: { id: string; fullname: string } }
  session: string | null
  issue: { key: string; title: string; state: { name: string; category: string } } | null
}
export interface NewEntry {
  content: string
  kind?: Kind
  tags?: string[]
  supersedesId?: string
  force?: boolean
  issueId?: string
}

// Browsing does not count as serving an agent: all requests have record=false.
const parameters = (values: Record<string, string>) =>
  new URLSearchParams({ ...Object.fromEntries(Object.entries(values).filter(([, value]) => value)), record: 'false' })

export const useEntries = (query: string, kind: string, standing: string) =>
  useQuery({
    queryKey: ['knowledge', 'entries', query, kind, standing],
    queryFn: ({ signal }) =>
      withFiles(
        api<Entry[]>(`/v1/knowledge?${parameters({ query, kind, standing, limit: '100', rich: 'true' })}`, { signal })
      ),
    placeholderData: before => before
  })
export const useEntry = (id: string) =>
  useQuery({
    queryKey: ['knowledge', 'entry', id],
    queryFn: ({ signal }) => withFiles(api<Entry>(`/v1/knowledge/${id}?${parameters({ rich: 'true' })}`, { signal }))
  })
export const useServings = (id: string) =>
  useQuery({
    queryKey: ['knowledge', 'servings', id],
    queryFn: ({ signal }) => api<Serving[]>(`/v1/knowledge/${id}/servings`, { signal })
  })

interface TaskKnowledge {
  entries: Array<{ id: string; kind: Kind; content: string; status?: 'DISPUTED' }>
  solved: Array<{ key: string; title: string; resolution: string }>
}
export const useWorth = (issueId: string) =>
  useQuery({
    queryKey: ['knowledge', 'worth', issueId],
    queryFn: ({ signal }) => api<TaskKnowledge>(`/v1/knowledge/context?${parameters({ issueId })}`, { signal })
  })

export function useWrite<T, A>(send: (value: T) => Promise<A>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: ['knowledge'] })
  })
}
