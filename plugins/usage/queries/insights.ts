import { sql } from 'kysely'
import type { InsightMeasure } from '../../insights/contract.ts'
import { SumsOfReports } from '../schemas.ts'

/** By the time of the first report. */
export const usageMeasure: InsightMeasure = {
  name: 'usage',
  schema: SumsOfReports,
  hasOthers: true,
  source: (workspaceId, { from, to }) => ({
    from: sql`(
      select * from usage_report u
      where u.workspace_id = ${workspaceId}
        and u.created_at >= ${from}::timestamptz and u.created_at < ${to}::timestamptz) report`,
    issueId: sql`report.issue_id`,
    at: sql`report.created_at`,
    accountId: sql`report.account_id`,
    columns: Object.fromEntries(
      ['input_tokens', 'output_tokens', 'cached_tokens', 'cost_micros', 'is_estimated'].map(name => [
        name,
        sql.ref(`report.${name}`)
      ])
    )
  }),
  value: sql`json_build_object('inputTokens', coalesce(sum(m.input_tokens), 0),
    'outputTokens', coalesce(sum(m.output_tokens), 0), 'cachedTokens', coalesce(sum(m.cached_tokens), 0),
    'costUsd', sum(m.cost_micros) / 1000000.0, 'estimated', nullif(bool_or(m.is_estimated), false),
    'costUnknown', nullif(bool_or(m.cost_micros is null), false))`
}
