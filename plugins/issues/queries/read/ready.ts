import { sql, type RawBuilder } from 'kysely'
import { hasRow, jsonObject } from '../../../../core/api/database/queries.ts'
import type { Id, Reader } from '../../../../core/api/database/types.ts'
import type { IssuesDatabase, ReadinessCaller } from '../../contract.ts'
import { isOpenState, urgencyOf, whereIssue } from '../filter/conditions.ts'
import { issueJoins, type PageRows } from './json.ts'
import { conditionsOf, isAbandoned, noReasonHolds, type Readiness } from './readiness.ts'
import type { Trx } from '../../context.ts'

/*
 * Issues that can be begun. All statements are raw, because other plugins contribute fields, reasons and conditions,
 * which use the rows `issue` and `state`.
 */

type Db = Reader<IssuesDatabase>

const MAX_COUNTED = 10_000

export interface ReadyQuery extends Readiness {
  workspaceId: Id
  conditions: ReadonlyArray<RawBuilder<boolean>>
  asker: ReadinessCaller
  /** `databaseTime` */
  at: RawBuilder<Date>
}

const whereWorkspace = ({ workspaceId, conditions }: ReadyQuery) => whereIssue(workspaceId, conditions)
const withState = (query: ReadyQuery) => sql`
  join workflow_state state on state.workspace_id = ${query.workspaceId} and state.id = issue.state_id
  where ${whereWorkspace(query)}`
const among = (query: ReadyQuery) => sql`issue ${withState(query)}`
/** The issues of a relation, each read by its key (`offset 0`): without statistics, a join compares all with all. */
const issuesOf = ({ workspaceId }: ReadyQuery, relation: RawBuilder<unknown>) => sql`
  ${relation} cross join lateral (
    select i.* from issue i where i.workspace_id = ${workspaceId} and i.id = one.id offset 0) issue`
const isReady = ({ workspaceId, asker, at, reasons }: ReadyQuery) => noReasonHolds(workspaceId, asker, at, reasons)

/**
 * How many open issues wait for the row `issue`. Whether each is open is a subquery: without statistics the planner
 * would join the few relations of an issue with all issues.
 */
const blockedIssues = (workspaceId: Id) => sql`(
  select count(*) from issue_relation r
  where r.workspace_id = ${workspaceId} and r.issue_id = issue.id and r.type = 'BLOCKS' and r.deleted_at is null
    and (select ${isOpenState('os')} from issue o
      join workflow_state os on os.workspace_id = o.workspace_id and os.id = o.state_id
      where o.workspace_id = ${workspaceId} and o.id = r.related_issue_id and o.deleted_at is null))`

const urgency = urgencyOf(sql`issue.priority`)
/** Half of the id of the row `issue`: of issues with the same time, the one with the lesser id is the older one. */
const halfOfId = (from: number) =>
  sql`('x' || substr(replace(issue.id::text, '-', ''), ${sql.lit(from)}, 16))::bit(64)::bigint`
/** The rank of the row `issue`: urgent first and none last, then by the number of issues it blocks, then the oldest. */
export const rankOf = (workspaceId: Id) => sql`array[
  ${urgency}, ${blockedIssues(workspaceId)}, -extract(epoch from issue.created_at), -${halfOfId(1)}, -${halfOfId(17)}
  ]::numeric[]`

const removedAccounts = (workspaceId: Id) => sql`
  select a.id from account a where a.workspace_id = ${workspaceId} and a.deleted_at is not null`

/**
 * SQL: the ids and the ranks of the best issues that can be begun and are in one of the states, or that were begun and
 * abandoned. It collects candidates from indexes, and sorts only these:
 * - `oldest`: in the order of urgency and age, which an index has;
 * - `waited`: no index has the number of issues that an issue blocks. It is counted for blockers that are at least as
 *   urgent as the last of `oldest`. The steps are materialized: the planner would begin with all blockers;
 * - `abandoned`: issues that plugins report as abandoned;
 * - `orphaned`: issues of removed accounts, searched only if an account was removed.
 * @param states a condition over the row `state`
 */
