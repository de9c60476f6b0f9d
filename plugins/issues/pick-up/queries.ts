import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import { isAssigneeRemoved } from '../queries/filter/conditions.ts'
import type { State } from '../queries/read/lookup.ts'
import type { Trx } from '../context.ts'

export async function hasRemovedAssignee(trx: Trx, workspaceId: Id, issueId: Id): Promise<boolean> {
  const { isRemoved } = await trx
    .selectFrom('issue')
    .select(isAssigneeRemoved(workspaceId).as('isRemoved'))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', issueId)
    .executeTakeFirstOrThrow()
  return isRemoved
}

/** The state that an issue left last of those from which it can be begun, or else the first that is to do. */
export async function stateBeforeStart(trx: Trx, workspaceId: Id, issueId: Id, teamId: Id): Promise<State | undefined> {
  // Raw: its order is made of conditions.
  const { rows } = await sql<State>`
    select s.id, s.name, s.category from workflow_state s
    where s.workspace_id = ${workspaceId} and s.team_id = ${teamId} and s.deleted_at is null
      and s.category in ('UNSTARTED', 'BACKLOG')
    order by (
        select max(h.at) from issue_change h
        where h.workspace_id = ${workspaceId} and h.issue_id = ${issueId} and h.change = 'state'
          and h.from_name = s.name) desc nulls last,
      s.category = 'UNSTARTED' desc, s.position, s.id limit 1`.execute(trx)
  return rows[0]
}
