import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { isSelectedStep, weekOf, type Selection } from './selection.ts'

export interface Week {
  id: string
  value: { count: number }
}

/** The number of issues that were STARTED at the end of each week, or at the end of the span. */
export async function readWeeksInProgress(db: Db, selection: Selection): Promise<Week[]> {
  const { span } = selection
  const until = sql`${selection.until}::timestamptz`
  // The stays are counted by the weeks of their first and their last day: weeks are few, stays many.
  const { rows } = await sql<Week>`
    with stay as (
      select ${weekOf(sql`s.at`)} as began,
        case when s.started_until >= ${until} then 'infinity' else ${weekOf(sql`s.started_until`)} end as ended,
        count(*) as n
      from insight_step s
      where ${isSelectedStep(selection)} and s.at < ${until}
        and s.started_until >= ${span.from}::timestamptz
      group by 1, 2)
    select week.monday::date::text as id, json_build_object('count', coalesce(sum(stay.n), 0)) as value
    from generate_series(date_trunc('week', ${span.from}::timestamptz at time zone 'UTC'),
      ${until} at time zone 'UTC', interval '7 days') as week (monday)
    left join stay on stay.began <= week.monday and stay.ended > week.monday
    where week.monday < ${until} at time zone 'UTC'
    group by week.monday`.execute(db)
  return rows
}
