import type { Kysely } from 'kysely'
import type { CoreTables, Id, Reader } from '../../api/database/types.ts'
import { newId } from '../../db/id.ts'
import type { LoggedEvent } from '../contract.ts'

type Db = Kysely<CoreTables>

export interface DeadLetter {
  id: Id
  workspaceId: Id
  consumer: string
  event: LoggedEvent
  attempts: number
  reason: string
  at: Date
}

export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
}
export const hasEndedProcess = ({ reason }: Pick<DeadLetter, 'reason'>): boolean => reason.startsWith('ProcessEnded:')

const MAX_REASON_LENGTH = 2_000
const reasonOf = (error: unknown): string => String(error).replaceAll('\0', '').slice(0, MAX_REASON_LENGTH)

/** An event as stored: release 0.2.0, which may run beside, reads and writes its parent by this name. */
type StoredEvent = Omit<LoggedEvent, 'parentId'> & { issueId: Id | null }
const toStored = ({ parentId, ...event }: LoggedEvent): StoredEvent => ({ ...event, issueId: parentId })
const fromStored = ({ issueId, ...event }: StoredEvent): LoggedEvent => ({ ...event, parentId: issueId })

export async function storeDeadLetter(
  db: Db,
  { event, error, ...letter }: Pick<DeadLetter, 'consumer' | 'event' | 'attempts' | 'at'> & { error: unknown }
): Promise<void> {
  const { id: eventId, workspaceId } = event
  const reason = reasonOf(error)
  await db
    .insertInto('eventDeadLetter')
    .values({ ...letter, workspaceId, id: newId(), eventId, event: JSON.stringify(toStored(event)), reason })
    .onConflict(conflict =>
      conflict.columns(['workspaceId', 'consumer', 'eventId']).doUpdateSet({ reason, at: letter.at })
    )
    .execute()
}

export async function listDeadLetters(db: Reader<CoreTables>): Promise<DeadLetter[]> {
  const rows = await db
    .selectFrom('eventDeadLetter')
    .select(['workspaceId', 'id', 'consumer', 'event', 'attempts', 'reason', 'at'])
    .orderBy('at')
    .orderBy('id')
    .execute()
  return rows.map(({ event, ...row }) => ({ ...row, event: fromStored(event as StoredEvent) }))
}

export async function countDeadLetters(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('eventDeadLetter')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function discardDeadLetter(
  db: Db,
  { workspaceId, id }: Pick<DeadLetter, 'workspaceId' | 'id'>
): Promise<void> {
  await db.deleteFrom('eventDeadLetter').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/** Stores the reason in advance, in case this process crashes. */
export const noteAttempt = (db: Db, letter: Pick<DeadLetter, 'workspaceId' | 'id' | 'attempts'>, at: Date) =>
  noteFailure(
    db,
    { ...letter, attempts: letter.attempts + 1 },
    new ProcessEnded('it was handled again, and no end of that was seen'),
    at
  )

export async function noteFailure(
  db: Db,
  { workspaceId, id, attempts }: Pick<DeadLetter, 'workspaceId' | 'id' | 'attempts'>,
  error: unknown,
  at: Date
): Promise<void> {
  await db
    .updateTable('eventDeadLetter')
    .set({ attempts, reason: reasonOf(error), at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
