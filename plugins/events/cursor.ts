import { lastPosition, PARTITION } from '../../core/api/database/event-log.ts'
import { invalid } from '../../core/api/errors.ts'
import type { Ctx } from './context.ts'
import { cursorExpired } from './contract.ts'
import { removedTo } from './queries.ts'

/** An opaque cursor for clients: partition and position. */
export const encodeCursor = (position: number): string => Buffer.from(`${PARTITION}.${position}`).toString('base64url')

/** @returns the position @throws 400 */
export function decodeCursor(cursor: string): number {
  const [, partition, position] = /^(\d{1,4})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (Number(partition) !== PARTITION || position === undefined) {
    throw invalid('query.after is no cursor of this log: send one that it has answered, or none.', { field: 'after' })
  }
  return Number(position)
}

/** The cursor of this moment: what is committed later is after it. */
export async function currentCursor({ db, use }: Ctx): Promise<string> {
  const { horizon } = use.eventLog
  await horizon.refresh()
  return encodeCursor(Math.max(await removedTo(db), await lastPosition(db, horizon.decided)))
}

/** @throws 410 when events after this position were removed */
export function assertKept(position: number, removedTo: number): void {
  if (position >= removedTo) return
  const oldest = encodeCursor(removedTo)
  throw cursorExpired(
    `The log no longer holds the events after this cursor: reload what you follow, and continue after '${oldest}', ` +
      'the oldest cursor that there is.',
    { oldest }
  )
}
