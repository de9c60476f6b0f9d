import { DAY_MS } from './days.ts'

const FIXED = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1]
])
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

export const DAY_FORMS = 'YYYY-MM-DD, today, tomorrow, +3d, +2w, +1m, friday, next friday or end of month'

const textOf = (day: number): string => new Date(day).toISOString().slice(0, 10)

/** True for a day of the calendar as `YYYY-MM-DD`: `2026-02-30`, which `Date` takes for 2 March, is none. */
export function isDay(text: string): boolean {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN
  return !Number.isNaN(day) && textOf(day) === text
}

const lastOfMonth = (year: number, month: number): number => Date.UTC(year, month + 1, 0)

function addMonths(today: Date, months: number): number {
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() + months]
  return Math.min(Date.UTC(year, month, today.getUTCDate()), lastOfMonth(year, month))
}

/** The next such weekday after today; `isNextWeek`: that of the week that begins on the next Monday. */
function weekdayAfter(today: Date, weekday: number, isNextWeek: boolean): number {
  const days = isNextWeek
    ? 7 - ((today.getUTCDay() + 6) % 7) + ((weekday + 6) % 7)
    : ((weekday - today.getUTCDay() + 6) % 7) + 1
  return today.getTime() + days * DAY_MS
}

/** Words in lower case, each separated by one space. */
function dayOf(words: string, today: Date): number | undefined {
  const day = today.getTime()
  const fixed = FIXED.get(words)
  if (fixed !== undefined) return day + fixed * DAY_MS
  const [, number, unit] = /^([+-]?\d{1,4}) ?([dwm])$/.exec(words) ?? []
  if (number !== undefined) {
    if (unit === 'm') return addMonths(today, Number(number))
    return day + Number(number) * (unit === 'w' ? 7 : 1) * DAY_MS
  }
  if (words === 'end of month') return lastOfMonth(today.getUTCFullYear(), today.getUTCMonth())
  const [, next, name = ''] = /^(next )?([a-z]{3,9})$/.exec(words) ?? []
  const weekday = WEEKDAYS.findIndex(weekday => name === weekday || name === weekday.slice(0, 3))
  return weekday === -1 ? undefined : weekdayAfter(today, weekday, next !== undefined)
}

/**
 * The day that a text names, as `YYYY-MM-DD`; undefined when it names none. Case and spaces do not matter.
 * - a date: `2028-02-29`
 * - `today`, `tomorrow`, `yesterday`
 * - days, weeks or months from today: `+3d`, `2w`, `-1m`; a month later than 31 January is the last day of February
 * - the next such weekday after today: `friday`, `fri`; `next friday` is in the week that begins on the next Monday
 * - `end of month`
 * @param now today is its day in UTC, as all days of the tracker are
 */
export function dayOfWords(text: string, now: Date): string | undefined {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  if (isDay(words)) return words
  const day = dayOf(words, new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS))
  return day === undefined ? undefined : textOf(day)
}
