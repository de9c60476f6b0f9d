import { sql, type Kysely, type RawBuilder } from 'kysely'
import { jsonArray } from '../../../core/db/sql.ts'
import type { ShortReads } from '../../../core/db/short-reads.ts'
import type { Id } from '../../../core/db/tables.ts'
import { invalid } from '../../../core/errors.ts'
import type { IssueReference, IssuesDatabase } from '../contract.ts'
import { fullRow, issueJoins, listRow } from './json.ts'

type Db = Kysely<IssuesDatabase>
type Condition = RawBuilder<boolean>

export const ORDERS = ['updatedAt', 'createdAt', 'number', 'priority'] as const
export type Order = (typeof ORDERS)[number]
const COLUMNS: Record<Order, { column: string; type: RawBuilder<unknown> }> = {
  updatedAt: { column: 'issue.updated_at', type: sql`timestamptz` },
  createdAt: { column: 'issue.created_at', type: sql`timestamptz` },
  number: { column: 'issue.number', type: sql`int` },
  priority: { column: 'issue.priority', type: sql`smallint` }
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
  view: 'list' | 'full'
  cursor: string | undefined
}

/** Where a listing stands: after the issue `id`, which had `at` in the order when the listing began at `since`. */
interface Cursor {
  orderBy: Order
  since: string
  at: string
  id: Id
}

const encode = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify([cursor.orderBy, cursor.since, cursor.at, cursor.id])).toString('base64url')
function decode(text: string, orderBy: Order): Cursor {
  try {
    const [order, since, at, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [Order, string, string, Id]
    if (
      order === orderBy &&
      ![since, at, id].some(part => typeof part !== 'string') &&
      !Number.isNaN(Date.parse(since)) &&
      /^[0-9a-f-]{36}$/.test(id) &&
      /^[\w :.+-]{1,40}$/.test(at)
    ) {
      return { orderBy, since, at, id }
    }
  } catch {}
  throw invalid(
    `body.cursor is not a cursor of a listing by ${orderBy}: send the 'nextCursor' of the page before, and the same filters and order.`,
    { field: 'cursor' }
  )
}

/** Issues that a short read may pass and answer. */
const MAX_SHORT_READ_ROWS = 1_000
/** Whether a page is read by an index and counted already, and not far down: others may take long. */
const isShortRead = ({ indexed, orderBy, cursor, view, page, perPage }: Page): boolean =>
  indexed && orderBy === 'updatedAt' && cursor === undefined && view === 'list' && page * perPage <= MAX_SHORT_READ_ROWS

/**
 * One page of a board, as JSON text, in one statement.
 *
 * Continued by its cursor, a listing by `updatedAt` keeps to the order it had when it began: an issue changed
 * since stands where it stood then (its history knows), so that it is neither shown twice nor missed.
 */
export async function listPage(
  { db, shortReads }: { db: Db; shortReads: ShortReads<IssuesDatabase> },
  workspaceId: Id,
  references: readonly IssueReference[],
  now: Date,
  wanted: Page
): Promise<string> {
  const { page, perPage, orderBy, view } = wanted
  const cursor = wanted.cursor === undefined ? undefined : decode(wanted.cursor, orderBy)
  const since = cursor?.since ?? now.toISOString()
  const { column, type } = COLUMNS[orderBy]
  const at = sql.ref(column)
  const filters = sql.join(
    [sql`issue.workspace_id = ${workspaceId}`, sql`issue.deleted_at is null`, ...wanted.conditions],
    sql` and `
  )
  const one = perPage + 1 // to see whether there is more

  const inOrder = sql`
    (select issue.id, ${at} as at from issue where ${filters}
     ${cursor ? sql`and (${at}, issue.id) < (${cursor.at}::${type}, ${cursor.id}::uuid)` : sql``}
     order by ${at} desc, issue.id desc limit ${one} ${cursor ? sql`` : sql`offset ${(page - 1) * perPage}`})`
  const changedSince = sql`
    (select id, at from (
       select issue.id, coalesce((select max(h.at) from issue_change h where h.workspace_id = issue.workspace_id and h.issue_id = issue.id and h.at <= ${since}::timestamptz), issue.created_at) as at
       from issue where ${filters} and issue.updated_at > ${since}::timestamptz and issue.created_at <= ${since}::timestamptz) as moved
     where (at, id) < (${cursor?.at ?? since}::timestamptz, ${cursor?.id ?? null}::uuid)
     order by at desc, id desc limit ${one})`
  const ids =
    cursor && orderBy === 'updatedAt'
      ? sql`${inOrder} union all ${changedSince} order by at desc, id desc limit ${one}`
      : inOrder

  const { rows } = await sql<{ issues: string; total: number; more: boolean; last: string | null; lastId: Id | null }>`
    with ids as materialized (${ids}),
    shown as materialized (select id, at from ids order by at desc, id desc limit ${perPage})
    select
      (${jsonArray(sql`
        select ${view === 'full' ? fullRow(references) : listRow(references)}
        from shown join issue on issue.workspace_id = ${workspaceId} and issue.id = shown.id ${issueJoins}
        order by shown.at desc, shown.id desc`)})::text as issues,
      ${wanted.tallied ? tally(workspaceId, wanted.conditions) : sql`(select count(*) from issue where ${filters})`} as total,
      (select count(*) from ids) > ${perPage} as more,
      (select shown.at::text from shown order by shown.at, shown.id limit 1) as last,
      (select shown.id from shown order by shown.at, shown.id limit 1) as last_id`.execute(
    isShortRead(wanted) ? shortReads : db
  )
  const { issues, total, more, last, lastId } = rows[0]!
  const nextCursor = more && last !== null && lastId !== null ? encode({ orderBy, since, at: last, id: lastId }) : null
  return `{"issues":${issues},"page":${page},"perPage":${perPage},"total":${total},"nextCursor":${JSON.stringify(nextCursor)}}`
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
  let last: Id | null = null
  let opening = '['
  do {
    const { rows }: { rows: Batch[] } = await sql<Batch>`
      with ids as materialized (
        select issue.id from issue where ${sql.join([sql`issue.workspace_id = ${workspaceId}`, sql`issue.deleted_at is null`, ...(last === null ? [] : [sql`issue.id < ${last}::uuid`]), ...conditions], sql` and `)}
        order by issue.id desc limit ${BATCH})
      select
        (select string_agg(item, ',') from (
          select (${fullRow(references)})::text as item from ids join issue on issue.workspace_id = ${workspaceId} and issue.id = ids.id ${issueJoins} order by issue.id desc) rows) as issues,
        case when (select count(*) from ids) = ${BATCH} then (select id from ids order by id limit 1) end as last`.execute(
      db
    )
    const { issues, last: next }: Batch = rows[0]!
    if (issues !== null) {
      yield opening + issues
      opening = ','
    }
    last = next
  } while (last !== null)
  yield opening === '[' ? '[]' : ']'
}
