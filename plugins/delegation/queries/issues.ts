import { sql } from 'kysely'
import { Type } from 'typebox'
import { hasRow, iso, jsonRow } from '../../../core/api/database/queries.ts'
import type { Id, WorkspaceId } from '../../../core/api/database/types.ts'
import type { IssueFilter, RowSection } from '../../issues/contract.ts'
import type { Db } from '../context.ts'
import { RUN_STATUSES } from '../contract.ts'
import { isActive } from './runs.ts'

export async function listWithActiveRun(db: Db, workspaceId: Id, issueIds: readonly Id[]): Promise<Id[]> {
  const rows = await db
    .selectFrom('agentRun')
    .select('issueId')
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', sql<Id>`any(${issueIds}::uuid[])`)
    .where(isActive('status'))
    .execute()
  return rows.map(({ issueId }) => issueId)
}

/** The data that decides whether an issue's run ends: deletion, state and assignee, and their authors. */
export const issueOutlook = (db: Db, workspaceId: Id, issueId: Id) =>
  db
    .selectFrom('issue as i')
    .innerJoin('workflowState as s', join => join.on('s.workspaceId', '=', workspaceId).onRef('s.id', '=', 'i.stateId'))
    .select(({ selectFrom, eb }) => {
      const lastActor = (change: 'state' | 'assignee') =>
        selectFrom('issueChange as c')
          .select('c.actorId')
          .where('c.workspaceId', '=', workspaceId)
          .where('c.issueId', '=', issueId)
          .where('c.change', '=', change)
          .orderBy('c.at', 'desc')
          .orderBy('c.id', 'desc')
          .limit(1)
      return [
        eb('i.deletedAt', 'is not', null).as('deleted'),
        's.category',
        'i.assigneeId',
        lastActor('state').as('stateById'),
        lastActor('assignee').as('assigneeById')
      ]
    })
    .where('i.workspaceId', '=', workspaceId)
    .where('i.id', '=', issueId)
    .executeTakeFirst()

// Raw, because they are parts of other plugins' statements, whose row `issue` is in none of the types here.

export const activeRunJson = (workspaceId: WorkspaceId) =>
  jsonRow(sql`
  select run.id, run.status, run.attempt, account.fullname as "requestedBy", ${iso('run.created_at')} as "createdAt"
  from agent_run run join account on account.workspace_id = run.workspace_id and account.id = run.requested_by_id
  where run.workspace_id = ${workspaceId} and run.issue_id = issue.id and ${isActive('run.status')}`)

export const lastRunStatus: RowSection = {
  name: 'runStatus',
  schema: Type.Enum([...RUN_STATUSES]),
  json: workspaceId => sql`(
    select run.status from agent_run run
    where run.workspace_id = ${workspaceId} and run.issue_id = issue.id order by run.id desc limit 1)`,
  views: ['board']
}

export const runFilter: IssueFilter = {
  key: 'run',
  values: RUN_STATUSES,
  issueIds: ({ workspaceId }, statuses) => sql`
    select run.issue_id from agent_run run
    where run.workspace_id = ${workspaceId}
      ${statuses ? sql`and run.status = any(${statuses}::text[])` : sql``}
      and not exists (
        select from agent_run later
        where later.workspace_id = ${workspaceId} and later.issue_id = run.issue_id and later.id > run.id)`
}

export const hadAutomaticRun = (workspaceId: Id, agentId: Id) =>
  hasRow(sql`
  agent_run run
  where run.workspace_id = ${workspaceId} and run.issue_id = issue.id and run.requested_by_id = ${agentId}`)

export const hasRun = (workspaceId: WorkspaceId) =>
  hasRow(sql`
  agent_run run
  where run.workspace_id = ${workspaceId} and run.issue_id = issue.id and ${isActive('run.status')}`)

export const hasUnreviewedRun = (workspaceId: WorkspaceId) =>
  hasRow(sql`
  agent_run run where run.workspace_id = ${workspaceId} and run.issue_id = issue.id
    and run.result_at is not null and run.review is null and run.status = 'SUCCEEDED'`)
