import { sql } from 'kysely'
import { Type } from 'typebox'
import { Closed } from '../../../core/api/schemas.ts'
import type { InsightMeasure } from '../../insights/contract.ts'

export const lapsedClaimsMeasure: InsightMeasure = {
  name: 'claimsLapsed',
  schema: Closed({ count: Type.Integer({ description: 'Claims of agents that were silent for too long.' }) }),
  source: (workspaceId, { from, to }) => ({
    from: sql`(
      select l.issue_id, l.at, l.holder_id from issue_claim_lapse l
      where l.workspace_id = ${workspaceId} and l.at >= ${from}::timestamptz and l.at < ${to}::timestamptz) lapse`,
    issueId: sql`lapse.issue_id`,
    at: sql`lapse.at`,
    accountId: sql`lapse.holder_id`
  }),
  value: sql`json_build_object('count', count(*))`
}
