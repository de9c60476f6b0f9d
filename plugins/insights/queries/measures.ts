import { sql, type RawBuilder } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'
import type { MeasureSource } from '../contract.ts'
import { groupOf, isSelected, type Selection } from './selection.ts'

/** The most groups of a measure. */
const MAX_GROUPS = 1_000

/** A measure with the source that a selection has. */
export interface Measured {
  source: MeasureSource
  value: RawBuilder<object>
  /** Each issue counts once in the total, and once in each group. */
  isOfIssues: boolean
  /** Rows may belong to no issue. */
  hasOthers: boolean
}

/** A value of a measure: of nothing, of all groups together, or of one. */
export interface Value {
  kind: 'empty' | 'total' | 'group'
  group: string | null
  value: Record<string, unknown>
}

/** The rows `m` that a measure has found among the selected issues, with their groups. */
function rowsOf(selection: Selection, { source, hasOthers }: Measured, isGrouped: boolean): RawBuilder<unknown> {
  const { teamId, references } = selection
  const columns = Object.entries(source.columns ?? {}).map(([name, value]) => sql`, ${value} as ${sql.id(name)}`)
  const group = isGrouped ? groupOf(selection, source) : undefined
  const isAlone = hasOthers && teamId === undefined && references.length === 0
  const conditions = [
    ...(isAlone ? [sql`(${source.issueId} is null or issue.id is not null)`] : []),
    source.where ?? sql`true`
  ]
  return sql`
    select issue.id as issue_id, ${source.at} as at
      ${group ? sql`, ${group.id} as "group", ${group.isGrouped} as "isGrouped"` : sql``} ${sql.join(columns, sql` `)}
    from ${source.from}
    ${isAlone ? sql`left join` : sql`join`} issue on issue.id = ${source.issueId} and ${isSelected(selection)}
    ${group?.joins ?? sql``}
    where ${sql.join(conditions, sql` and `)}`
}

/** The values of a measure: of nothing, of all together, and of the groups in which there is something. */
export async function readMeasure(db: Db, selection: Selection, measured: Measured): Promise<Value[]> {
  const { isOfIssues, value } = measured
  const lastOfEach = (rows: string, groups: RawBuilder<unknown>) =>
    isOfIssues
      ? sql`(select distinct on (${groups} issue_id) * from ${sql.ref(rows)} order by ${groups} issue_id, at desc)`
      : sql.ref(rows)
  // By label, a row is in several groups: where each issue counts once, these are one again.
  const isRepeated = selection.by === 'label' && !isOfIssues
  const { rows } = await sql<Value>`
    with happened as materialized (${rowsOf(selection, measured, true)}),
    whole as (${isRepeated ? rowsOf(selection, measured, false) : sql`select * from happened`})
    (select 'empty' as kind, null as "group", ${value} as value from (select * from whole where false) m)
    union all (select 'total', null, ${value} from ${lastOfEach('whole', sql``)} m)
    union all (
      select 'group', m."group", ${value} from ${lastOfEach('happened', sql`"group",`)} m
      where m."isGrouped" group by m."group" order by count(*) desc limit ${sql.lit(MAX_GROUPS)})`.execute(db)
  return rows.map(row => ({ ...row, value: withoutNulls(row.value) }))
}

function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      if (field === null) return []
      return [[name, isRecord(field) ? withoutNulls(field) : field]]
    })
  )
}
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export interface ListedIssue {
  id: Id
  key: string
  title: string
  at: Date
}

/** The issues of a measure, the last first. @param of.group undefined: all; null: those of no group */
export async function listIssues(
  db: Db,
  selection: Selection,
  measured: Measured,
  { group, subset, limit }: { group: string | null | undefined; subset: RawBuilder<boolean> | undefined; limit: number }
): Promise<ListedIssue[]> {
  const { workspaceId } = selection
  // Of several rows of an issue, one of the subset; else the last one.
  const isChosen = measured.isOfIssues || subset === undefined ? sql`` : sql`${subset} desc,`
  const conditions = [
    sql`m.issue_id is not null`,
    ...(group === undefined ? [] : [sql`m."isGrouped" and m."group" is not distinct from ${group}`])
  ]
  const { rows } = await sql<ListedIssue>`
    with m as (
      select distinct on (m.issue_id) m.* from (${rowsOf(selection, measured, group !== undefined)}) m
      where ${sql.join(conditions, sql` and `)} order by m.issue_id, ${isChosen} m.at desc)
    select issue.id, team.identifier || '-' || issue.number as key, issue.title, m.at
    from m
    join issue on issue.workspace_id = ${workspaceId} and issue.id = m.issue_id
    join team on team.workspace_id = ${workspaceId} and team.id = issue.team_id
    where ${subset ?? sql`true`}
    order by m.at desc, issue.id desc limit ${limit}`.execute(db)
  return rows
}

export interface TimeInState {
  stateId: Id | null
  stateName: string | null
  teamId: Id
  /** Of all issues together. */
  hours: number
  issues: number
  /** All issues of the measure, those too that were never in the state. */
  ofIssues: number
}

/** How long the issues of a measure were in each state before they came to it. */
export async function readTimeInStates(db: Db, selection: Selection, completed: Measured): Promise<TimeInState[]> {
  const { workspaceId } = selection
  const rest = { ...completed, source: { ...completed.source, columns: {} } }
  const { rows } = await sql<TimeInState>`
    with ended as materialized (
      select distinct on (issue_id) issue_id, at from (${rowsOf(selection, rest, false)}) m order by issue_id, at desc)
    select state_id as "stateId", state_name as "stateName", team_id as "teamId",
      (sum(extract(epoch from at - since)) / 3600)::float8 as hours, count(distinct issue_id)::int as issues,
      (select count(*) from ended)::int as "ofIssues"
    from (
      select issue.id as issue_id, issue.team_id, h.from_id as state_id,
        case when h.from_id is null then h.from_name end as state_name, h.at,
        coalesce(lag(h.at) over (partition by h.issue_id order by h.at, h.id), least(issue.created_at, h.at)) as since
      from ended
      join issue on issue.workspace_id = ${workspaceId} and issue.id = ended.issue_id
      join issue_change h on h.workspace_id = ${workspaceId} and h.issue_id = ended.issue_id and h.change = 'state'
        and h.at <= ended.at) stay
    group by 1, 2, 3`.execute(db)
  return rows
}

export type NamedGroups = ReadonlyMap<string, { name: string; kind?: 'PERSON' | 'AGENT' }>
/** The names of groups, by id. */
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

/** The id of what a field of issues refers to, by its id or name, in any case. */
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
