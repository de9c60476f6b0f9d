import { sql, type Kysely, type RawBuilder } from 'kysely'
import { jsonArray } from '../../../core/db/sql.ts'
import type { ShortReads } from '../../../core/db/short-reads.ts'
import type { Id } from '../../../core/db/tables.ts'
import type { IssueReference, IssuesDatabase } from '../contract.ts'
import { PRIORITIES } from '../priorities.ts'
import { decodeCursor, encodeCursor, type Cursor } from './cursor.ts'
import { fullRow, issueJoins, listRow } from './json.ts'

type Db = Kysely<IssuesDatabase>
type Condition = RawBuilder<boolean>

export const ORDERS = ['updatedAt', 'createdAt', 'number', 'priority', 'urgency'] as const
export type Order = (typeof ORDERS)[number]

/** What a listing is ordered by, always descending, and then by id. */
interface OrderValue {
  value: RawBuilder<unknown>
  type: RawBuilder<unknown>
  /** The value that the issue had at a time, as its history knows; undefined: it never changes. */
  valueAt?(since: string): RawBuilder<unknown>
}
const ofIssue = sql`h.workspace_id = issue.workspace_id and h.issue_id = issue.id`
/** Urgent is the greatest, none the least. */
const urgencyOf = (priority: RawBuilder<unknown>) => sql`((5 - ${priority}) % 5)`
const priorityAt = (since: string) => sql`coalesce((
  select (array_position(${[...PRIORITIES]}::text[], h.from_name) - 1)::smallint from issue_change h
  where ${ofIssue} and h.change = 'priority' and h.at > ${since}::timestamptz
  order by h.at, h.id limit 1), issue.priority)`
const ORDER_VALUES: Record<Order, OrderValue> = {
  updatedAt: {
    value: sql`issue.updated_at`,
    type: sql`timestamptz`,
    valueAt: since => sql`coalesce((
      select max(h.at) from issue_change h where ${ofIssue} and h.at <= ${since}::timestamptz), issue.created_at)`
  },
  createdAt: { value: sql`issue.created_at`, type: sql`timestamptz` },
  number: {
    value: sql`issue.number`,
    type: sql`int`,
    valueAt: since => sql`coalesce((
      select h.number from issue_former_key h
      where ${ofIssue} and h.moved_at > ${since}::timestamptz order by h.moved_at limit 1), issue.number)`
  },
  priority: { value: sql`issue.priority`, type: sql`smallint`, valueAt: priorityAt },
  urgency: {
    value: urgencyOf(sql`issue.priority`),
    type: sql`int`,
    valueAt: since => urgencyOf(priorityAt(since))
  }
}

export interface Page {
  conditions: readonly Condition[]
  /** Whether all conditions are on states and teams, whose totals are kept. */
  tallied: boolean
  /** Whether an index has the issues that meet them in the order of `updatedAt`. */
  indexed: boolean
  page: number
  perPage: number
  orderBy: Order
  /** As the client sent them: its cursor continues only this listing. */
  filters: Record<string, unknown>
  view: 'list' | 'full'
  cursor: string | undefined
}

/** Issues that a short read may pass and answer. */
const MAX_SHORT_READ_ROWS = 1_000
/** Whether a page is read by an index and counted already, and not far down: others may take long. */
const isShortRead = ({ indexed, orderBy, cursor, view, page, perPage }: Page): boolean =>
  indexed && orderBy === 'updatedAt' && cursor === undefined && view === 'list' && page * perPage <= MAX_SHORT_READ_ROWS

/**
 * One page of a board, as JSON text, in one statement.
 *
 * Continued by its cursor, a listing keeps to the order it had when it began: an issue changed since stands where it
 * stood then, so that it is neither shown twice nor missed. Issues made since are not shown.
 */
