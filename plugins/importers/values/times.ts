/*
 * Times in trackers' formats. Only unambiguous forms are read: `Date` makes March 2 of February 30, and the year 2001
 * of `Sprint 12`.
 */

/** The order of day and month in dates such as `03/04/2026`. */
export type DateOrder = 'DMY' | 'MDY'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = String.raw`(?<name>(?:${MONTHS.join('|')})[a-z]*)\.?`
const WEEKDAY = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? +)?`
const YEAR = String.raw`(?<year>\d{4}|'?\d\d)`
const DATES = [
  String.raw`(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})`,
  String.raw`(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4}|\d\d)`,
  String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?[ ./-]*${MONTH}[ ,./-]*${YEAR}`,
  String.raw`${MONTH}[ .-]*(?<day>\d{1,2})(?:st|nd|rd|th)?,? +${YEAR}`,
  // `Date`'s own form: the year after the time.
  String.raw`${MONTH} (?<day>\d{1,2})(?= \d\d:\d\d:\d\d .*\d{4}$)`
].map(date => new RegExp(`^${WEEKDAY}${date}(?![\\d/.-])`, 'i'))
const ZONE = String.raw`(?<zone>z|utc|gmt|(?:utc|gmt)?[+-]\d\d(?::?\d\d)?|[ecmp][sd]t)(?: \([^)]*\))?`
const TIME = new RegExp(
  String.raw`^(?:t|,? +|,? +at +)(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?` +
    String.raw`(?: ?(?<half>[ap]m))?(?: ?${ZONE})?(?: (?<year>\d{4}))?$`,
  'i'
)
/** North American names of time zones, in minutes ahead of UTC. */
const NAMED_ZONES: Record<string, number> = {
  ...{ est: -300, edt: -240, cst: -360, cdt: -300, mst: -420, mdt: -360, pst: -480, pdt: -420 },
  ...{ z: 0, utc: 0, gmt: 0 }
}
/** Lower two-digit years are of this century. */
const CENTURY_PIVOT = 70

interface ParsedTime {
  /** `YYYY-MM-DD` as written, in the text's zone. */
  day: string
  /** ISO 8601 in UTC; without a zone the text is read as UTC. */
  time: string
}

/** Undefined if it is ambiguous. @param order without it only dates with a day above 12 are read */
export function parseTime(text: string, order?: DateOrder): ParsedTime | undefined {
  const trimmed = text.trim()
  const date = DATES.map(pattern => pattern.exec(trimmed)).find(match => match !== null)
  if (!date) return undefined
  const rest = trimmed.slice(date[0].length)
  const clock = rest === '' ? undefined : TIME.exec(rest)
  if (clock === null) return undefined
  const day = dayOfDate({ ...date.groups, year: date.groups?.['year'] ?? clock?.groups?.['year'] }, order)
  const minutes = clock ? minutesOf(clock.groups!) : 0
  if (day === undefined || minutes === undefined) return undefined
  const { second = '0', fraction = '0' } = clock?.groups ?? {}
  const time = new Date(`${day}T00:00:00Z`).getTime() + minutes * 60_000 + Number(second) * 1000
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000)
  const written = new Date(time + milliseconds)
  const year = written.getUTCFullYear()
  return Number(second) > 59 || year < 1 || year > 9999 ? undefined : { day, time: written.toISOString() }
}

type Groups = Readonly<Record<string, string | undefined>>

function dayOfDate({ year, month, day, name, first, second, mark }: Groups, order: DateOrder | undefined) {
  if (first !== undefined && second !== undefined) {
    // In dates with points, the day always comes first.
    const isSame = Number(first) === Number(second)
    const known = order ?? evidenceOf(first, second) ?? (isSame || mark === '.' ? 'DMY' : undefined)
    if (known === undefined) return undefined
    return known === 'DMY' ? isoDay(year ?? '', second, first) : isoDay(year ?? '', first, second)
  }
  return isoDay(year ?? '', month ?? String(MONTHS.indexOf(name!.slice(0, 3).toLowerCase()) + 1), day!)
}

function isoDay(year: string, month: string, day: string): string | undefined {
  const digits = year.replace("'", '')
  const full = digits.length === 2 ? `${Number(digits) < CENTURY_PIVOT ? '20' : '19'}${digits}` : digits
  const iso = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined
}

/** In UTC, from the day's midnight; undefined for an invalid time. */
function minutesOf({ hour, minute, half, zone }: Groups): number | undefined {
  const [hours, minutes] = [Number(hour), Number(minute)]
  if (minutes > 59 || hours > (half === undefined ? 23 : 12) || (half !== undefined && hours === 0)) return undefined
  const hours24 = half === undefined ? hours : (hours % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  return hours24 * 60 + minutes - zoneMinutes(zone?.toLowerCase() ?? 'z')
}

function zoneMinutes(zone: string): number {
  const named = NAMED_ZONES[zone]
  if (named !== undefined) return named
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?$/.exec(zone)!
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

function evidenceOf(first: string, second: string): DateOrder | undefined {
  if (Number(first) > 12 && Number(second) <= 12) return 'DMY'
  return Number(second) > 12 && Number(first) <= 12 ? 'MDY' : undefined
}

const NUMBERS = /^\s*(\d{1,2})([-/.])(\d{1,2})\2\d/

export function isAmbiguous(text: string, order: DateOrder | undefined): boolean {
  const [, first, , second] = order === undefined ? (NUMBERS.exec(text) ?? []) : []
  return first !== undefined && Number(first) <= 12 && Number(second) <= 12
}

/** The order of most dates; undefined if none shows it, or on a tie. */
export function makeOrderCount(): { add(text: string): void; order(): DateOrder | undefined } {
  const counts = { DMY: 0, MDY: 0 }
  return {
    add(text) {
      const [, first, , second] = NUMBERS.exec(text) ?? []
      const shown = first === undefined ? undefined : evidenceOf(first, second!)
      if (shown !== undefined) counts[shown]++
    },
    order: () => (counts.DMY === counts.MDY ? undefined : counts.DMY > counts.MDY ? 'DMY' : 'MDY')
  }
}
