import type { Id } from '../api/database/types.ts'
import { invalid } from '../api/errors.ts'
import { isId } from '../db/sql.ts'

/** The place of a row in a listing by time; ids put rows of the same time in order. */
export interface Place {
  at: Date
  id: Id
}

export const cursorOf = ({ at, id }: Place): string => `${at.toISOString()}~${id}`

/** @throws 400 */
export function placeOf(cursor: string): Place {
  const [time = '', id = ''] = cursor.split('~')
  const at = new Date(time)
  if (!Number.isNaN(at.getTime()) && isId(id)) return { at, id }
  throw invalid('query.cursor must be the nextCursor of an answer: leave it out for the first page.', {
    field: 'cursor'
  })
}
