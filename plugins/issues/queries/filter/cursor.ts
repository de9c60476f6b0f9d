import { hash } from 'node:crypto'
import type { Id } from '../../../../core/api/database/types.ts'
import { isId } from '../../../../core/api/database/queries.ts'
import { invalid } from '../../../../core/api/errors.ts'

/** A cursor continues only its own listing. */
interface Listing {
  orderBy: string
  filters: Record<string, unknown>
}

export interface Total {
  n: number
  /** False: there are more than `n`, where counting stopped. */
  isExact: boolean
}

/** Keyset cursor: the last id, its sort value, the listing's start time. */
export interface Cursor {
  since: string
  at: string
  id: Id
  total?: Total | undefined
}

/** A sort value as text: a number, a time or a list of numbers. */
const AT = /^(?:[\w :.+-]{1,40}|\{[\d.,-]{1,120}\})$/
const MORE = '+'

/**
 * Hexadecimal digits of a UUIDv7 in a cursor: its time and the 32-bit counter after it, with which no other id begins.
 * The rest is read as zeros, which is enough: no other id sorts between. Other ids, as imports may have, are whole.
 */
const ID_DIGITS = 22
const ID_REST = '0'.repeat(32 - ID_DIGITS)
const IS_V7 = /^.{14}7/

const idToText = (id: Id): string =>
  IS_V7.test(id) ? String(BigInt(`0x${id.replaceAll('-', '').slice(0, ID_DIGITS)}`)) : id

function idFromText(text: string): string {
  if (!/^\d{1,27}$/.test(text)) return text
  const hex = BigInt(text).toString(16).padStart(ID_DIGITS, '0') + ID_REST
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Decimal numbers: three digits are one token of an agent, and so cost less than letters. */
export function encodeCursor({ orderBy, filters }: Listing, { since, at, id, total }: Cursor): string {
  const counted = total && `${total.n}${total.isExact ? '' : MORE}`
  const parts = [orderBy, digestOf(filters), Date.parse(since), idToText(id), at, counted]
  return parts.filter(part => part !== undefined).join('~')
}

export function decodeCursor({ orderBy, filters }: Listing, text: string): Cursor {
  const [order, digest, sinceMs = '', idText = '', at, counted = ''] = text.split('~')
  const since = new Date(parseInt(sinceMs))
  const id = idFromText(idText)
  if (
    Number.isNaN(since.getTime()) ||
    at === undefined ||
    !AT.test(at) ||
    !isId(id) ||
    !/^(\d{1,12}\+?)?$/.test(counted)
  ) {
    throw refusal('is not a cursor')
  }
  if (order !== orderBy) throw refusal(`is of a listing by ${order}, not by ${orderBy}`)
  if (digest !== digestOf(filters)) throw refusal('is of a listing with other filters')
  const total = counted === '' ? undefined : { n: parseInt(counted), isExact: !counted.endsWith(MORE) }
  return { since: since.toISOString(), at, id, total }
}

const refusal = (why: string) =>
  invalid(
    `body.cursor ${why}: send the cursor that the page before has answered, with the same filters and orderBy, ` +
      'or none to start over.',
    { field: 'cursor' }
  )

/** Equal for filters that differ only in the order of keys and values. */
const digestOf = (filters: Record<string, unknown>): string =>
  // It shows mistakes, of which one in a million may pass.
  String(hash('sha256', JSON.stringify(normalize(filters)), 'buffer').readUInt32BE() % 1_000_000)

function normalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => JSON.stringify(normalize(item))).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, normalize(item)])
}
