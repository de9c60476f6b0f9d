/** Printable ASCII without spaces, at most 200 characters. */
const VALID = /^[\x21-\x7e]{1,200}$/

/** The name by which a client calls its session. Any other value is as none: no request fails over it. */
export const validSession = (value: unknown): string | undefined =>
  typeof value === 'string' && VALID.test(value) ? value : undefined
