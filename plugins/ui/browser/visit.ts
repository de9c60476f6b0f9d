import { prefix } from './go.ts'

const [navigation] = performance.getEntriesByType('navigation')
const isFollowed = !(navigation instanceof PerformanceNavigationTiming) || navigation.type === 'navigate'
const isStart = location.pathname === prefix || location.pathname === `${prefix}/`
/** True if this visit goes on where the last one ended: it began without an address of a page, or by reloading. */
export const isReturn: boolean = isStart || !isFollowed

const keyOf = (accountId: string) => `tracker.last.${accountId}`
/** The page with which the next visit of an account begins. */
export const rememberPage = (accountId: string, address: string): void =>
  localStorage.setItem(keyOf(accountId), address)
export const rememberedPage = (accountId: string): string | null => localStorage.getItem(keyOf(accountId))
