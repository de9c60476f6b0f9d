import { sql, type RawBuilder } from 'kysely'
import type { Caller } from '../api/contract.ts'
import { insertGroups } from '../db/statements/insert-groups.ts'
import { isDistributed, statement, writeInWorkspace } from '../db/statements/statement.ts'
import type { Id, TransactionHandle } from '../api/database/types.ts'
import { newId } from '../db/id.ts'
import type { Audience, EventInStatement, EventType, NewEventOfAnyType } from './contract.ts'

/** The columns that a statement's events share. */
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

/** Positions that were taken before; undefined: the insert takes them. */
type Positions = readonly number[] | undefined

/** An insert into the log. `rows` gets the shared columns. @param common values, or SQL for them */
const insertOf = (
  common: CommonSql,
  positions: Positions,
  rows: (common: RawBuilder<unknown>) => RawBuilder<unknown>
): RawBuilder<never> => {
  const { workspaceId, type, at, actorId, tokenId, subjectType, origin, audience } = common
  return sql`
  insert into event (workspace_id, type, at, actor_id, token_id, subject_type, origin, audience,
    id, subject_id, subject_key, issue_id, rev, account_id, data ${positions ? sql`, position` : sql``})
  ${rows(sql`${workspaceId}::uuid, ${type}::text, ${at}::timestamptz, ${actorId}::uuid, ${tokenId}::uuid,
    ${subjectType}::text, ${origin}::text, ${audience}::text`)}`
}

/** The columns that differ, from the id to the data. */
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

const firstOf = (positions: Positions) => (positions ? sql`, ${positions[0]}::bigint` : sql``)

/** One event as values, which Citus forwards unchanged. */
const valuesInsert = (common: CommonSql, each: EachSql, positions?: Positions) =>
  insertOf(common, positions, shared => sql`values (${shared}, ${eachSql(each)} ${firstOf(positions)})`)

/** Any number of events. @param json the events as `jsonOf` makes them, or SQL for it */
const jsonInsert = (common: CommonSql, json: unknown, positions?: Positions) =>
  insertOf(
    common,
    positions,
    shared => sql`
  select ${shared}, (e->>'id')::uuid, (e->>'subjectId')::uuid, e->>'subjectKey', (e->>'issueId')::uuid,
    (e->>'rev')::integer, (e->>'accountId')::uuid, e->'data'
    ${positions ? sql`, (${positions}::bigint[])[n::integer]` : sql``}
  from json_array_elements(${json}::json) with ordinality as given (e, n) order by n`
  )
const jsonOf = ({ audience }: EventType, events: readonly NewEventOfAnyType[]): string =>
  JSON.stringify(
    events.map(({ accountId, ...event }) => ({ ...event, id: newId(), ...(audience === 'account' && { accountId }) }))
  )

// Compiled once: every write runs one of them.
const insertEvent = statement<Common & Each, never>(
  import.meta,
  'insertEvent',
  appended => valuesInsert(appended, appended),
  undefined,
  writeInWorkspace
)
const insertEvents = statement<Common & { events: string }, never>(
  import.meta,
  'insertEvents',
  appended => jsonInsert(appended, appended.events),
  undefined,
  writeInWorkspace
)

/**
 * Appends events of one type in the writing transaction, in one statement. The rows of their subjects must be locked,
 * so that positions are in the order of revisions.
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

/** Further arguments of `eventsInsert` and `eventInsert`. */
interface Appended {
  type: EventType
  caller: Caller
  at: Date
  positions: Positions
}

/** The insert of events of one type, as a part of the statement that makes the change. */
export function eventsInsert(
  { type, caller, at, positions }: Appended,
  events: readonly NewEventOfAnyType[]
): RawBuilder<unknown> {
  const common = commonOf(type, caller, at)
  const [first, ...others] = events
  return first !== undefined && others.length === 0
    ? valuesInsert(common, eachOf(type, first), positions)
    : jsonInsert(common, jsonOf(type, events), positions)
}

/** Like `eventsInsert`, for one event whose key and revision the statement computes. */
export const eventInsert = (
  { type, caller, at, positions }: Appended,
  { from, subjectKey, rev, ...event }: EventInStatement
): RawBuilder<unknown> =>
  insertOf(
    commonOf(type, caller, at),
    positions,
    shared =>
      sql`select ${shared}, ${eachSql({ ...eachOf(type, event), subjectKey, rev })} ${firstOf(positions)} from ${from}`
  )

/**
 * Takes positions for events that a statement on a Citus worker appends: the sequence is on the coordinator. Takes the
 * lock of an insert first (see horizon.ts).
 * @returns undefined on other engines: there, the insert takes them
 */
export async function takePositions(trx: TransactionHandle, n: number): Promise<Positions> {
  if (!isDistributed(trx)) return undefined
  const rows = await takePositionsStatement(trx, { n })
  return rows.map(({ position }) => position)
}
// Raw: no type has the sequence and Citus's function. `case` evaluates in order.
const takePositionsStatement = statement<{ n: number }, { position: number }>(
  import.meta,
  'takePositions',
  ({ n }) => sql`
  select case when lock_relation_if_exists('event', 'ROW EXCLUSIVE') then nextval('event_position') end as position
  from generate_series(1, ${n}::integer)`
)
