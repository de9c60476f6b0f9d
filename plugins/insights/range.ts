import { invalid } from '../../core/api/errors.ts'
import { DAY_MS } from '../../lib/util/days.ts'
import type { Span } from './contract.ts'

const DEFAULT_DAYS = 84
/** A leap year, and the rest of its first week. */
export const MAX_DAYS = 372

const FIRST_DAY = '1970-01-01'
const LAST_DAY = '2999-12-31'

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
const startOf = (day: string) => new Date(`${day}T00:00:00.000Z`)

/** The end of a week of the span; of any other, that of the span. */
export function endOfWeek(monday: string, { from, to }: Span): Date {
  const end = new Date(startOf(monday).getTime() + 7 * DAY_MS)
  return end > from && end < to ? end : to
}

/** @throws 400 */
export function spanOf({ from, to }: { from?: string; to?: string }, now: Date): Span & { days: [string, string] } {
  const last = to ?? dayOf(now)
  const first = from ?? dayOf(new Date(startOf(last).getTime() - (DEFAULT_DAYS - 1) * DAY_MS))
  if (first < FIRST_DAY || last > LAST_DAY) {
    throw invalid(`query.from and query.to must be days between ${FIRST_DAY} and ${LAST_DAY}.`, { field: 'from' })
  }
  const days = (startOf(last).getTime() - startOf(first).getTime()) / DAY_MS + 1
  if (days < 1) {
    throw invalid(`query.from (${first}) must not be after query.to (${last}${to ? '' : ', today'}).`, {
      field: 'from'
    })
  }
  if (days > MAX_DAYS) {
    throw invalid(
      `query.from to query.to are ${days} days; insights are of at most ${MAX_DAYS}: choose a later query.from.`,
      { field: 'from' }
    )
  }
  return { from: startOf(first), to: new Date(startOf(last).getTime() + DAY_MS), days: [first, last] }
}
