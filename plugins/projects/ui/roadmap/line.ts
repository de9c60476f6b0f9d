import { DAY_MS } from '../../../../lib/util/days.ts'
import { today } from '../../../ui/browser/contract.ts'
import type { Milestone, Project } from '../data.ts'

/* Days (UTC) as `YYYY-MM-DD`, and as numbers for calculations. */

/** Null: none. */
export type Dates = Pick<Project, 'startsOn' | 'targetOn'>
export type Part = 'both' | 'startsOn' | 'targetOn'

export const dayNumber = (day: string): number => Math.round(Date.parse(day) / DAY_MS)
/** Beyond, days have no four-digit year. */
const [FIRST_DAY, LAST_DAY] = ['0001-01-01', '9999-12-31'].map(dayNumber) as [number, number]
const dayOf = (number: number): string =>
  new Date(Math.max(FIRST_DAY, Math.min(LAST_DAY, number)) * DAY_MS).toISOString().slice(0, 10)
const shift = (day: string, by: number): string => dayOf(dayNumber(day) + by)

/** A bar has so many if it has only one date. */
export const SPAN_DAYS = 28
/** Months before the first and after the last date. */
const MARGIN = 1
/** Before and after today: the line stays short enough to be drawn. */
const MAX_MONTHS = 60

export interface Line {
  from: number
  /** The number of days. */
  length: number
  months: string[]
}

export function lineOf(projects: readonly Dates[], milestones: readonly Milestone[]): Line {
  const days = [today(), ...projects.flatMap(datesIn), ...milestones.flatMap(({ date }) => date ?? [])].toSorted()
  const now = monthOf(today())
  const near = (month: number) => Math.max(now - MAX_MONTHS, Math.min(now + MAX_MONTHS, month))
  const first = near(monthOf(days[0]!)) - MARGIN
  const last = near(monthOf(days.at(-1)!)) + MARGIN + 1
  const months = Array.from({ length: last - first }, (_, n) => dayOfMonth(first + n))
  const from = dayNumber(months[0]!)
  return { from, length: dayNumber(dayOfMonth(last)) - from, months }
}

const datesIn = ({ startsOn, targetOn }: Dates): string[] => [startsOn, targetOn].filter(day => day !== null)
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
const dayOfMonth = (month: number): string =>
  new Date(Date.UTC(Math.floor(month / 12), month % 12)).toISOString().slice(0, 10)

/** Days beyond the line that a bar can be dragged to. Dates further away are drawn there, too. */
const BEYOND = 92

export function placeOf({ from, length }: Line, day: string): number {
  const days = Math.max(-BEYOND, Math.min(length + BEYOND, dayNumber(day) - from))
  return (days / length) * 100
}

/** Undefined: the project has no dates. */
export function barOf({ startsOn, targetOn }: Dates): { first: string; last: string } | undefined {
  if (startsOn === null && targetOn === null) return undefined
  return {
    first: startsOn ?? shift(targetOn!, 1 - SPAN_DAYS),
    last: targetOn ?? shift(startsOn!, SPAN_DAYS - 1)
  }
}

/** The last day is never before the first. */
export function movedBy(dates: Dates, part: Part, by: number): Dates {
  const { startsOn, targetOn } = dates
  if (part === 'both') {
    return { startsOn: startsOn && shift(startsOn, by), targetOn: targetOn && shift(targetOn, by) }
  }
  const { first, last } = barOf(dates)!
  if (part === 'startsOn') {
    const moved = shift(first, by)
    return { startsOn: targetOn !== null && moved > targetOn ? targetOn : moved, targetOn }
  }
  const moved = shift(last, by)
  return { startsOn, targetOn: startsOn !== null && moved < startsOn ? startsOn : moved }
}

export const datesFrom = (startsOn: string): Dates => ({ startsOn, targetOn: shift(startsOn, SPAN_DAYS - 1) })
