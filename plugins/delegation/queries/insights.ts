import { sql } from 'kysely'
import { Type } from 'typebox'
import { Closed } from '../../../core/api/schemas.ts'
import type { InsightMeasure } from '../../insights/contract.ts'

export const runsMeasure: InsightMeasure = {
  name: 'runs',
  schema: Closed({
    count: Type.Integer({ description: 'Runs that were requested.' }),
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    canceled: Type.Integer()
  }),
  source: (workspaceId, { from, to }) => ({
    from: sql`(
      select r.issue_id, r.created_at as at, r.agent_id, r.status from agent_run r
      where r.workspace_id = ${workspaceId}
        and r.created_at >= ${from}::timestamptz and r.created_at < ${to}::timestamptz) run`,
    issueId: sql`run.issue_id`,
    at: sql`run.at`,
    accountId: sql`run.agent_id`,
    columns: { status: sql`run.status` }
  }),
  value: sql`json_build_object('count', count(*), 'succeeded', count(*) filter (where m.status = 'SUCCEEDED'),
    'failed', count(*) filter (where m.status = 'FAILED'), 'canceled', count(*) filter (where m.status = 'CANCELED'))`,
  subsets: {
    succeeded: sql<boolean>`m.status = 'SUCCEEDED'`,
    failed: sql<boolean>`m.status = 'FAILED'`,
    canceled: sql<boolean>`m.status = 'CANCELED'`
  }
}
