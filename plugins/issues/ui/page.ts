import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { api } from '../../ui/browser/contract.ts'
import type { Filters } from '../../../lib/filter/filters.ts'
import type { Row } from './contract.ts'

export interface Page {
  issues: Row[]
  /** Only on the first page; until the issues are counted, a lower bound or the former total. */
  total?: number
  totalIsExact?: false
  nextCursor: string | null
}
/** A total as text; for a very long listing, the number up to which it was counted. */
export const totalText = ({ total, totalIsExact }: Pick<Page, 'total' | 'totalIsExact'>): string | undefined =>
  total === undefined ? undefined : `${total}${totalIsExact === false ? '+' : ''}`

type Total = Pick<Page, 'total' | 'totalIsExact'>

/** The counts that are under way, by the hash of their page's key. */
const counts = new Map<string, AbortController>()

/**
 * Counts the issues of a listing after its first rows, which may be displayed before, and adds the total to the first
 * page. A count that another fetch of the page makes obsolete is aborted.
 * @returns the total until then: the one before, or at least the rows of the page
 */
export function totalLater(client: QueryClient, queryKey: QueryKey, filters: Filters, { issues }: Page): Total {
  const hash = hashKey(queryKey)
  counts.get(hash)?.abort()
  const count = new AbortController()
  counts.set(hash, count)
  const body = { filters, view: 'list', perPage: 1, total: 'capped' }
  api<Page>('/v1/issues/filter', { body, signal: count.signal })
    .then(counted => {
      // The page is to be refetched, which counts again.
      if (client.getQueryState(queryKey)?.isInvalidated) return
      client.setQueryData<Page>(queryKey, page => page && withTotal(page, counted))
    })
    // The listing goes on to say that there are more; its next fetch counts again.
    .catch(() => undefined)
    .finally(() => counts.get(hash) === count && counts.delete(hash))
  return client.getQueryData<Page>(queryKey) ?? { total: issues.length, totalIsExact: false }
}

export const withTotal = ({ totalIsExact: _, ...page }: Page, { total, totalIsExact }: Total): Page => ({
  ...page,
  ...(total !== undefined && { total }),
  ...(totalIsExact === false && { totalIsExact })
})
