import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'
import { isActive, type RunName } from './runs.ts'

export interface EndedRun extends RunName {
  issueId: Id
  agentId: Id
  tokenId: Id | null
  startedAt: Date | null
  resumedAt: Date | null
}

/** An open issue that is assigned to a run's agent, or that the run has moved. */
interface HeldIssue {
  id: Id
  state: string
  isAssigned: boolean
  /** The state before the run, unless the agent or another account has chosen the present one since. */
  stateBefore: { id: Id; name: string } | null
}

const treeOf = (workspaceId: Id, issueId: Id) => sql`
  recursive tree as (
    select id from issue where workspace_id = ${workspaceId} and id = ${issueId} and deleted_at is null
    union
    select i.id from issue i join tree on i.parent_id = tree.id
    where i.workspace_id = ${workspaceId} and i.deleted_at is null)`

/** In the order of their ids, so that a run on the issue can release them. */
export async function lockTree(trx: Trx, workspaceId: Id, issueId: Id): Promise<void> {
  // Raw: both statements share the recursive tree.
  await sql`with ${treeOf(workspaceId, issueId)}
    select i.id from issue i
    where i.workspace_id = ${workspaceId} and i.id in (select id from tree)
    order by i.id for no key update`.execute(trx)
}

export async function listHeld(trx: Trx, run: EndedRun, since: Date): Promise<HeldIssue[]> {
  const { workspaceId, issueId, agentId } = run
  // Raw: dependent common table expressions, and the tree.
  const { rows } = await sql<HeldIssue>`with ${treeOf(workspaceId, issueId)},
    run_token as (
      select id from token
      where workspace_id = ${workspaceId} and account_id = ${agentId} and confined_to ->> 'runId' = ${run.id}),
    change as (
      select c.*, c.token_id is not null and c.token_id in (select id from run_token) as is_own
      from issue_change c
      where c.workspace_id = ${workspaceId} and c.issue_id in (select id from tree)
        and c.change in ('state', 'assignee') and c.at >= ${since}),
    moved as (
      select distinct on (issue_id) issue_id, from_name, to_name from change
      where change = 'state' and is_own order by issue_id, at, id)
    select i.id, s.name as state, i.assignee_id is not null as is_assigned,
      (select json_build_object('id', b.id, 'name', b.name) from workflow_state b
        where b.workspace_id = ${workspaceId} and b.team_id = i.team_id and b.deleted_at is null
          and b.name = moved.from_name and s.name = moved.to_name
          and not exists (select from change c where c.issue_id = i.id and c.change = 'state' and not c.is_own)
        limit 1) as state_before
    from issue i
    join workflow_state s on s.workspace_id = ${workspaceId} and s.id = i.state_id
    left join moved on moved.issue_id = i.id
    where i.workspace_id = ${workspaceId} and i.id in (select id from tree)
      and s.category not in ('COMPLETED', 'CANCELED')
      and (i.assignee_id = ${agentId} or i.assignee_id is null)
      and not exists (select from change c where c.issue_id = i.id and c.change = 'assignee' and not c.is_own)
      and (i.id = ${issueId}
        or (i.created_by_id = ${agentId} and i.created_at >= ${since})
        or exists (select from change c where c.issue_id = i.id and c.change = 'assignee' and c.is_own))
      and not exists (
        select from agent_run other where other.workspace_id = ${workspaceId} and other.issue_id = i.id
          and other.id <> ${run.id} and ${isActive('other.status')})
    order by i.id`.execute(trx)
  return rows
}

export async function nameOfAccount(trx: Trx, workspaceId: Id, id: Id): Promise<string> {
  const { fullname } = await trx
    .selectFrom('account')
    .select('fullname')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return fullname
}
