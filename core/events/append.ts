import { sql, type RawBuilder } from 'kysely'
import type { Caller } from '../api/contract.ts'
import { insertGroups } from '../db/statements/insert-groups.ts'
import { statement } from '../db/statements/statement.ts'
import type { Id, TransactionHandle } from '../api/database/types.ts'
import { newId } from '../db/id.ts'
import type { Audience, EventInStatement, EventType, NewEventOfAnyType } from './contract.ts'

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

/** An insert into the log. `rows` gets the shared columns. @param common values, or SQL for them */
const insertOf = (common: CommonSql, rows: (common: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<never> => {
  const { workspaceId, type, at, actorId, tokenId, subjectType, origin, audience } = common
  return sql`
  insert into event (workspace_id, type, at, actor_id, token_id, subject_type, origin, audience,
    id, subject_id, subject_key, issue_id, rev, account_id, data)
  ${rows(sql`${workspaceId}::uuid, ${type}::text, ${at}::timestamptz, ${actorId}::uuid, ${tokenId}::uuid,
    ${subjectType}::text, ${origin}::text, ${audience}::text`)}`
}

interface Each extends Record<string, unknown> {
  id: Id
  subjectId: Id
  subjectKey: string | null
  parentId: Id | null
  rev: number | null
  accountId: Id | null
  data: string
}
type EachSql = { readonly [K in keyof Each]: unknown }
const eachSql = ({ id, subjectId, subjectKey, parentId, rev, accountId, data }: EachSql) =>
  sql`${id}::uuid, ${subjectId}::uuid, ${subjectKey}::text, ${parentId}::uuid, ${rev}::integer, ${accountId}::uuid,
    ${data}::json`
const eachOf = (
  { audience }: EventType,
  { subjectId, subjectKey, parentId, rev, accountId, data }: NewEventOfAnyType
): Each => ({
  id: newId(),
  subjectId,
  subjectKey: subjectKey ?? null,
  parentId: parentId ?? null,
  rev: rev ?? null,
  accountId: audience === 'account' ? (accountId ?? null) : null,
  data: JSON.stringify(data)
})

/** One event as values, which Citus forwards unchanged. */
const valuesInsert = (common: CommonSql, each: EachSql) =>
  insertOf(common, shared => sql`values (${shared}, ${eachSql(each)})`)

/** Any number of events. @param json the events as `jsonOf` makes them, or SQL for it */
const jsonInsert = (common: CommonSql, json: unknown) =>
  insertOf(
    common,
    shared => sql`
  select ${shared}, (e->>'id')::uuid, (e->>'subjectId')::uuid, e->>'subjectKey', (e->>'parentId')::uuid,
    (e->>'rev')::integer, (e->>'accountId')::uuid, e->'data'
  from json_array_elements(${json}::json) with ordinality as given (e, n) order by n`
  )
const jsonOf = ({ audience }: EventType, events: readonly NewEventOfAnyType[]): string =>
  JSON.stringify(
    events.map(({ accountId, ...event }) => ({ ...event, id: newId(), ...(audience === 'account' && { accountId }) }))
  )

const insertEvent = statement<Common & Each, never>(
  import.meta,
  'insertEvent',
  appended => valuesInsert(appended, appended),
  'write'
)
const insertEvents = statement<Common & { events: string }, never>(
  import.meta,
  'insertEvents',
  appended => jsonInsert(appended, appended.events),
  'write'
)

/** The rows of the subjects must be locked, so that positions are in the order of revisions. */
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

interface Appended {
  type: EventType
  caller: Caller
  at: Date
}

/** The insert of events of one type, as a part of the statement that makes the change. */
export function eventsInsert(
  { type, caller, at }: Appended,
  events: readonly NewEventOfAnyType[]
): RawBuilder<unknown> {
  const common = commonOf(type, caller, at)
  const [first, ...others] = events
  return first !== undefined && others.length === 0
    ? valuesInsert(common, eachOf(type, first))
    : jsonInsert(common, jsonOf(type, events))
}

/** Like `eventsInsert`, for one event whose key and revision may be SQL over the other parts of the statement. */
export const eventInsert = (
  { type, caller, at }: Appended,
  { subjectKey, rev, ...event }: EventInStatement
): RawBuilder<unknown> => valuesInsert(commonOf(type, caller, at), { ...eachOf(type, event), subjectKey, rev })
