import { sql, type RawBuilder } from 'kysely'
import { Type } from 'typebox'
import type { Id } from '../../../core/api/database/types.ts'
import { Closed } from '../../../core/api/schemas.ts'
import type { CompletionProof, MeasureSource } from '../contract.ts'
import { isWithin, type Selection } from './selection.ts'
import type { Categories } from './states.ts'

/** A measure of this plugin: each issue counts once in the total and once in each group, by its last row there. */
export interface OwnMeasure {
  name: string
  source(selection: Selection): MeasureSource
  value: RawBuilder<object>
  subsets?: Readonly<Record<string, RawBuilder<boolean>>>
}

const Count = Type.Integer({ description: 'Issues.' })
const Hours = Type.Optional(Type.Number({ description: 'Absent: of none it is known.' }))
const percentiles = { p50Hours: Hours, p85Hours: Hours }
export const ownSchemas = {
  filed: Closed({ count: Count }),
  completed: Closed({
    count: Count,
    proven: Type.Optional(
      Type.Integer({ description: 'Those that have criteria, all of which are met, with evidence for each.' })
    ),
    cycleTime: Closed(percentiles, { description: 'From when it was first STARTED until it was COMPLETED.' })
  }),
  canceled: Closed({ count: Count }),
  reopened: Closed({ count: Count }),
  inProgress: Closed({
    count: Type.Integer({ description: 'Issues that were STARTED at the end.' }),
    age: Type.Optional(Closed(percentiles, { description: 'Since they were first STARTED; not of weeks.' }))
  })
}

const count = sql<object>`json_build_object('count', count(*))`
/** Of what was STARTED only later, as after it was reopened, there are no hours. */
const percentile = (fraction: number) => sql`
  round((percentile_cont(${sql.lit(fraction)}) within group (order by extract(epoch from m.at - m.started_at) / 3600.0)
    filter (where m.started_at <= m.at))::numeric, 2)`
/** Percentiles of the hours since the issues of the rows `m` were first STARTED, as a JSON object. */
const hours = sql`json_build_object('p50Hours', ${percentile(0.5)}, 'p85Hours', ${percentile(0.85)})`

/** The changes `h` of states in the span. */
const moves = ({ workspaceId, span }: Selection) => sql`
  issue_change h where h.workspace_id = ${workspaceId} and h.change = 'state' and ${isWithin(sql`h.at`, span)}`
export const onIssue = (workspaceId: Id) => sql`issue.workspace_id = ${workspaceId} and issue.id = h.issue_id`

/**
 * When an issue was first STARTED: also before its first change, if that says so. What was imported may have changes
 * from before it was created.
 */
export const firstStarted = (workspaceId: Id, { changeHas, issueHas }: Categories) => sql<Date | null>`
  coalesce((
    select case when ${changeHas('from', 'STARTED')} then least(issue.created_at, h.at) else h.at end
    from issue_change h
    where h.workspace_id = ${workspaceId} and h.issue_id = issue.id and h.change = 'state'
      and (${changeHas('from', 'STARTED')} or ${changeHas('to', 'STARTED')})
    order by h.at, h.id limit 1), case when ${issueHas('STARTED')} then issue.created_at end)`

/** Issues whose whole history is that they are closed: filed so, or imported. */
const closedFromTheStart = (
  { workspaceId, span }: Selection,
  { issueHas }: Categories,
  category: 'COMPLETED' | 'CANCELED',
  at: RawBuilder<Date | null>
) => sql`
  issue where issue.workspace_id = ${workspaceId} and ${issueHas(category)} and ${isWithin(at, span)}
    and not exists (
      select from issue_change h
      where h.workspace_id = ${workspaceId} and h.issue_id = issue.id and h.change = 'state')`

