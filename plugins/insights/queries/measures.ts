import { sql, type RawBuilder } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'
import type { MeasureSource } from '../contract.ts'
import { stepsOf } from './own-measures.ts'
import { groupOf, isSelected, isSelectedStep, isWithin, type Selection } from './selection.ts'

const MAX_GROUPS = 1_000

export interface Measured {
  source: MeasureSource
  value: RawBuilder<object>
  /** The source has only selected issues. */
  isSelected: boolean
  /** Each issue counts once in the total, and once in each group. */
  isOfIssues: boolean
  hasOthers: boolean
}

export interface Value {
  kind: 'empty' | 'total' | 'group'
  group: string | null
  value: Record<string, unknown>
}

/** The rows `m` of a measure among the selected issues, with their groups. */
function rowsOf(selection: Selection, measured: Measured, isGrouped: boolean): RawBuilder<unknown> {
  const { source } = measured
  const columns = Object.entries(source.columns ?? {}).map(([name, value]) => sql`, ${value} as ${sql.id(name)}`)
  const group = isGrouped ? groupOf(selection, source) : undefined
  const { issues, issueId, conditions } = issuesOf(selection, measured)
  return sql`
    select ${issueId} as issue_id, ${source.at} as at
      ${group ? sql`, ${group.id} as "group", ${group.isGrouped} as "isGrouped"` : sql``} ${sql.join(columns, sql` `)}
    from ${source.from} ${issues} ${group?.joins ?? sql``}
    where ${sql.join([...conditions, source.where ?? sql`true`], sql` and `)}`
}

function issuesOf(selection: Selection, { source, isSelected: isDone, hasOthers }: Measured) {
  const { teamId, references } = selection
  if (isDone) return { issues: sql``, issueId: source.issueId, conditions: [] }
  const isAlone = hasOthers && teamId === undefined && references.length === 0
  return {
    issues: sql`
      ${isAlone ? sql`left join` : sql`join`} issue on issue.id = ${source.issueId} and ${isSelected(selection)}`,
    issueId: sql`issue.id`,
    conditions: isAlone ? [sql`(${source.issueId} is null or issue.id is not null)`] : []
  }
}

export async function readMeasure(db: Db, selection: Selection, measured: Measured): Promise<Value[]> {
  const { isOfIssues } = measured
  const value = sql`json_strip_nulls(${measured.value})`
  const lastOfEach = (rows: string, groups: RawBuilder<unknown>) =>
    isOfIssues
      ? sql`(select distinct on (${groups} issue_id) * from ${sql.ref(rows)} order by ${groups} issue_id, at desc)`
      : sql.ref(rows)
  // By label, a row is in several groups, but once in the total. Reading own rows twice is faster than keeping them.
  const isRepeated = selection.by === 'label' || (measured.isSelected && !isOfIssues)
  const { rows } = await sql<Value>`
    with happened as (${rowsOf(selection, measured, true)}),
    whole as not materialized (${isRepeated ? rowsOf(selection, measured, false) : sql`select * from happened`})
    (select 'empty' as kind, null as "group", ${value} as value from (select * from whole where false) m)
    union all (select 'total', null, ${value} from ${lastOfEach('whole', sql``)} m)
    union all (
      select 'group', m."group"::text, ${value} from ${lastOfEach('happened', sql`"group",`)} m
      where m."isGrouped" group by m."group" order by count(*) desc limit ${sql.lit(MAX_GROUPS)})`.execute(db)
  return rows
}

interface ListedIssue {
  id: Id
  key: string
  title: string
  at: Date
}

