import type { Id } from '../../../core/api/database/types.ts'
import { DAY_MS } from '../../../lib/util/days.ts'

export const START_DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export type StartDay = (typeof START_DAYS)[number]

export const CARRY_OVERS = ['NEXT', 'BACKLOG'] as const
export type CarryOver = (typeof CARRY_OVERS)[number]
/** `ASK`: they stay until somebody closes the cycle. */
export const CARRY_OVER_RULES = [...CARRY_OVERS, 'ASK'] as const
export type CarryOverRule = (typeof CARRY_OVER_RULES)[number]

export interface Repetition {
  weeks: number
  startDay: StartDay
  carryOver: CarryOverRule
}
export interface Rule extends Repetition {
  workspaceId: Id
  teamId: Id
  setById: Id
  setAt: Date
}
export interface Span {
  startsAt: Date
  endsAt: Date
}

export const MAX_WEEKS = 12

const WEEK_MS = 7 * DAY_MS
const A_MONDAY = Date.UTC(1970, 0, 5)
/** The current cycle and the next two. */
const CYCLES_AHEAD = 3
/** No cycle begins later, even if a manual one lasts long. */
const MAX_AHEAD_MS = 730 * DAY_MS

/**
 * They do not overlap the present cycles of the team.
 * @param present its cycles that have not ended, and the last that has
 */
export function missingSpans({ weeks, startDay }: Repetition, present: readonly Span[], now: Date): Span[] {
  const others = present.map(({ startsAt, endsAt }) => ({ from: startsAt.getTime(), to: endsAt.getTime() }))
  const ended = others.filter(({ to }) => to <= now.getTime()).map(({ to }) => to)
  const length = weeks * WEEK_MS
  // The rhythm goes on from the last cycle.
  let from = ended.length === 0 ? startUpTo(now.getTime(), startDay) : startFrom(Math.max(...ended), startDay)
  while (from + length <= now.getTime()) from += length
  const spans: Span[] = []
  for (let n = 0; n < CYCLES_AHEAD && from <= now.getTime() + MAX_AHEAD_MS;) {
    const to = from + length
    const inTheWay = others.filter(other => other.to > now.getTime() && other.from < to && other.to > from)
    if (inTheWay.length === 0) spans.push({ startsAt: new Date(from), endsAt: new Date(to) })
    from = inTheWay.length === 0 ? to : startFrom(Math.max(...inTheWay.map(other => other.to)), startDay)
    n += Math.max(1, inTheWay.length)
  }
  return spans
}

/** The last midnight (UTC) with which such a day began. */
function startUpTo(time: number, startDay: StartDay): number {
  const first = A_MONDAY + START_DAYS.indexOf(startDay) * DAY_MS
  return first + Math.floor((time - first) / WEEK_MS) * WEEK_MS
}
/** The first one that is not before a time. */
function startFrom(time: number, startDay: StartDay): number {
  const start = startUpTo(time, startDay)
  return start === time ? start : start + WEEK_MS
}
