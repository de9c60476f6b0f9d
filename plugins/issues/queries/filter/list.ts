import { sql, type RawBuilder } from 'kysely'
import {
  allRows,
  asShortRead,
  boundedRows,
  firstRows,
  type FirstRows,
  type ItemsText,
  readBounded,
  readLong,
  type RowsOf
} from '../../../../core/api/database/queries.ts'
import type { Id, Reader } from '../../../../core/api/database/types.ts'
import { arrayPieces } from '../../../../core/api/http.ts'
import type { IssuesDatabase } from '../../contract.ts'
import { noIssue } from '../../keys.ts'
import { PRIORITY_NAMES } from '../../fields/priorities.ts'
import { isOpenState, urgencyOf, whereIssue } from './conditions.ts'
import { decodeCursor, encodeCursor, type Cursor, type Total } from './cursor.ts'
import type { Order } from './extensions.ts'
import { issueJoins, type PageRows, type PageView } from '../read/json.ts'
import { bestReady, rankOf, type ReadyQuery } from '../read/ready.ts'

type Db = Reader<IssuesDatabase>
type Condition = RawBuilder<boolean>

/** The order of a listing: always descending, and then by id; ascending values are negated. */
interface OrderValue {
  value: RawBuilder<unknown>
  type: RawBuilder<unknown>
  /** The value that the issue had at a time, from its history; undefined: it never changes. */
  valueAt?(workspaceId: Id, since: string): RawBuilder<unknown>
}
const ofIssue = (workspaceId: Id) => sql`h.workspace_id = ${workspaceId} and h.issue_id = issue.id`
const priorityAt = (workspaceId: Id, since: string) => sql`coalesce((
  select (array_position(${[...PRIORITY_NAMES]}::text[], h.from_name) - 1)::smallint from issue_change h
  where ${ofIssue(workspaceId)} and h.change = 'priority' and h.at > ${since}::timestamptz
  order by h.at, h.id limit 1), issue.priority)`
const ORDER_VALUES: Record<Exclude<Order, 'next'>, OrderValue> = {
  updatedAt: {
    value: sql`issue.updated_at`,
    type: sql`timestamptz`,
    valueAt: (workspaceId, since) => sql`coalesce((
      select max(h.at) from issue_change h
      where ${ofIssue(workspaceId)} and h.at <= ${since}::timestamptz), issue.created_at)`
  },
  createdAt: { value: sql`issue.created_at`, type: sql`timestamptz` },
  number: {
    value: sql`issue.number`,
    type: sql`int`,
    valueAt: (workspaceId, since) => sql`coalesce((
      select h.number from issue_former_key h
      where ${ofIssue(workspaceId)} and h.moved_at > ${since}::timestamptz order by h.moved_at limit 1), issue.number)`
  },
  priority: { value: sql`issue.priority`, type: sql`smallint`, valueAt: priorityAt },
  urgency: {
    value: urgencyOf(sql`issue.priority`),
    type: sql`int`,
    valueAt: (workspaceId, since) => urgencyOf(priorityAt(workspaceId, since))
  },
  sortOrder: {
    value: sql`(-issue.sort_order)`,
    type: sql`float8`,
    valueAt: (workspaceId, since) => sql`(-coalesce((
      select h.from_name::float8 from issue_change h where ${ofIssue(workspaceId)} and h.change = 'sortOrder'
        and h.at > ${since}::timestamptz order by h.at, h.id limit 1), issue.sort_order))`
  }
}

/** `next` ranks issues by their present values: one whose rank has changed may be repeated, or missed. */
const orderValue = (workspaceId: Id, order: Order): OrderValue =>
  order === 'next' ? { value: rankOf(workspaceId), type: sql`numeric[]` } : ORDER_VALUES[order]

/** `capped` counts to `MAX_COUNTED`, `known` counts nothing. */
export const TOTALS = ['exact', 'capped', 'known', 'none'] as const
export type TotalKind = (typeof TOTALS)[number]
export const MAX_COUNTED = 10_000

export interface Page {
  conditions: readonly Condition[]
  keptTotal: RawBuilder<unknown> | undefined
  indexed: boolean
  page: number
  perPage: number
  orderBy: Order
  /** For the order `next`: its first page is found without ranking everything that is ready. */
  ready: ReadyQuery | undefined
  /** As sent by the client: its cursor continues only this listing. */
  filters: Record<string, unknown>
  view: PageView
  cursor: string | undefined
  total: TotalKind
}

const MAX_SHORT_READ_ROWS = 1_000
/** True if a page is read by an index, counted already, and not far down: others may take long. */
export const isShortRead = ({ indexed, orderBy, cursor, view, page, perPage }: Page): boolean =>
  indexed && orderBy === 'updatedAt' && cursor === undefined && view !== 'full' && page * perPage <= MAX_SHORT_READ_ROWS

