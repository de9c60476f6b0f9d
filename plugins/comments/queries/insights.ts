import { sql } from 'kysely'
import { Type } from 'typebox'
import { Closed } from '../../../core/api/schemas.ts'
import type { InsightMeasure } from '../../insights/contract.ts'

const percentile = (fraction: number) => sql`
  round((percentile_cont(${sql.lit(fraction)}) within group (
    order by extract(epoch from m.closed_at - m.at) / 3600.0) filter (where m.status = 'ANSWERED'))::numeric, 2)`
const Hours = Type.Optional(Type.Number({ description: 'Until a question was answered; absent: none was.' }))

export const questionsMeasure: InsightMeasure = {
  name: 'questions',
  schema: Closed({
    count: Type.Integer({ description: 'Questions that were asked.' }),
    answered: Type.Integer({ description: 'Those that have an answer by now.' }),
    open: Type.Integer({ description: 'Those that still wait for one.' }),
    p50Hours: Hours,
    p85Hours: Hours
  }),
  source: (workspaceId, { from, to }) => ({
    from: sql`(
      select q.issue_id, c.created_at as at, q.asked_by_id, q.status, q.closed_at from comment_question q
      join comment c on c.workspace_id = ${workspaceId} and c.id = q.comment_id and c.deleted_at is null
      where q.workspace_id = ${workspaceId}
        and c.created_at >= ${from}::timestamptz and c.created_at < ${to}::timestamptz) question`,
    issueId: sql`question.issue_id`,
    at: sql`question.at`,
    accountId: sql`question.asked_by_id`,
    columns: { status: sql`question.status`, closed_at: sql`question.closed_at` }
  }),
  value: sql`json_build_object('count', count(*), 'answered', count(*) filter (where m.status = 'ANSWERED'),
    'open', count(*) filter (where m.status = 'OPEN'), 'p50Hours', ${percentile(0.5)},
    'p85Hours', ${percentile(0.85)})`,
  subsets: { answered: sql<boolean>`m.status = 'ANSWERED'`, open: sql<boolean>`m.status = 'OPEN'` }
}