function closings(selection: Selection, categories: Categories, category: 'COMPLETED' | 'CANCELED'): MeasureSource {
  // Imports say when an issue was completed; nothing says when one was canceled.
  const since = category === 'COMPLETED' ? sql<Date | null>`issue.completed_at` : sql<Date>`issue.created_at`
  const { changeHas, changeMayHave } = categories
  return {
    from: sql`(
      select h.issue_id, h.at, h.from_id, h.from_name, h.to_id, h.to_name, false as is_only from ${moves(selection)}
        and ${changeMayHave('to', category)}
      union all
      select issue.id, ${since}, null, null, null, null, true
      from ${closedFromTheStart(selection, categories, category, since)}) h`,
    issueId: sql`h.issue_id`,
    at: sql`h.at`,
    where: sql`(h.is_only or (${changeHas('to', category)} and not ${changeHas('from', category)}))`
  }
}

/** @param isProven undefined: no plugin keeps evidence */
export function ownMeasures(categories: Categories, isProven: CompletionProof | undefined): OwnMeasure[] {
  const { changeHas, changeMayHave } = categories
  const proven = isProven === undefined ? sql`` : sql`'proven', count(*) filter (where m.is_proven),`
  return [
    {
      name: 'filed',
      source: ({ workspaceId, span }) => ({
        from: sql`(
          select issue.id as issue_id, issue.created_at as at, issue.created_by_id as account_id from issue
          where issue.workspace_id = ${workspaceId} and ${isWithin(sql`issue.created_at`, span)}) filing`,
        issueId: sql`filing.issue_id`,
        at: sql`filing.at`,
        accountId: sql`filing.account_id`
      }),
      value: count
    },
    {
      name: 'completed',
      source: selection => ({
        ...closings(selection, categories, 'COMPLETED'),
        columns: {
          started_at: firstStarted(selection.workspaceId, categories),
          ...(isProven && { is_proven: isProven(selection.workspaceId) })
        }
      }),
      value: sql`json_build_object('count', count(*), ${proven} 'cycleTime', ${hours})`,
      ...(isProven && { subsets: { proven: sql<boolean>`m.is_proven` } })
    },
    { name: 'canceled', source: selection => closings(selection, categories, 'CANCELED'), value: count },
    {
      name: 'reopened',
      source: selection => ({
        from: sql`(select h.* from ${moves(selection)} and ${changeMayHave('from', 'COMPLETED', 'CANCELED')}) h`,
        issueId: sql`h.issue_id`,
        at: sql`h.at`,
        where: sql`${changeHas('from', 'COMPLETED', 'CANCELED')}
          and ${changeHas('to', 'TRIAGE', 'BACKLOG', 'UNSTARTED', 'STARTED')}`
      }),
      value: count
    },
    inProgress(categories)
  ]
}

/** Issues that were STARTED at the end of the span, or are now. */
const inProgress = (categories: Categories): OwnMeasure => ({
  name: 'inProgress',
  source: ({ workspaceId, until }) => ({
    from: sql`(
      select issue.id as issue_id, ${until}::timestamptz - interval '1 millisecond' as at from issue
      where issue.workspace_id = ${workspaceId} and issue.created_at < ${until}::timestamptz
        and issue.id in (
          select issue.id from issue where issue.workspace_id = ${workspaceId} and ${categories.issueHas('STARTED')}
          union
          select h.issue_id from issue_change h
          where h.workspace_id = ${workspaceId} and h.change = 'state' and h.at >= ${until}::timestamptz)
        and coalesce((
          select ${categories.changeHas('from', 'STARTED')} from issue_change h
          where h.workspace_id = ${workspaceId} and h.issue_id = issue.id and h.change = 'state'
            and h.at >= ${until}::timestamptz
          order by h.at, h.id limit 1), ${categories.issueHas('STARTED')})) work`,
    issueId: sql`work.issue_id`,
    at: sql`work.at`,
    columns: { started_at: firstStarted(workspaceId, categories) }
  }),
  value: sql`json_build_object('count', count(*), 'age', ${hours})`
})