/**
 * One page of a board, as pieces of JSON text: in one statement, unless its rows are so long that they are read in
 * several (`readBounded`). A page that is continued by its cursor ends before such rows instead.
 * With a cursor, a listing keeps the order of its beginning: an issue that has changed since keeps its former position,
 * so that it is neither repeated nor missed. Issues created since are not listed.
 */
export async function readPage(
  db: Db,
  workspaceId: Id,
  pageRows: PageRows,
  now: Date,
  request: Page
): Promise<AsyncGenerator<string>> {
  const { orderBy, perPage, view } = request
  const cursor = request.cursor === undefined ? undefined : decodeCursor(request, request.cursor)
  const since = cursor?.since ?? now.toISOString()
  const filters = whereIssue(workspaceId, request.conditions)
  const limit = perPage + 1 // to see whether there is more
  const order = orderValue(workspaceId, orderBy)
  const ids =
    cursor !== undefined
      ? rowsAfter(workspaceId, order, filters, cursor, limit)
      : request.ready && request.page === 1
        ? bestReady(request.ready, isOpenState('state'), limit)
        : orderedPart(order, filters, partOf(request, limit))
  const carried = totalOfCursor(request, cursor)
  const counted = carried ? sql`null::bigint` : countOf(filters, request)
  const rowsOf = rowsOfIssues(workspaceId, pageRows[view]({ workspaceId }))
  // Only descriptions are long: a page of them that is continued by a cursor ends before the rows that do not fit.
  const isLong = view === 'full'
  const isShown =
    isLong && cursor ? sql`n <= ${perPage} and id in (select id from running where fits)` : sql`n <= ${perPage}`
  const rowsToRead = isLong
    ? boundedRows(sql`select id, n, ${bytesOf(workspaceId, sql.ref('ids.id'))} as bytes from ids where n <= ${perPage}`)
    : sql`wanted as (select id, n from ids where n <= ${perPage})`
  // Raw: fields, rows and conditions are of other plugins, too, and common table expressions have no types.
  const { rows } = await sql<
    FirstRows & { counted: number | null; more: boolean | null; last: string | null; lastId: Id | null }
  >`
    with ids as materialized (
      select id, at, row_number() over (order by at desc, id desc) as n from (${ids}) as ordered),
    ${rowsToRead}
    select
      ${isLong ? firstRows(rowsOf) : allRows(rowsOf)},
      ${counted} as counted,
      (select count(*) from ids) > last.n as more,
      last.at::text as last,
      last.id as last_id
    from (select) as page
    left join (select * from ids where ${isShown} order by n desc limit 1) as last on true`.execute(
    isShortRead(request) ? asShortRead(db) : db
  )
  const { items, rest, more, last, lastId, counted: n } = rows[0]!
  const total = carried ?? (n === null ? undefined : totalFrom(n, request))
  const nextCursor =
    more && last !== null && lastId !== null ? encodeCursor(request, { since, at: last, id: lastId, total }) : null
  // A page that ends early has at least its first row, however long.
  const shown = cursor ? (items === null ? (rest?.slice(0, 1) ?? null) : null) : rest
  return pagePieces(request, arrayPieces(readBounded(db, { items, rest: shown }, rowsOf)), { total, nextCursor })
}

async function* pagePieces(
  request: Page,
  issues: AsyncGenerator<string>,
  { total, nextCursor }: { total: Total | undefined; nextCursor: string | null }
): AsyncGenerator<string> {
  const { page, perPage } = request
  yield '{"issues":'
  yield* issues
  const shownTotal = request.total === 'none' || total === undefined ? {} : totalFields(total)
  yield `,${JSON.stringify({ page, perPage, ...shownTotal, nextCursor }).slice(1)}`
}

/**
 * For an indexed first page, the limit is a literal instead of a parameter: PostgreSQL reuses one plan for all states
 * only if it knows how few rows are read, and planning takes half of such a page's time.
 */
const partOf = (request: Page, limit: number): RawBuilder<unknown> =>
  isShortRead(request) && request.page === 1
    ? sql`limit ${sql.lit(limit)}`
    : sql`limit ${limit} offset ${(request.page - 1) * request.perPage}`

const totalFields = ({ n, isExact }: Total) => ({ total: n, ...(!isExact && { totalIsExact: false }) })

function totalOfCursor({ total: kind }: Page, cursor: Cursor | undefined): Total | undefined {
  const total = cursor?.total
  return kind === 'exact' && total?.isExact === false ? undefined : total
}

