import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { onIssue } from './own-measures.ts'
import { isSelected, type Selection } from './selection.ts'
import type { Categories } from './states.ts'

export interface Week {
  /** Its Monday. */
  id: string
  value: { count: number }
}

/** The number of issues that were STARTED at the end of each week, or at the end of the span. */
export async function readWeeksInProgress(
  db: Db,
  selection: Selection,
  { changeHas, issueHas }: Categories
): Promise<Week[]> {
  const { workspaceId, span, until } = selection
  const selected = isSelected(selection)
  const { rows } = await sql<Week>`
    with change as materialized (
      select issue.created_at, h.at, ${changeHas('from', 'STARTED')} as was_started,
        ${changeHas('to', 'STARTED')} as is_started, lag(h.at) over later as before, lead(h.at) over later as next
      from issue_change h join issue on ${onIssue(workspaceId)} and ${selected}
      where h.workspace_id = ${workspaceId} and h.change = 'state' and h.at >= ${span.from}::timestamptz
      window later as (partition by h.issue_id order by h.at, h.id)),
    work as (
      select created_at as began, at as ended from change where before is null and was_started
      union all select at, next from change where is_started
      union all select issue.created_at, null from issue
        where ${selected} and ${issueHas('STARTED')} and not exists (
          select from issue_change h
          where h.workspace_id = ${workspaceId} and h.issue_id = issue.id and h.change = 'state'
            and h.at >= ${span.from}::timestamptz)),
    week as (
      select to_char(monday, 'YYYY-MM-DD') as id,
        least((monday + interval '7 days') at time zone 'UTC', ${until}::timestamptz) as ends_at
      from generate_series(date_trunc('week', ${span.from}::timestamptz at time zone 'UTC'),
        ${until}::timestamptz at time zone 'UTC', interval '7 days') monday
      where monday < ${until}::timestamptz at time zone 'UTC')
    select week.id, json_build_object('count', count(work.began)) as value
    from week left join work on work.began < week.ends_at and (work.ended is null or work.ended >= week.ends_at)
    group by week.id`.execute(db)
  return rows
}
