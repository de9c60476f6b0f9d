import { sql, type RawBuilder } from 'kysely'
import type { Caller } from '../contract.ts'
import { statement } from '../db/statement.ts'
import type { Id, TransactionHandle } from '../db/tables.ts'
import { newId } from '../id.ts'
import type { Audience, EventInStatement, EventType, NewEventOfAnyType } from './contract.ts'

/** Events of one statement. */
const MAX_ROWS = 1_000

/** What all events of a statement have in common; `events` is JSON of what each has for itself. */
interface Appended extends Record<string, unknown> {
  workspaceId: Id
  type: string
  at: Date
  actorId: Id | null
  tokenId: Id | null
  subjectType: string
  origin: string
  audience: Audience
  events: string
}
/** @param appended values, or SQL for them */
const insertOf = (appended: { readonly [K in keyof Appended]: unknown }): RawBuilder<never> => {
  const { workspaceId, type, at, actorId, tokenId, subjectType, origin, audience, events } = appended
  return sql`
  insert into event (workspace_id, type, at, actor_id, token_id, subject_type, origin, audience,
    id, subject_id, subject_key, issue_id, rev, account_id, data)
  select ${workspaceId}::uuid, ${type}::text, ${at}::timestamptz, ${actorId}::uuid, ${tokenId}::uuid,
    ${subjectType}::text, ${origin}::text, ${audience}::text,
    (e->>'id')::uuid, (e->>'subjectId')::uuid, e->>'subjectKey', (e->>'issueId')::uuid, (e->>'rev')::integer,
    (e->>'accountId')::uuid, e->'data'
  from json_array_elements(${events}::json) with ordinality as given (e, n) order by n`
}
// Compiled once: every write runs it.
const insertEvents = statement<Appended, never>(import.meta, 'insertEvents', insertOf)

/**
 * Appends events of one type in the writing transaction: one statement for any number of consumers.
 * The rows of their subjects are locked already, so that their positions are in the order of their revisions.
 */
export async function appendEvents(
  trx: TransactionHandle,
  type: EventType,
  caller: Caller,
  events: readonly NewEventOfAnyType[],
  at: Date
): Promise<void> {
  for (let n = 0; n < events.length; n += MAX_ROWS) {
    await insertEvents(trx, appendedOf(type, caller, events.slice(n, n + MAX_ROWS), at))
  }
}

function appendedOf(
  { name: type, subject: subjectType, audience }: EventType,
  { workspaceId, accountId: actorId, tokenId, origin = 'rest' }: Caller,
  events: readonly NewEventOfAnyType[],
  at: Date
): Appended {
  const rows = events.map(({ accountId, ...event }) => ({
    ...event,
    id: newId(),
    ...(audience === 'account' && { accountId })
  }))
  const common = { workspaceId, type, at, actorId, tokenId, subjectType, origin, audience }
  return { ...common, events: JSON.stringify(rows) }
}

/** The insert of events of one type, to be a part of the statement that makes the change. */
export const eventsInsert = (
  type: EventType,
  caller: Caller,
  events: readonly NewEventOfAnyType[],
  at: Date
): RawBuilder<unknown> => insertOf(appendedOf(type, caller, events, at))

/** As `eventsInsert`, of one event whose key and revision the statement decides. */
export function eventInsert(
  { name: type, subject: subjectType, audience }: EventType,
  { workspaceId, accountId: actorId, tokenId, origin = 'rest' }: Caller,
  { from, subjectId, subjectKey, issueId, rev, accountId, data }: EventInStatement,
  at: Date
): RawBuilder<unknown> {
  return sql`
    insert into event (workspace_id, type, at, actor_id, token_id, subject_type, origin, audience,
      id, subject_id, subject_key, issue_id, rev, account_id, data)
    select ${workspaceId}::uuid, ${type}::text, ${at}::timestamptz, ${actorId}::uuid, ${tokenId}::uuid,
      ${subjectType}::text, ${origin}::text, ${audience}::text,
      ${newId()}::uuid, ${subjectId}::uuid, ${subjectKey}, ${issueId ?? null}::uuid, ${rev},
      ${audience === 'account' ? (accountId ?? null) : null}::uuid, ${JSON.stringify(data)}::json
    from ${from}`
}