/** @param of.group undefined: all; null: issues in no group */
export async function listIssues(
  db: Db,
  selection: Selection,
  measured: Measured,
  { group, subset, limit }: { group: string | null | undefined; subset: RawBuilder<boolean> | undefined; limit: number }
): Promise<ListedIssue[]> {
  const { workspaceId } = selection
  // One row of each issue: one of the subset if there is one, else the last.
  const isChosen = measured.isOfIssues || subset === undefined ? sql`` : sql`${subset} desc,`
  const conditions = [
    sql`m.issue_id is not null`,
    ...(group === undefined ? [] : [sql`m."isGrouped" and m."group"::text is not distinct from ${group}`])
  ]
  const { rows } = await sql<ListedIssue>`
    with m as (
      select distinct on (m.issue_id) m.* from (${rowsOf(selection, measured, group !== undefined)}) m
      where ${sql.join(conditions, sql` and `)} order by m.issue_id, ${isChosen} m.at desc),
    last as materialized (
      select * from m where ${subset ?? sql`true`} order by m.at desc, m.issue_id desc limit ${limit})
    select issue.id, team.identifier || '-' || issue.number as key, issue.title, m.at
    from last m
    join issue on issue.workspace_id = ${workspaceId} and issue.id = m.issue_id
    join team on team.workspace_id = ${workspaceId} and team.id = issue.team_id
    order by m.at desc, issue.id desc`.execute(db)
  return rows
}

export interface TimeInState {
  stateId: Id | null
  stateName: string | null
  teamId: Id
  /** The sum of all issues. */
  hours: number
  issues: number
  /** All issues of the measure, including those that were never in the state. */
  ofIssues: number
}

const STAY = sql`s.team_id, s.from_state_id, s.from_state_name, s.seconds, s.is_first`
/** The time in each state of the issues completed in the span, until their last completion in it. */
export async function readTimeInStates(db: Db, selection: Selection): Promise<TimeInState[]> {
  const { workspaceId, span } = selection
  const { rows } = await sql<TimeInState>`
    with completed as materialized (
      select count(*) filter (where s.completed_before is null) as n,
        array_agg(s.issue_id) filter (where s.completed_before < ${span.from}::timestamptz) as again
      from ${stepsOf(selection, 'completed')}),
    before as materialized (
      select s.issue_id, ${STAY} from insight_step s
      where s.workspace_id = ${workspaceId} and s.issue_id = any((select again from completed)::uuid[])
        and s.closes_at < ${span.from}::timestamptz),
    stay as (
      select ${STAY} from insight_step s where ${isSelectedStep(selection)} and ${isWithin(sql`s.closes_at`, span)}
      union all select ${STAY} from before s)
    select from_state_id as "stateId", from_state_name as "stateName", team_id as "teamId",
      sum(seconds) / 3600 as hours, (count(*) filter (where is_first))::int as issues,
      ((select n from completed) + (select count(distinct issue_id) from before))::int as "ofIssues"
    from stay group by 1, 2, 3`.execute(db)
  return rows
}

export async function listLabels(db: Db, workspaceId: Id): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from label where workspace_id = ${workspaceId} and deleted_at is null`.execute(db)
  return rows.map(({ id }) => id)
}

export type NamedGroups = ReadonlyMap<string, { name: string; kind?: 'PERSON' | 'AGENT' }>
export async function namesOfGroups(
  db: Db,
  workspaceId: Id,
  of: 'account' | 'label',
  ids: readonly string[]
): Promise<NamedGroups> {
  const columns = of === 'account' ? sql`fullname as name, kind` : sql`name`
  const { rows } = await sql<{ id: Id; name: string; kind?: 'PERSON' | 'AGENT' }>`
    select id, ${columns} from ${sql.table(of)}
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...named }) => [id, named]))
}

export async function findReferred(
  db: Db,
  workspaceId: Id,
  { table, name }: { table: string; name: string },
  ref: string
): Promise<Id | undefined> {
  const { rows } = await sql<{ id: Id }>`
    select id from ${sql.table(table)} where workspace_id = ${workspaceId} and deleted_at is null
      and (id::text = lower(${ref}) or lower(${sql.id(name)}) = lower(${ref}))
    order by id::text = lower(${ref}) desc, created_at limit 1`.execute(db)
  return rows[0]?.id
}
