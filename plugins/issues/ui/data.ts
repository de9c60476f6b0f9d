import {
  keepPreviousData,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient
} from '@tanstack/react-query'
import { api } from '../../ui/browser/contract.ts'
import type { Category, Issue, Row } from './contract.ts'

export interface State {
  id: string
  name: string
  category: Category
  position: number
}
export interface Team {
  id: string
  identifier: string
  name: string
  states: State[]
}
export interface Member {
  id: string
  fullname: string
  kind: 'PERSON' | 'AGENT'
}
/** The names of the workspace. */
export interface Directory {
  teams: Team[]
  members: Member[]
}
export interface Label {
  id: string
  name: string
  color: string
}
interface Page {
  issues: Row[]
  total: number
}
export type Filters = Record<string, { filterType: string; value?: unknown }>
export type Order = 'updatedAt' | 'createdAt' | 'number' | 'urgency'

const PER_PAGE = 100
/** Milliseconds for which the names of the workspace are taken as they were. */
const NAMES_STALE_MS = 300_000
const CATEGORIES: Category[] = ['TRIAGE', 'BACKLOG', 'UNSTARTED', 'STARTED', 'COMPLETED', 'CANCELED']

/** The states in the order of the work. */
export const inOrder = (states: readonly State[]): State[] =>
  states.toSorted((a, b) => CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category) || a.position - b.position)

export const useDirectory = (): Directory | undefined =>
  useQuery({ queryKey: ['directory'], queryFn: () => api<Directory>('/v1/workspace'), staleTime: NAMES_STALE_MS }).data
export const useLabels = (): Label[] =>
  useQuery({ queryKey: ['labels'], queryFn: () => api<Label[]>('/v1/labels'), staleTime: NAMES_STALE_MS }).data ?? []

const pageQuery = (filters: Filters, orderBy: Order, page: number) => ({
  queryKey: ['issues', filters, orderBy, page] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api<Page>('/v1/issues/filter', { body: { filters, view: 'list', orderBy, page, perPage: PER_PAGE }, signal }),
  placeholderData: keepPreviousData
})

export interface Listing {
  total: number | undefined
  error: unknown
  /** Undefined until its page is here. */
  row(index: number): Row | undefined
}
/**
 * A listing of any length, of which only the first page, which knows the length, and those in sight are asked for.
 * @param first and `last`: the rows in sight
 */
export function useListing(filters: Filters, orderBy: Order, first: number, last: number): Listing {
  const from = Math.floor(first / PER_PAGE) + 1
  const to = Math.max(from, Math.floor(last / PER_PAGE) + 1)
  const wanted = [...new Set([1, ...Array.from({ length: to - from + 1 }, (_, at) => from + at)])]
  const results = useQueries({ queries: wanted.map(page => pageQuery(filters, orderBy, page)) })
  return {
    total: results[0]?.data?.total,
    error: results[0]?.error,
    row: index => results[wanted.indexOf(Math.floor(index / PER_PAGE) + 1)]?.data?.issues[index % PER_PAGE]
  }
}

const stateOf = (filters: Filters) => (filters['state']?.value as string[] | undefined)?.[0]

/** Moves an issue in what is shown before the server has answered: to the top, where what changed last stands. */
function showMoved(client: QueryClient, moved: Row, stateId: string): void {
  const keys = client
    .getQueryCache()
    .findAll({ queryKey: ['issues'] })
    .map(({ queryKey }) => queryKey as readonly ['issues', Filters, Order, number])
  for (const key of keys) {
    const state = stateOf(key[1])
    client.setQueryData<Page>(key, page => {
      if (!page) return page
      if (state === undefined) {
        return { ...page, issues: page.issues.map(row => (row.id === moved.id ? { ...row, stateId } : row)) }
      }
      const others = page.issues.filter(({ id }) => id !== moved.id)
      if (state === stateId && key[3] === 1) {
        return { total: page.total + 1, issues: [{ ...moved, stateId }, ...others] }
      }
      const isGone = state === moved.stateId
      return { total: page.total - (isGone ? 1 : 0), issues: others }
    })
  }
}

/** Puts an issue into another state; what is shown changes at once, and back when it is refused. */
export function useMove() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ row, stateId }: { row: Row; stateId: string }) => api(`/v1/issues/${row.id}`, { body: { stateId } }),
    async onMutate({ row, stateId }) {
      await client.cancelQueries({ queryKey: ['issues'] })
      showMoved(client, row, stateId)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['issues'] })
  })
}

export const useIssue = (key: string) =>
  useQuery({ queryKey: ['issue', key], queryFn: ({ signal }) => api<Issue>(`/v1/issues/${key}`, { signal }) })

/** The parts of an issue's context that a page shows. */
export interface Context {
  parent: { key: string; title: string } | null
  subIssues: Array<{ id: string; key: string; title: string; stateCategory: Category }>
  relations: Array<{ id: string; type: string; issue: { key: string; title: string; stateCategory: Category } }>
  linkedIssues: Array<{ id: string; url: string; title: string }>
  history: Array<{ at: string; actor: string; change: string; from: string | null; to: string | null }>
  definitionOfDone: { met: number; total: number }
  project?: { name: string } | null
  cycle?: { name: string } | null
}
export const contextQuery = (key: string) => ({
  queryKey: ['context', key],
  queryFn: ({ signal }: { signal: AbortSignal }) => api<Context>(`/v1/issues/${key}/context`, { signal })
})

/** Changes an issue, and asks again for what shows it. */
export function useChange({ id, key }: Pick<Issue, 'id' | 'key'>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ body, path = '', rev }: { body: object; path?: string; rev?: number }) =>
      api(`/v1/issues/${id}${path}`, { body, ...(rev !== undefined && { headers: { 'if-match': `"${rev}"` } }) }),
    onSettled: () =>
      Promise.all(
        [['issue', key], ['context', key], ['issues'], ['timeline', id]].map(queryKey =>
          client.invalidateQueries({ queryKey })
        )
      )
  })
}
