/** Printable ASCII without spaces, at most 200 characters. */
const VALID = /^[\x21-\x7e]{1,200}$/

/** The name that a client gives its session; undefined if it is missing or invalid: no request fails because of it. */
export const validSession = (value: unknown): string | undefined =>
  typeof value === 'string' && VALID.test(value) ? value : undefined
