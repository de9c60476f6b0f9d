import { sql, type RawBuilder } from 'kysely'
import type { Caller } from '../contract.ts'
import { insertGroups } from '../db/insert-groups.ts'
import { statement } from '../db/statement.ts'
import type { Id, TransactionHandle } from '../db/tables.ts'
import { newId } from '../id.ts'
import type { Audience, EventInStatement, EventType, NewEventOfAnyType } from './contract.ts'

/** The columns that all events of a statement share. */
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
type CommonSql = { readonly [K in keyof Common]: unknown }
const commonOf = (
  { name: type, subject: subjectType, audience }: EventType,
  { workspaceId, accountId: actorId, tokenId, origin = 'rest' }: Caller,
  at: Date
): Common => ({ workspaceId, type, at, actorId, tokenId, subjectType, origin, audience })

/**
 * An insert into the log. `rows` gets the columns that all events share.
 * @param common values, or SQL for them
 */
const insertOf = (common: CommonSql, rows: (common: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<never> => {
  const { workspaceId, type, at, actorId, tokenId, subjectType, origin, audience } = common
  return sql`
  insert into event (workspace_id, type, at, actor_id, token_id, subject_type, origin, audience,
    id, subject_id, subject_key, issue_id, rev, account_id, data)
  ${rows(sql`${workspaceId}::uuid, ${type}::text, ${at}::timestamptz, ${actorId}::uuid, ${tokenId}::uuid,
    ${subjectType}::text, ${origin}::text, ${audience}::text`)}`
}

/** The columns that differ between the events, from the id to the data. */
interface Each extends Record<string, unknown> {
  id: Id
  subjectId: Id
  subjectKey: string | null
  issueId: Id | null
  rev: number | null
  accountId: Id | null
  /** JSON text. */
  data: string
}
type EachSql = { readonly [K in keyof Each]: unknown }
const eachSql = ({ id, subjectId, subjectKey, issueId, rev, accountId, data }: EachSql) =>
  sql`${id}::uuid, ${subjectId}::uuid, ${subjectKey}::text, ${issueId}::uuid, ${rev}::integer, ${accountId}::uuid,
    ${data}::json`
const eachOf = (
  { audience }: EventType,
  { subjectId, subjectKey, issueId, rev, accountId, data }: NewEventOfAnyType
): Each => ({
  id: newId(),
  subjectId,
  subjectKey: subjectKey ?? null,
  issueId: issueId ?? null,
  rev: rev ?? null,
  accountId: audience === 'account' ? (accountId ?? null) : null,
  data: JSON.stringify(data)
})

/** One event, as values: a distributed engine sends these on as they are. */
const valuesInsert = (common: CommonSql, each: EachSql) =>
  insertOf(common, shared => sql`values (${shared}, ${eachSql(each)})`)

/**
 * Any number of events.
 * @param json of the events, as `jsonOf` makes it, or SQL for it
 */
const jsonInsert = (common: CommonSql, json: unknown) =>
  insertOf(
    common,
    shared => sql`
  select ${shared}, (e->>'id')::uuid, (e->>'subjectId')::uuid, e->>'subjectKey', (e->>'issueId')::uuid,
    (e->>'rev')::integer, (e->>'accountId')::uuid, e->'data'
  from json_array_elements(${json}::json) with ordinality as given (e, n) order by n`
  )
const jsonOf = ({ audience }: EventType, events: readonly NewEventOfAnyType[]): string =>
  JSON.stringify(
    events.map(({ accountId, ...event }) => ({ ...event, id: newId(), ...(audience === 'account' && { accountId }) }))
  )

// Compiled once: every write runs one of them.
const insertEvent = statement<Common & Each, never>(import.meta, 'insertEvent', appended =>
  valuesInsert(appended, appended)
)
const insertEvents = statement<Common & { events: string }, never>(import.meta, 'insertEvents', appended =>
  jsonInsert(appended, appended.events)
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
  const [first, ...others] = events
  if (first !== undefined && others.length === 0) {
    await insertEvent(trx, { ...commonOf(type, caller, at), ...eachOf(type, first) })
    return
  }
  for (const group of insertGroups(events)) {
    await insertEvents(trx, { ...commonOf(type, caller, at), events: jsonOf(type, group) })
  }
}

/** The insert of events of one type, to be a part of the statement that makes the change. */
export function eventsInsert(
  type: EventType,
  caller: Caller,
  events: readonly NewEventOfAnyType[],
  at: Date
): RawBuilder<unknown> {
  const common = commonOf(type, caller, at)
  const [first, ...others] = events
  return first !== undefined && others.length === 0
    ? valuesInsert(common, eachOf(type, first))
    : jsonInsert(common, jsonOf(type, events))
}

/** As `eventsInsert`, of one event whose key and revision the statement decides. */
export const eventInsert = (
  type: EventType,
  caller: Caller,
  { from, subjectKey, rev, ...event }: EventInStatement,
  at: Date
): RawBuilder<unknown> =>
  insertOf(
    commonOf(type, caller, at),
    shared => sql`select ${shared}, ${eachSql({ ...eachOf(type, event), subjectKey, rev })} from ${from}`
  )
