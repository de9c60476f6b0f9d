import type { Transaction } from 'kysely'
import type { Caller } from '../contract.ts'
import type { CoreTables, TransactionHandle } from '../db/tables.ts'
import { newId } from '../id.ts'
import type { EventType, NewEventOfAnyType } from './contract.ts'

/** Events of one statement: PostgreSQL takes 65,535 parameters. */
const MAX_ROWS = 1_000

/**
 * Appends events of one type in the writing transaction: one statement for any number of consumers.
 * The rows of their subjects are locked already, so that their positions are in the order of their revisions.
 */
export async function appendEvents(
  handle: TransactionHandle,
  { name, subject, audience }: EventType,
  { workspaceId, accountId: actorId, tokenId, origin = 'rest' }: Caller,
  events: readonly NewEventOfAnyType[],
  at: Date
): Promise<void> {
  const trx: Transaction<CoreTables> = handle
  const rows = events.map(({ subjectId, subjectKey, issueId, rev, accountId, data }) => ({
    workspaceId,
    id: newId(),
    type: name,
    at,
    actorId,
    tokenId,
    subjectType: subject,
    subjectId,
    subjectKey: subjectKey ?? null,
    issueId: issueId ?? null,
    rev: rev ?? null,
    origin,
    audience,
    accountId: audience === 'account' ? (accountId ?? null) : null,
    data: JSON.stringify(data)
  }))
  for (let n = 0; n < rows.length; n += MAX_ROWS) {
    await trx
      .insertInto('event')
      .values(rows.slice(n, n + MAX_ROWS))
      .execute()
  }
}