export function bestReady(query: ReadyQuery, states: RawBuilder<boolean>, limit: number) {
  const { workspaceId } = query
  const best = sql`order by ${rankOf(workspaceId)} desc limit ${limit}`
  const abandonedIds = query.abandoned.map(({ ids }) => ids(workspaceId, query.at))
  const abandoned =
    abandonedIds.length === 0
      ? sql`select null::uuid as id where false`
      : sql`select issue.id from ${issuesOf(query, sql`(${sql.join(abandonedIds, sql` union all `)}) one`)}
      ${withState(query)} and ${isReady(query)} ${best}`
  return sql<{ id: Id }>`
    with oldest as materialized (
      select found.* from workflow_state state cross join lateral (
        select issue.id, ${urgency} as urgency, issue.created_at from issue
        where ${whereWorkspace(query)} and issue.state_id = state.id and ${isReady(query)}
        order by ${urgency} desc, issue.created_at, issue.id limit ${limit}) found
      where state.workspace_id = ${workspaceId} and ${states}
      order by found.urgency desc, found.created_at, found.id limit ${limit}),
    urgent as materialized (
      select found.id from workflow_state state cross join lateral (
        select issue.id from issue
        where issue.workspace_id = ${workspaceId} and issue.deleted_at is null and issue.state_id = state.id
          and issue.described and issue.criteria_total <> 0
          and ${urgency} >= (select min(urgency) from oldest) offset 0) found
      where state.workspace_id = ${workspaceId} and ${states}),
    blocking as materialized (
      select urgent.id from urgent where ${hasRow(sql`
        issue_relation r where r.workspace_id = ${workspaceId} and r.issue_id = urgent.id
          and r.type = 'BLOCKS' and r.deleted_at is null`)}),
    waited as materialized (
      select issue.id from ${issuesOf(query, sql`blocking one`)} ${withState(query)} and ${isReady(query)} ${best}),
    abandoned as materialized (${abandoned}),
    orphaned as materialized (
      select found.id from workflow_state state cross join lateral (
        select issue.id from issue
        where ${whereWorkspace(query)} and issue.state_id = state.id and ${isReady(query)}
          and issue.assignee_id = any(array(${removedAccounts(workspaceId)}))
        order by ${urgency} desc, issue.created_at, issue.id limit ${limit}) found
      where state.workspace_id = ${workspaceId} and state.category = 'STARTED'
        and exists (${removedAccounts(workspaceId)}))
    select issue.id, ${rankOf(workspaceId)} as at from ${issuesOf(
      query,
      sql`(
      select id from oldest union select id from waited
      union select id from abandoned union select id from orphaned) one`
    )} ${best}`
}

async function findBest(db: Db, query: ReadyQuery, states: RawBuilder<boolean>, limit: number): Promise<Id[]> {
  const { rows } = await bestReady(query, states, limit).execute(db)
  return rows.map(({ id }) => id)
}

const CANDIDATE_BATCH_SIZE = 32

/**
 * The best issue that can be begun and is UNSTARTED, or was begun and abandoned, with its row locked. An issue that
 * somebody else has locked is skipped: concurrent callers get different ones.
 * @param skipped further issues to skip, which turned out not to be ready
 */
export async function lockBestReady(trx: Trx, query: ReadyQuery, skipped: readonly Id[]): Promise<Id | undefined> {
  const others = [...skipped]
  for (;;) {
    const rest = { ...query, conditions: [...query.conditions, sql<boolean>`issue.id <> all(${others}::uuid[])`] }
    const candidates = await findBest(trx, rest, sql`state.category = 'UNSTARTED'`, CANDIDATE_BATCH_SIZE)
    const { rows } = await sql<{ id: Id }>`
      select issue.id from ${among(query)} and issue.id = any(${candidates}::uuid[])
        and (state.category = 'UNSTARTED'
          or state.category = 'STARTED' and ${isAbandoned(query.workspaceId, query.at, query.abandoned)})
        and ${isReady(query)}
      order by array_position(${candidates}::uuid[], issue.id) limit 1
      for no key update of issue skip locked`.execute(trx)
    if (rows[0] !== undefined || candidates.length < CANDIDATE_BATCH_SIZE) return rows[0]?.id
    others.push(...candidates)
  }
}

export async function countReasons(db: Db, query: ReadyQuery): Promise<Record<string, number>> {
  const { workspaceId, asker, at, reasons } = query
  const conditions = conditionsOf(workspaceId, asker, at, reasons).filter(({ code }) => code !== 'CLOSED')
  const named = (code: string) => sql.raw(`"${code}"`)
  const counts = Object.fromEntries(
    conditions.map(({ code }) => [code, sql`count(*) filter (where ${named(code)})::int`])
  )
  // Each reason is a subquery, so that it is evaluated only for the issues that are counted.
  const { rows } = await sql<{ counts: Record<string, number> }>`
    select ${jsonObject<Record<string, number>>(counts)} as counts from (
      select ${sql.join(conditions.map(({ code, holds }) => sql`(select ${holds}) as ${named(code)}`))}
      from ${among(query)} and ${isOpenState('state')} limit ${MAX_COUNTED}) open`.execute(db)
  return Object.fromEntries(Object.entries(rows[0]!.counts).filter(([, count]) => count > 0))
}

export async function listReady(db: Db, query: ReadyQuery, limit: number, pageRows: PageRows): Promise<string[]> {
  const { workspaceId } = query
  const ids = await findBest(db, query, isOpenState('state'), limit)
  const { rows } = await sql<{ json: string }>`
    select (${pageRows.list({ workspaceId })})::text as json
    from ${issuesOf(query, sql`unnest(${ids}::uuid[]) with ordinality as one (id, n)`)} ${issueJoins(workspaceId)}
    order by one.n`.execute(db)
  return rows.map(({ json }) => json)
}
