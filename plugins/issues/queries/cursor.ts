import { createHash } from 'node:crypto'
import type { Id } from '../../../core/db/tables.ts'
import { isId } from '../../../core/db/sql.ts'
import { invalid } from '../../../core/errors.ts'

/** What a listing lists, and in which order: a cursor continues only the one that it comes from. */
export interface Listing {
  orderBy: string
  filters: Record<string, unknown>
}

/** Where a listing stands: after the issue `id`, which had `at` in the order when the listing began at `since`. */
export interface Cursor {
  since: string
  at: string
  id: Id
}

/** Its parts are short and stand as they are: agents pay for each character. */
export function encodeCursor({ orderBy, filters }: Listing, { since, at, id }: Cursor): string {
  const idBytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  const sinceMs = Date.parse(since).toString(36)
  return [orderBy, digestOf(filters), sinceMs, idBytes.toString('base64url'), at].join('~')
}

/** @throws 400 when it is no cursor, or that of another listing */
export function decodeCursor({ orderBy, filters }: Listing, text: string): Cursor {
  const [order, digest, sinceMs = '', idText = '', at] = text.split('~')
  const since = new Date(parseInt(sinceMs, 36))
  const id = Buffer.from(idText, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (Number.isNaN(since.getTime()) || at === undefined || !/^[\w :.+-]{1,40}$/.test(at) || !isId(id)) {
    throw refused('is not a cursor')
  }
  if (order !== orderBy) throw refused(`is of a listing by ${order}, not by ${orderBy}`)
  if (digest !== digestOf(filters)) throw refused('is of a listing with other filters')
  return { since: since.toISOString(), at, id }
}

const refused = (why: string) =>
  invalid(
    `body.cursor ${why}: send the cursor that the page before has answered, with the same filters and orderBy, ` +
      'or none to begin anew.',
    { field: 'cursor' }
  )

/** The same for filters that differ only in how they are written: in the order of keys and of values. */
const digestOf = (filters: Record<string, unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify(normalized(filters)))
    .digest('base64url')
    .slice(0, 11)

function normalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => JSON.stringify(normalized(item))).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, normalized(item)])
}
