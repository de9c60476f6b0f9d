import { sql, type RawBuilder } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import { statesByName, type TeamState } from '../../workspace/contract.ts'
import type { Db, Trx } from '../context.ts'
import type { CompletionProof } from '../contract.ts'
import { assigneeAt } from './selection.ts'

/** Writers of a workspace's steps take turns: the one that writes last has read the latest history. */
export const lockSteps = (trx: Trx, workspaceId: Id) =>
  sql`select pg_advisory_xact_lock(hashtextextended('insights.steps ' || ${workspaceId}::text, 0))`.execute(trx)

/** @param stateIds only issues that were ever in one of these states, or in one of which only the name is known */
export async function listIssuesAfter(
  db: Db,
  workspaceId: Id,
  after: Id,
  limit: number,
  stateIds?: readonly Id[]
): Promise<Id[]> {
  const ids = sql`any(${stateIds}::uuid[])`
  const wasThere = sql`(issue.state_id = ${ids} or exists (
    select from issue_change h where h.workspace_id = ${workspaceId} and h.issue_id = issue.id and h.change = 'state'
      and (h.from_id is null or h.to_id is null or h.from_id = ${ids} or h.to_id = ${ids})))`
  const { rows } = await sql<{ id: Id }>`
    select issue.id from issue
    where issue.workspace_id = ${workspaceId} and issue.id > ${after} and ${stateIds ? wasThere : sql`true`}
    order by issue.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function listUnknownProofs(db: Db, workspaceId: Id, limit: number): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select distinct issue_id as id from insight_step
    where workspace_id = ${workspaceId} and figure = 'completed' and is_proven is null limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface Known {
  states: readonly TeamState[]
  /** Undefined: no plugin keeps evidence. */
  isProven: CompletionProof | undefined
}

/** Removes those of deleted issues, too. */
export async function storeSteps(
  trx: Trx,
  workspaceId: Id,
  issueIds: readonly Id[],
  { states, isProven }: Known
): Promise<void> {
  const proof = isProven ? sql`coalesce(${isProven(workspaceId)}, false)` : sql`null::boolean`
  // Raw: windows over the history. A step that has not changed is not written.
  await sql`
    with state as materialized (${rowsOfStates(states)}),
    living as materialized (
      select issue.*, state.category, ${proof} as is_proven
      from (
        select * from issue
        where issue.workspace_id = ${workspaceId} and issue.id = any(${issueIds}::uuid[])
          and issue.deleted_at is null) issue
      left join state on state.key = issue.state_id::text),
    change as materialized (${changes(workspaceId)}),
    step as (${steps}),
    row as materialized (${rows(workspaceId)}),
    removed as (
      delete from insight_step former
      where former.workspace_id = ${workspaceId} and former.issue_id = any(${issueIds}::uuid[]) and not exists (
        select from row where row.issue_id = former.issue_id and row.n = former.n))
    insert into insight_step as former (${columns(ALL)}) select ${columns(ALL)} from row
    on conflict (${columns(KEY)}) do update set (${columns(VALUES)}) = row(${columns(VALUES, 'excluded.')})
    where row(${columns(VALUES, 'former.')}) is distinct from row(${columns(VALUES, 'excluded.')})`.execute(trx)
}

const KEY = ['workspace_id', 'issue_id', 'n']
const VALUES = [
  ...['team_id', 'at', 'figure', 'account_id', 'started_at', 'started_until', 'is_proven', 'completed_before'],
  ...['from_state_id', 'from_state_name', 'seconds', 'is_first', 'closes_at']
]
const ALL = [...KEY, ...VALUES]
const columns = (names: readonly string[], of = '') => sql.join(names.map(name => sql.ref(of + name)))

/** The categories of states by id, and by team and name: changes of earlier releases have only names. */
function rowsOfStates(states: readonly TeamState[]): RawBuilder<unknown> {
  const all = [
    ...states.map(({ id, category }) => [id, category] as const),
    ...[...statesByName(states)].map(([key, { category }]) => [key, category] as const)
  ]
  return sql`
    select * from unnest(${all.map(([key]) => key)}::text[], ${all.map(([, category]) => category)}::text[])
      as state (key, category)`
}

/** The changes of states, with the categories of both, their neighbours, and the time in the former state. */
const changes = (workspaceId: Id) => sql`
  select issue.id as issue_id, h.at, row_number() over history as n, h.from_id,
    case when h.from_id is null then h.from_name end as from_name, f.category as former, t.category as next,
    date_part('epoch', h.at - coalesce(lag(h.at) over history, least(issue.created_at, h.at))) as seconds,
    lead(h.at) over history as until, lead(f.category) over history as left_later
  from living issue
  join issue_change h on h.workspace_id = ${workspaceId} and h.issue_id = issue.id and h.change = 'state'
  left join state f on f.key = coalesce(h.from_id::text, issue.team_id || ' ' || h.from_name)
  left join state t on t.key = coalesce(h.to_id::text, issue.team_id || ' ' || h.to_name)
  window history as (partition by h.issue_id order by h.at, h.id)`

/** Filings, changes, and closings of issues without history: imports have no time of cancellations. */
const steps = sql`
  select issue_id, n, at, until, from_id, from_name, seconds, former, next, left_later,
    row_number() over (partition by issue_id, from_id, from_name order by n) = 1 as is_first,
    case when next = 'COMPLETED' and former is distinct from 'COMPLETED' then 'completed'
      when next = 'CANCELED' and former is distinct from 'CANCELED' then 'canceled'
      when former in ('COMPLETED', 'CANCELED') and next in ('TRIAGE', 'BACKLOG', 'UNSTARTED', 'STARTED')
        then 'reopened' end as figure
  from change
  union all
  select issue.id, 0, issue.created_at, first.at, null, null, null, null, null, first.former, false, 'filed'
  from living issue left join change first on first.issue_id = issue.id and first.n = 1
  union all
  select issue.id, 1, closed.at, null, null, null, null, null, null, null, false, lower(issue.category)
  from living issue
  cross join lateral (
    select case issue.category when 'COMPLETED' then issue.completed_at when 'CANCELED' then issue.created_at end as at
  ) closed
  where closed.at is not null and not exists (select from change where change.issue_id = issue.id)`

/** The rows of steps. Imported issues may have changes from before they were created. */
const rows = (workspaceId: Id) => {
  const assignee = assigneeAt(workspaceId, sql`step.at`)
  const started = sql`case when step.former = 'STARTED' then least(issue.created_at, step.at)
    when step.next = 'STARTED' then step.at end`
  return sql`
    select ${workspaceId}::uuid as workspace_id, issue.id as issue_id, step.n::integer, issue.team_id, step.at,
      step.figure,
      case step.figure when 'filed' then issue.created_by_id else ${assignee.id} end as account_id,
      coalesce(first_value(${started}) over (partition by issue.id order by ${started} is null, step.n),
        case when issue.category = 'STARTED' then issue.created_at end) as started_at,
      case when case when step.until is null then issue.category else step.left_later end = 'STARTED'
        then coalesce(step.until, 'infinity') end as started_until,
      case step.figure when 'completed' then issue.is_proven end as is_proven,
      min(step.at) filter (where step.figure = 'completed') over (
        partition by issue.id order by step.n rows between unbounded preceding and 1 preceding) as completed_before,
      step.from_id as from_state_id, step.from_name as from_state_name, step.seconds, step.is_first,
      case when step.seconds is not null then min(step.at) filter (where step.figure = 'completed') over (
        partition by issue.id order by step.at range between current row and unbounded following) end as closes_at
    from step join living issue on issue.id = step.issue_id
    ${assignee.joins}`
}
