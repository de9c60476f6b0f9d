import { sql, type RawBuilder } from 'kysely'
import type { Caller } from '../contract.ts'
import { statement } from '../db/statement.ts'
import type { Id, TransactionHandle } from '../db/tables.ts'
import { newId } from '../id.ts'
import type { Audience, EventInStatement, EventType, NewEventOfAnyType } from './contract.ts'

/** Events of one statement. */
const MAX_ROWS = 1_000

/** What all events of a statement have in common. */
interface Common extends Record<string, unknown> {
  workspaceId: Id
  type: string
  at: Date
  actorId: Id | null
  tokenId: Id | null
  subjectType: string
  origin: string
  audience: Audience
}
const commonOf = (
  { name: type, subject: subjectType, audience }: EventType,
  { workspaceId, accountId: actorId, tokenId, origin = 'rest' }: Caller,
  at: Date
): Common => ({ workspaceId, type, at, actorId, tokenId, subjectType, origin, audience })

/**
 * @param common values, or SQL for them
 * @param each what an event has for itself, from its id to its data, and where it comes from
 */
const insertOf = (common: { readonly [K in keyof Common]: unknown }, each: RawBuilder<unknown>): RawBuilder<never> => {
  const { workspaceId, type, at, actorId, tokenId, subjectType, origin, audience } = common
  return sql`
  insert into event (workspace_id, type, at, actor_id, token_id, subject_type, origin, audience,
    id, subject_id, subject_key, issue_id, rev, account_id, data)
  select ${workspaceId}::uuid, ${type}::text, ${at}::timestamptz, ${actorId}::uuid, ${tokenId}::uuid,
    ${subjectType}::text, ${origin}::text, ${audience}::text, ${each}`
}
/** @param json of the events, as `jsonOf` makes it, or SQL for it */
const eachOf = (json: unknown) => sql`
    (e->>'id')::uuid, (e->>'subjectId')::uuid, e->>'subjectKey', (e->>'issueId')::uuid, (e->>'rev')::integer,
    (e->>'accountId')::uuid, e->'data'
  from json_array_elements(${json}::json) with ordinality as given (e, n) order by n`
const jsonOf = ({ audience }: EventType, events: readonly NewEventOfAnyType[]): string =>
  JSON.stringify(
    events.map(({ accountId, ...event }) => ({ ...event, id: newId(), ...(audience === 'account' && { accountId }) }))
  )

// Compiled once: every write runs it.
const insertEvents = statement<Common & { events: string }, never>(import.meta, 'insertEvents', appended =>
  insertOf(appended, eachOf(appended.events))
)

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
    await insertEvents(trx, { ...commonOf(type, caller, at), events: jsonOf(type, events.slice(n, n + MAX_ROWS)) })
  }
}

/** The insert of events of one type, to be a part of the statement that makes the change. */
export const eventsInsert = (
  type: EventType,
  caller: Caller,
  events: readonly NewEventOfAnyType[],
  at: Date
): RawBuilder<unknown> => insertOf(commonOf(type, caller, at), eachOf(jsonOf(type, events)))

/** As `eventsInsert`, of one event whose key and revision the statement decides. */
export function eventInsert(
  type: EventType,
  caller: Caller,
  { from, subjectId, subjectKey, issueId, rev, accountId, data }: EventInStatement,
  at: Date
): RawBuilder<unknown> {
  const owner = type.audience === 'account' ? (accountId ?? null) : null
  const each = sql`
      ${newId()}::uuid, ${subjectId}::uuid, ${subjectKey}, ${issueId ?? null}::uuid, ${rev}, ${owner}::uuid,
      ${JSON.stringify(data)}::json
    from ${from}`
  return insertOf(commonOf(type, caller, at), each)
}