/** Tallied totals are always exact. */
function countOf(filters: RawBuilder<unknown>, request: Page) {
  const { total, keptTotal, page, perPage } = request
  if (total === 'none') return sql`null::bigint`
  if (keptTotal) return keptTotal
  const count = countAll(filters, total)
  if (page > 1 || request.cursor !== undefined) return count
  // Issues that fit on one page are counted already.
  return sql`(case when (select count(*) from ids) <= ${perPage} then (select count(*) from ids) else ${count} end)`
}

function countAll(filters: RawBuilder<unknown>, total: TotalKind) {
  if (total === 'exact') return sql`(select count(*) from issue where ${filters})`
  if (total === 'known') return sql`null::bigint`
  return sql`(select count(*) from (select from issue where ${filters} limit ${MAX_COUNTED + 1}) as counted)`
}

const totalFrom = (n: number, { total, keptTotal }: Page): Total =>
  total === 'exact' || keptTotal !== undefined || n <= MAX_COUNTED
    ? { n, isExact: true }
    : { n: MAX_COUNTED, isExact: false }

const orderedPart = ({ value }: OrderValue, filters: RawBuilder<unknown>, part: RawBuilder<unknown>) => sql`(
  select issue.id, ${value} as at from issue where ${filters} order by ${value} desc, issue.id desc ${part})`

function rowsAfter(workspaceId: Id, order: OrderValue, filters: RawBuilder<unknown>, cursor: Cursor, limit: number) {
  const { value, type, valueAt } = order
  const since = sql`${cursor.since}::timestamptz`
  const last = sql`(${cursor.at}::${type}, ${cursor.id}::uuid)`
  const after = sql`${filters} and (${value}, issue.id) < ${last}`
  if (valueAt === undefined) return orderedPart(order, after, sql`limit ${limit}`)
  const unchanged = orderedPart(order, sql`${after} and issue.updated_at <= ${since}`, sql`limit ${limit}`)
  const changed = sql`(
    select id, at from (
      select issue.id, ${valueAt(workspaceId, cursor.since)} as at from issue
      where ${filters} and issue.updated_at > ${since} and issue.created_at <= ${since}) as earlier
    where (at, id) < ${last} order by at desc, id desc limit ${limit})`
  return sql`${unchanged} union all ${changed} order by at desc, id desc limit ${limit}`
}

/**
 * The rows of issues in the relation `wanted`, each read by its key (`offset 0`): of a board without statistics,
 * PostgreSQL would compare every issue with all of them.
 */
const rowsOfIssues = (workspaceId: Id, row: RawBuilder<object>): RowsOf => sql`
  select (${row})::text as json
  from wanted
  cross join lateral (
    select i.* from issue i where i.workspace_id = ${workspaceId} and i.id = wanted.id and i.deleted_at is null offset 0
  ) issue
  ${issueJoins(workspaceId)} order by wanted.n`

const bytesOf = (workspaceId: Id, id: RawBuilder<unknown>): RawBuilder<number> => sql`(
  select i.description_bytes + octet_length(i.description_markdown) from issue i
  where i.workspace_id = ${workspaceId} and i.id = ${id})`

/** An issue whose row is too long for one read, as pieces of JSON text. @throws 404 if it has been deleted */
export async function* readLongIssue(db: Db, workspaceId: Id, pageRows: PageRows, id: Id): AsyncGenerator<string> {
  let isFound = false
  for await (const { text } of readLong(db, id, rowsOfIssues(workspaceId, pageRows.full({ workspaceId })))) {
    isFound = true
    yield text
  }
  if (!isFound) throw noIssue(id)
}

const BATCH = 500
type Batch = FirstRows & { last: Id | null }

/**
 * Every matching issue, newest first. Between two of them neither a transaction nor a connection stays in use, however
 * slowly the client reads.
 */
export async function* streamIssues(
  db: Db,
  workspaceId: Id,
  pageRows: PageRows,
  conditions: readonly Condition[]
): AsyncGenerator<ItemsText> {
  const rowsOf = rowsOfIssues(workspaceId, pageRows.full({ workspaceId }))
  const filters = whereIssue(workspaceId, conditions)
  let last: Id | null = null
  do {
    const { rows }: { rows: Batch[] } = await sql<Batch>`
      with ids as materialized (
        select issue.id from issue where ${filters} ${last === null ? sql`` : sql`and issue.id < ${last}::uuid`}
        order by issue.id desc limit ${BATCH}),
      ${boundedRows(sql`
        select id, row_number() over (order by id desc) as n, ${bytesOf(workspaceId, sql.ref('ids.id'))} as bytes
        from ids`)}
      select ${firstRows(rowsOf)},
        case when (select count(*) from ids) = ${BATCH} then (select id from ids order by id limit 1) end as last
      `.execute(db)
    const batch: Batch = rows[0]!
    yield* readBounded(db, batch, rowsOf)
    last = batch.last
  } while (last !== null)
}
