import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { jsonObject } from '../../../core/db/sql.ts'
import type { Id } from '../../../core/db/tables.ts'
import type { Asker, IssuesDatabase, ReadyReason, RowSection } from '../contract.ts'
import type { Field } from '../field.ts'
import { issueJoins, listRow } from '../queries/json.ts'
import { conditionsOf } from '../readiness.ts'
import { hasLapsedClaim } from './queries.ts'

type Db = Kysely<IssuesDatabase>
type Trx = Transaction<IssuesDatabase>

/** Open issues whose reasons are counted. */
const MAX_COUNTED = 10_000

// Raw, because other plugins contribute fields, reasons and conditions, over the rows `issue` and `state`.

/** Among which issues, for whom, and when. */
export interface ReadyQuery {
  workspaceId: Id
  conditions: ReadonlyArray<RawBuilder<boolean>>
  asker: Asker
  at: Date
  reasons: readonly ReadyReason[]
}

const among = ({ workspaceId, conditions }: ReadyQuery) => sql`
  issue join workflow_state state on state.workspace_id = issue.workspace_id and state.id = issue.state_id
  where ${sql.join(
    [sql`issue.workspace_id = ${workspaceId}`, sql`issue.deleted_at is null`, ...conditions],
    sql` and `
  )}`
const isHindered = ({ workspaceId, asker, at, reasons }: ReadyQuery) =>
  sql`(${sql.join(
    conditionsOf(workspaceId, asker, at, reasons).map(({ holds }) => holds),
    sql` or `
  )})`

/**
 * How many open issues wait for the row `issue`. Whether one is open is looked up for each: before the tables have
 * statistics the planner would join the few relations of an issue with all issues.
 */
const blockedIssues = (workspaceId: Id) => sql`(
  select count(*) from issue_relation r
  where r.workspace_id = ${workspaceId} and r.issue_id = issue.id and r.type = 'BLOCKS' and r.deleted_at is null
    and (select os.category not in ('COMPLETED', 'CANCELED') from issue o
      join workflow_state os on os.workspace_id = o.workspace_id and os.id = o.state_id
      where o.workspace_id = ${workspaceId} and o.id = r.related_issue_id and o.deleted_at is null))`

/** Urgent first and none last, then what most others wait for, then the oldest. */
const bestFirst = (workspaceId: Id) =>
  sql`(5 - issue.priority) % 5 desc, ${blockedIssues(workspaceId)} desc, issue.created_at, issue.id`

/**
 * The best issue that can be begun and is UNSTARTED, or whose claim has lapsed, with its row locked. An issue that
 * somebody else has locked is passed over: concurrent callers get different ones.
 * @param passedOver issues that were found not to be ready after all
 */
export async function lockBestReady(trx: Trx, query: ReadyQuery, passedOver: readonly Id[]): Promise<Id | undefined> {
  const { rows } = await sql<{ id: Id }>`
    select issue.id from ${among(query)}
      and (state.category = 'UNSTARTED' or ${hasLapsedClaim(query.workspaceId, query.at)})
      and not ${isHindered(query)} and issue.id <> all(${passedOver}::uuid[])
    order by ${bestFirst(query.workspaceId)} limit 1 for no key update of issue skip locked`.execute(trx)
  return rows[0]?.id
}

/** How many issues are hindered by each reason; of those that are closed nobody asks. */
export async function countReasons(db: Db, query: ReadyQuery): Promise<Record<string, number>> {
  const { workspaceId, asker, at, reasons } = query
  const conditions = conditionsOf(workspaceId, asker, at, reasons).filter(({ code }) => code !== 'CLOSED')
  const named = (code: string) => sql.raw(`"${code}"`)
  const counts = Object.fromEntries(
    conditions.map(({ code }) => [code, sql`count(*) filter (where ${named(code)})::int`])
  )
  const { rows } = await sql<{ counts: Record<string, number> }>`
    select ${jsonObject<Record<string, number>>(counts)} as counts from (
      select ${sql.join(conditions.map(({ code, holds }) => sql`${holds} as ${named(code)}`))}
      from ${among(query)} and state.category not in ('COMPLETED', 'CANCELED') limit ${MAX_COUNTED}) open`.execute(db)
  return Object.fromEntries(Object.entries(rows[0]!.counts).filter(([, count]) => count > 0))
}

/** The issues that can be begun, best first, as texts of rows of the board. */
export async function listReady(
  db: Db,
  query: ReadyQuery,
  limit: number,
  { fields, rowSections }: { fields: readonly Field[]; rowSections: readonly RowSection[] }
): Promise<string[]> {
  const { workspaceId } = query
  const { rows } = await sql<{ json: string }>`
    with wanted as materialized (
      select issue.id, row_number() over (order by ${bestFirst(workspaceId)}) as n from ${among(query)}
        and not ${isHindered(query)} order by n limit ${limit})
    select (${listRow(workspaceId, fields, rowSections)})::text as json
    from wanted join issue on issue.workspace_id = ${workspaceId} and issue.id = wanted.id ${issueJoins(workspaceId)}
    order by wanted.n`.execute(db)
  return rows.map(({ json }) => json)
}
