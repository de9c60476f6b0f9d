import { sql, type RawBuilder } from 'kysely'
import { Type } from 'typebox'
import { Closed } from '../../../core/api/schemas.ts'
import type { MeasureSource } from '../contract.ts'
import { isByAccount, isSelectedStep, isWithin, type Selection } from './selection.ts'

interface OwnMeasure {
  name: string
  source(selection: Selection): MeasureSource
  /** An issue may have several rows: it counts once in the total and once in each group, by its last row there. */
  isOfIssues: boolean
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
/** Issues that were STARTED only later, such as after they were reopened, have no hours. */
const percentile = (fraction: number) => sql`
  round((percentile_cont(${sql.lit(fraction)}) within group (order by date_part('epoch', m.at - m.started_at) / 3600)
    filter (where m.started_at <= m.at))::numeric, 2)`
/** Percentiles of the hours since the issues of the rows `m` were first STARTED, as a JSON object. */
const hours = sql`json_build_object('p50Hours', ${percentile(0.5)}, 'p85Hours', ${percentile(0.85)})`

const startedAt = { started_at: sql`s.started_at` }

/** The selected steps `s` of the span that count as a figure. */
export const stepsOf = (selection: Selection, figure: string) => sql`
  insight_step s where ${isSelectedStep(selection)} and s.figure = ${figure} and ${isWithin(sql`s.at`, selection.span)}`

const steps = (name: string, columns: MeasureSource['columns'] = {}) => ({
  name,
  isOfIssues: true,
  source: (selection: Selection): MeasureSource => ({
    from: sql`(select * from ${stepsOf(selection, name)}) s`,
    issueId: sql`s.issue_id`,
    at: sql`s.at`,
    accountId: sql`s.account_id`,
    columns
  })
})

export function ownMeasures(hasProofs: boolean): OwnMeasure[] {
  const proven = hasProofs ? sql`'proven', count(*) filter (where m.is_proven),` : sql``
  return [
    { ...steps('filed'), value: count, isOfIssues: false },
    {
      ...steps('completed', { ...startedAt, is_proven: sql`s.is_proven` }),
      value: sql`json_build_object('count', count(*), ${proven} 'cycleTime', ${hours})`,
      ...(hasProofs && { subsets: { proven: sql<boolean>`m.is_proven` } })
    },
    { ...steps('canceled'), value: count },
    { ...steps('reopened'), value: count },
    inProgress
  ]
}

const joinIssue = ({ workspaceId }: Selection) =>
  sql`join issue on issue.workspace_id = ${workspaceId} and issue.id = s.issue_id`

const inProgress: OwnMeasure = {
  name: 'inProgress',
  isOfIssues: false,
  source: selection => ({
    from: sql`(
      select s.issue_id, s.started_at, ${selection.until}::timestamptz - interval '1 millisecond' as at
      from insight_step s
      where ${isSelectedStep(selection)} and s.at < ${selection.until}::timestamptz
        and s.started_until >= ${selection.until}::timestamptz) s
      ${isByAccount(selection) ? joinIssue(selection) : sql``}`,
    issueId: sql`s.issue_id`,
    at: sql`s.at`,
    columns: startedAt
  }),
  value: sql`json_build_object('count', count(*), 'age', ${hours})`
}
