import {
  keepPreviousData,
  queryOptions,
  useQueries,
  useQuery,
  type QueryClient,
  type QueryKey
} from '@tanstack/react-query'
import { useState } from 'react'
import {
  api,
  ApiProblem,
  contributions,
  isUnreached,
  isWaiting,
  useKeptOf,
  withFiles,
  type EmptyCheck,
  type Found
} from '../../ui/browser/contract.ts'
import type { Filters } from '../../../lib/filter/filters.ts'
import { similarIssues, type Issue, type Order, type Row } from './contract.ts'
import { changedRow, type FieldChange } from './list/row.ts'
import { totalLater, totalText, withTotal, type Page } from './page.ts'

export {
  directoryQuery,
  labelsQuery,
  sortStates,
  useDirectory,
  useIsLabel,
  useLabels,
  type Directory,
  type Label,
  type Member,
  type State,
  type Team
} from '../../workspace/ui/contract.ts'

export type { Order } from './contract.ts'
export { totalText, type Page } from './page.ts'
export type { Filters } from '../../../lib/filter/filters.ts'

/** A few screens: with more, the answers of all columns together delay the first card. */
export const PER_PAGE = 50

export const pageQuery = (filters: Filters, orderBy: Order, page: number) => ({
  queryKey: ['issues', filters, orderBy, page] as const,
  queryFn: async ({ client, queryKey, signal }: { client: QueryClient; queryKey: QueryKey; signal: AbortSignal }) => {
    const total = page === 1 ? 'known' : 'none'
    const body = { filters, view: 'board', orderBy, page, perPage: PER_PAGE, total }
    const answer = await api<Page>('/v1/issues/filter', { body, signal })
    if (page > 1 || answer.total !== undefined) return answer
    return withTotal(answer, totalLater(client, queryKey, filters, answer))
  },
  placeholderData: keepPreviousData
})

export const emptyCheck: EmptyCheck = {
  queryKey: ['issues-at-all'],
  async queryFn({ signal }) {
    const body = { view: 'list', perPage: 1, total: 'none' }
    return (await api<Pick<Page, 'issues'>>('/v1/issues/filter', { body, signal })).issues.length === 0
  }
}

interface Listing {
  total: number | undefined
  totalText: string | undefined
  error: unknown
  pages: Pages
  /** Undefined until its page is loaded. */
  row(index: number): Row | undefined
}
/** A value for each row of a listing, by page number. */
export type Pages<T = Row> = ReadonlyMap<number, readonly T[]>
export const rowIn = <T>(pages: Pages<T>, index: number): T | undefined =>
  pages.get(Math.floor(index / PER_PAGE) + 1)?.[index % PER_PAGE]

/** Rows beside those in sight that are loaded, too, so that they are there when they are scrolled into sight. */
const ROWS_AHEAD = 20
/** The range to load changes in steps of so many rows: few movements change it. */
const RANGE_STEP = 10

interface Sight {
  range: { startIndex: number; endIndex: number } | null
  options: { count: number }
}
/** The rows of a listing to load, of which only those in sight are rendered. */
export function useRangeToLoad() {
  const [range, setRange] = useState({ first: 0, last: 0 })
  function noteInSight({ range: inSight, options: { count } }: Sight): void {
    if (!inSight) return
    const first = Math.max(0, Math.floor((inSight.startIndex - ROWS_AHEAD) / RANGE_STEP) * RANGE_STEP)
    const last = Math.min(count - 1, Math.ceil((inSight.endIndex + ROWS_AHEAD) / RANGE_STEP) * RANGE_STEP)
    setRange(now => (now.first === first && now.last === last ? now : { first, last }))
  }
  return { ...range, noteInSight }
}

/**
 * A listing of any length: only the first page, which has the total, and the pages of some rows are fetched.
 * @param first and `last`: these rows
 */
export function useListing(filters: Filters, orderBy: Order, first: number, last: number): Listing {
  const from = Math.floor(first / PER_PAGE) + 1
  const to = Math.max(from, Math.floor(last / PER_PAGE) + 1)
  const pageNumbers = [...new Set([1, ...Array.from({ length: to - from + 1 }, (_, at) => from + at)])]
  const results = useQueries({ queries: pageNumbers.map(page => pageQuery(filters, orderBy, page)) })
  const pages: Pages = new Map(results.flatMap(({ data }, n) => (data ? [[pageNumbers[n]!, data.issues]] : [])))
  return {
    total: results[0]?.data?.total,
    totalText: totalText(results[0]?.data ?? {}),
    // Without a connection the rows stay, and a note of the page says so.
    error: isUnreached(results[0]?.error) && results[0]?.data ? null : results[0]?.error,
    pages,
    row: index => rowIn(pages, index)
  }
}

/** The loaded part of a listing at this moment; the display follows some milliseconds later. */
export interface LoadedListing {
  total(): number
  row(index: number): Row | undefined
  indexOf(rowId: string): number | undefined
  rows(): Row[]
}
export function loadedListing(client: QueryClient, filters: Filters, orderBy: Order): LoadedListing {
  const page = (number: number) => client.getQueryData<Page>(pageQuery(filters, orderBy, number).queryKey)
  const total = () => page(1)?.total ?? 0
  const row = (index: number) => page(Math.floor(index / PER_PAGE) + 1)?.issues[index % PER_PAGE]
  return {
    total,
    row,
    rows: () => Array.from({ length: total() }, (_, index) => row(index)).filter(row => row !== undefined),
    indexOf(rowId) {
      for (let start = 0; start < total(); start += PER_PAGE) {
        const at = page(start / PER_PAGE + 1)?.issues.findIndex(({ id }) => id === rowId) ?? -1
        if (at >= 0) return start + at
      }
      return undefined
    }
  }
}

/** The issue in the listings of this page. For a moment it may be in two of them: the one fetched later is right. */
export function latestRow(client: QueryClient, id: string): Row | undefined {
  const pages = client.getQueriesData<Page>({ queryKey: ['issues'], type: 'active' })
  return pages
    .flatMap(([, page]) => page?.issues.find(row => row.id === id) ?? [])
    .reduce<Row | undefined>((last, row) => (last && last.updatedAt >= row.updatedAt ? last : row), undefined)
}

/** True if an issue does not exist, or not any more. */
export const isMissing = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404

export const issueQuery = (key: string) =>
  queryOptions({
    queryKey: ['issue', key],
    queryFn: ({ signal }) => withFiles(api<Issue>(`/v1/issues/${key}`, { signal }), { type: 'issue', id: key })
  })
/** The issue, with the changes that wait for a connection. */
export function useIssue(key: string) {
  const { data, error } = useQuery(issueQuery(key))
  const kept = useKeptOf(data?.id).filter(isWaiting)
  const withKept =
    data && kept.reduce((issue, { body: { rev: _, ...change } }) => changedRow(issue, change as FieldChange), data)
  return { data: withKept, error }
}

/** Issues that the plugins find for a text; none unless `isSearched`. */
export function useSimilar(text: string, isSearched: boolean): Found[] {
  const finders = contributions(similarIssues)
  const { data = [] } = useQuery({
    queryKey: ['similar', text],
    queryFn: async ({ signal }) => (await Promise.all(finders.map(find => find(text, signal)))).flat(),
    enabled: finders.length > 0 && isSearched
  })
  return data
}