export async function listPage(
  { db, shortReads }: { db: Db; shortReads: ShortReads<IssuesDatabase> },
  workspaceId: Id,
  references: readonly IssueReference[],
  now: Date,
  wanted: Page
): Promise<string> {
  const { page, perPage, orderBy, view } = wanted
  const cursor = wanted.cursor === undefined ? undefined : decodeCursor(wanted, wanted.cursor)
  const since = cursor?.since ?? now.toISOString()
  const filters = sql.join(
    [sql`issue.workspace_id = ${workspaceId}`, sql`issue.deleted_at is null`, ...wanted.conditions],
    sql` and `
  )
  const limit = perPage + 1 // to see whether there is more
  const ids =
    cursor === undefined
      ? inOrder(ORDER_VALUES[orderBy], filters, sql`limit ${limit} offset ${(page - 1) * perPage}`)
      : continued(ORDER_VALUES[orderBy], filters, cursor, limit)

  const counted = sql`(select count(*) from issue where ${filters})`
  const total = wanted.tallied ? tally(workspaceId, wanted.conditions) : counted

  const { rows } = await sql<{ issues: string; total: number; more: boolean; last: string | null; lastId: Id | null }>`
    with ids as materialized (${ids}),
    shown as materialized (select id, at from ids order by at desc, id desc limit ${perPage})
    select
      (${jsonArray(sql`
        select ${view === 'full' ? fullRow(references) : listRow(references)}
        from shown join issue on issue.workspace_id = ${workspaceId} and issue.id = shown.id ${issueJoins}
        order by shown.at desc, shown.id desc`)})::text as issues,
      ${total} as total,
      (select count(*) from ids) > ${perPage} as more,
      (select shown.at::text from shown order by shown.at, shown.id limit 1) as last,
      (select shown.id from shown order by shown.at, shown.id limit 1) as last_id`.execute(
    isShortRead(wanted) ? shortReads : db
  )
  const { issues, more, last, lastId, ...found } = rows[0]!
  const nextCursor =
    more && last !== null && lastId !== null ? encodeCursor(wanted, { since, at: last, id: lastId }) : null
  const place = JSON.stringify({ page, perPage, total: found.total, nextCursor })
  return `{"issues":${issues},${place.slice(1)}`
}

/** Issues as they are ordered now. */
const inOrder = ({ value }: OrderValue, filters: RawBuilder<unknown>, part: RawBuilder<unknown>) => sql`(
  select issue.id, ${value} as at from issue where ${filters} order by ${value} desc, issue.id desc ${part})`

/** Issues after a cursor, as they were ordered when its listing began. */
function continued(order: OrderValue, filters: RawBuilder<unknown>, cursor: Cursor, limit: number) {
  const { value, type, valueAt } = order
  const since = sql`${cursor.since}::timestamptz`
  const last = sql`(${cursor.at}::${type}, ${cursor.id}::uuid)`
  const after = sql`${filters} and (${value}, issue.id) < ${last}`
  if (valueAt === undefined) return inOrder(order, after, sql`limit ${limit}`)
  const unchanged = inOrder(order, sql`${after} and issue.updated_at <= ${since}`, sql`limit ${limit}`)
  const changed = sql`(
    select id, at from (
      select issue.id, ${valueAt(cursor.since)} as at from issue
      where ${filters} and issue.updated_at > ${since} and issue.created_at <= ${since}) as earlier
    where (at, id) < ${last} order by at desc, id desc limit ${limit})`
  return sql`${unchanged} union all ${changed} order by at desc, id desc limit ${limit}`
}

/** The kept totals, read with the same conditions: to them a tally looks like an issue. */
const tally = (workspaceId: Id, conditions: readonly Condition[]) => sql`(
  select coalesce(sum(issue.n), 0)::bigint from issue_tally issue
  where ${sql.join([sql`issue.workspace_id = ${workspaceId}`, ...conditions], sql` and `)})`

const BATCH = 500
interface Batch {
  issues: string | null
  last: Id | null
}

/**
 * Every matching issue, newest first, as pieces of one JSON array. Each piece is a statement of its own, so
 * memory stays flat and no transaction stays open, however slowly the client reads.
 */
export async function* streamIssues(
  db: Db,
  workspaceId: Id,
  references: readonly IssueReference[],
  conditions: readonly Condition[]
): AsyncGenerator<string> {
  const filters = sql.join(
    [sql`issue.workspace_id = ${workspaceId}`, sql`issue.deleted_at is null`, ...conditions],
    sql` and `
  )
  let last: Id | null = null
  let opening = '['
  do {
    const { rows }: { rows: Batch[] } = await sql<Batch>`
      with ids as materialized (
        select issue.id from issue where ${filters} ${last === null ? sql`` : sql`and issue.id < ${last}::uuid`}
        order by issue.id desc limit ${BATCH})
      select
        (select string_agg(item, ',') from (
          select (${fullRow(references)})::text as item
          from ids join issue on issue.workspace_id = ${workspaceId} and issue.id = ids.id ${issueJoins}
          order by issue.id desc) rows) as issues,
        case when (select count(*) from ids) = ${BATCH} then (select id from ids order by id limit 1) end as last
    `.execute(db)
    const { issues, last: next }: Batch = rows[0]!
    if (issues !== null) {
      yield opening + issues
      opening = ','
    }
    last = next
  } while (last !== null)
  yield opening === '[' ? '[]' : ']'
}
