import { DAY_MS } from '../../../../lib/util/days.ts'

/* Days as `YYYY-MM-DD`, in UTC, as on the server. */
export const today = (): string => new Date().toISOString().slice(0, 10)

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

/** The same day of another month, or its last one. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

const format = (options: Intl.DateTimeFormatOptions) => {
  const formats = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (day: string) => formats.format(Date.parse(day))
}
const weekdayText = format({ weekday: 'short', day: 'numeric', month: 'short' })
const yearText = format({ day: 'numeric', month: 'short', year: 'numeric' })
/** `Fri, 4 Dec`; of another year `4 Dec 2028`. */
export const dayText = (day: string): string =>
  day.slice(0, 4) === today().slice(0, 4) ? weekdayText(day) : yearText(day)
export const fullDayText = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
export const monthText = format({ month: 'long', year: 'numeric' })

export function weeksOf(day: string): string[][] {
  const monday = mondayOf(`${day.slice(0, 7)}-01`)
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, n) => addDays(monday, week * 7 + n))
  )
  return weeks.filter(week => week.some(other => other.startsWith(day.slice(0, 7))))
}
