import type { CallerHeader } from '../api/points.ts'

/** Printable ASCII without spaces, at most 200 characters. */
const VALID = /^[\x21-\x7e]{1,200}$/

/** The client's name for its session; undefined if it is missing or invalid, which is no reason to refuse a request. */
export const validSession = (value: unknown): string | undefined =>
  typeof value === 'string' && VALID.test(value) ? value : undefined

export const sessionHeader: CallerHeader = {
  name: 'x-tracker-session',
  read(text) {
    const session = validSession(text)
    return session === undefined ? {} : { session }
  }
}
