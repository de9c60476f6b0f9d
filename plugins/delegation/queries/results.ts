import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'
import type { REVIEWS } from '../contract.ts'
import type { RunName } from './runs.ts'

export interface ResultLink {
  branch: string | null
  url: string | null
}

export const setResult = (trx: Trx, { workspaceId, id }: RunName, { branch, url }: ResultLink, at: Date) =>
  trx
    .updateTable('agentRun')
    .set({ resultBranch: branch, resultUrl: url, resultAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()

export const setReview = (
  trx: Trx,
  { workspaceId, id }: RunName,
  review: { review: (typeof REVIEWS)[number]; reviewedById: Id; reviewedAt: Date }
) => trx.updateTable('agentRun').set(review).where('workspaceId', '=', workspaceId).where('id', '=', id).execute()

export async function statesToReturn(trx: Trx, workspaceId: Id, issueId: Id) {
  // Raw: tables of other plugins.
  const { rows } = await sql<{ category: string; toDoId: Id | null }>`
    select state.category, (
      select s.id from workflow_state s
      where s.workspace_id = ${workspaceId} and s.team_id = issue.team_id and s.deleted_at is null
        and s.category in ('UNSTARTED', 'BACKLOG')
      order by s.category = 'UNSTARTED' desc, s.position, s.id limit 1) as to_do_id
    from issue join workflow_state state on state.workspace_id = ${workspaceId} and state.id = issue.state_id
    where issue.workspace_id = ${workspaceId} and issue.id = ${issueId}`.execute(trx)
  return rows[0]!
}
