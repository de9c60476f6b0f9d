import { sql } from 'kysely'
import { problem } from '../../core/contract.ts'
import type { Id } from '../../core/db/tables.ts'
import type { IssueRef } from '../issues/contract.ts'
import type { Db } from './context.ts'

export interface NotReady {
  code: 'CLOSED' | 'STARTED_BY_SOMEONE_ELSE' | 'NO_DESCRIPTION' | 'NO_CRITERION' | 'BLOCKED' | 'ACTIVE_RUN'
  message: string
}

/** Why an issue cannot be handed to `agentId` now; empty when it can. `runId` is the run that asks. */
export async function reasonsAgainst(
  db: Db,
  workspaceId: Id,
  issue: IssueRef,
  agentId: Id | null,
  runId: Id | null = null
): Promise<NotReady[]> {
  const {
    rows: [row]
  } = await sql<{
    category: string
    state: string
    holder: string | null
    described: boolean
    criteria: number
    blockers: string | null
    run: Id | null
  }>`
    select s.category, s.name as state, case when a.id is distinct from ${agentId}::uuid then a.fullname end as holder,
      i.described, i.criteria_total as criteria,
      (select string_agg(bt.identifier || '-' || b.number, ', ' order by bt.identifier, b.number)
        from issue_relation r
        join issue b on b.workspace_id = r.workspace_id and b.id = r.issue_id and b.deleted_at is null
        join team bt on bt.workspace_id = b.workspace_id and bt.id = b.team_id
        join workflow_state bs on bs.workspace_id = b.workspace_id and bs.id = b.state_id and bs.category not in ('COMPLETED', 'CANCELED')
        where r.workspace_id = i.workspace_id and r.related_issue_id = i.id and r.type = 'BLOCKS' and r.deleted_at is null) as blockers,
      (select run.id from agent_run run where run.workspace_id = i.workspace_id and run.issue_id = i.id and run.status in ('QUEUED', 'RUNNING') and run.id is distinct from ${runId}::uuid) as run
    from issue i
    join workflow_state s on s.workspace_id = i.workspace_id and s.id = i.state_id
    left join account a on a.workspace_id = i.workspace_id and a.id = i.assignee_id
    where i.workspace_id = ${workspaceId} and i.id = ${issue.id}`.execute(db)
  const { category, state, holder, described, criteria, blockers, run } = row!
  const reasons: NotReady[] = []
  if (category === 'COMPLETED' || category === 'CANCELED') {
    reasons.push({ code: 'CLOSED', message: `${issue.key} is closed (${state}): reopen it first.` })
  }
  if (category === 'STARTED' && holder !== null) {
    reasons.push({
      code: 'STARTED_BY_SOMEONE_ELSE',
      message: `${holder} works on ${issue.key}: ask them to hand it back.`
    })
  }
  if (!described) {
    reasons.push({
      code: 'NO_DESCRIPTION',
      message: `${issue.key} has no real description: write what is wanted and why.`
    })
  }
  if (criteria === 0) {
    reasons.push({
      code: 'NO_CRITERION',
      message: `${issue.key} has no acceptance criterion: add a checklist ("- [ ] …") to its description.`
    })
  }
  if (blockers !== null) {
    reasons.push({ code: 'BLOCKED', message: `${issue.key} is blocked by ${blockers}: finish that first.` })
  }
  if (run !== null) reasons.push(activeRun(issue.key))
  return reasons
}

export const activeRun = (key: string): NotReady => ({
  code: 'ACTIVE_RUN',
  message: `${key} has an active run: wait for its end, or cancel it.`
})

export const notReadyProblem = problem<{ reasons: readonly NotReady[] }>(409, 'NOT_READY')
export const notConfigured = problem(409, 'NOT_CONFIGURED')

export const notReady = (key: string, reasons: readonly NotReady[]) =>
  notReadyProblem(`${key} is not ready to be delegated. ${reasons.map(r => r.message).join(' ')}`, { reasons })
