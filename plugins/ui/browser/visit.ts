import { remember } from './data/remember.ts'
import { prefix } from './go.ts'

const [navigation] = performance.getEntriesByType('navigation')
const isFollowed = !(navigation instanceof PerformanceNavigationTiming) || navigation.type === 'navigate'
const isStart = location.pathname === prefix || location.pathname === `${prefix}/`
/** True if this visit continues the last one: it began without an address of a page, or by reloading. */
export const isReturn: boolean = isStart || !isFollowed

interface Visit {
  path: string
  title: string
}
const MAX_VISITS = 8
const visitsKey = (accountId: string) => `tracker.visits.${accountId}`
export function recentVisits(accountId: string): Visit[] {
  try {
    return JSON.parse(localStorage.getItem(visitsKey(accountId)) ?? '[]') as Visit[]
  } catch {
    return []
  }
}
export function noteVisit(accountId: string, visit: Visit): void {
  const others = recentVisits(accountId).filter(({ path }) => path !== visit.path)
  remember(visitsKey(accountId), JSON.stringify([visit, ...others].slice(0, MAX_VISITS)))
}

const keyOf = (accountId: string) => `tracker.last.${accountId}`
export const rememberPage = (accountId: string, address: string): boolean => remember(keyOf(accountId), address)
export const rememberedPage = (accountId: string): string | null => localStorage.getItem(keyOf(accountId))
