import { sql, type RawBuilder } from 'kysely'
import { daysBefore } from '../../../lib/util/days.ts'
import { iso, jsonRow, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Principal } from '../../../core/api/contract.ts'
import type { WorkspaceId } from '../../../core/api/database/types.ts'
import type { LostIssue } from '../../hooks/contract.ts'
import type { AbandonedWork, IssueFilter } from '../../issues/contract.ts'
import type { Db } from '../context.ts'
import { LOST_DAYS } from './claims.ts'

const whereIssue = (workspaceId: WorkspaceId) => sql`
  c.workspace_id = ${workspaceId} and c.issue_id = issue.id and c.ended_at is null`

/* Expressions over the row `issue`; null when it has no claim. */

export const claimJson = (workspaceId: WorkspaceId) =>
  jsonRow(sql`
  select ${jsonRow(sql`
      select a.id, a.fullname from account a
      where a.workspace_id = ${workspaceId} and a.id = c.holder_id`)} as holder,
    c.session, ${iso('c.since')} as since, ${iso('c.expires_at')} as "expiresAt", c.fence
  from issue_claim c where ${whereIssue(workspaceId)}`)

export const claimOfRow = (workspaceId: WorkspaceId) =>
  jsonRow(sql`
  select c.holder_id as "holderId", ${iso('c.expires_at')} as "expiresAt"
  from issue_claim c where ${whereIssue(workspaceId)}`)

export const lapsedWork: AbandonedWork = {
  condition: (workspaceId, at) => sql`exists (
    select from issue_claim c where ${whereIssue(workspaceId)} and c.expires_at <= ${at})`,
  ids: (workspaceId, at) => sql`
    select c.issue_id as id from issue_claim c
    where c.workspace_id = ${workspaceId} and c.ended_at is null and c.expires_at <= ${at}`
}

export const claimFilter: IssueFilter = {
  key: 'claim',
  values: 'people',
  issueIds: ({ workspaceId, at }, holderIds) => sql`
    select c.issue_id from issue_claim c
    where c.workspace_id = ${workspaceId} and c.ended_at is null and (c.expires_at <= ${at}) is not true
      ${holderIds ? sql`and c.holder_id = any(${holderIds}::uuid[])` : sql``}`
}

export const isOfOtherSession = (workspaceId: WorkspaceId, session: RawBuilder<string>, at: RawBuilder<Date>) =>
  sql<boolean>`exists (
    select from issue_claim c
    where ${whereIssue(workspaceId)} and c.session <> ${session} and (c.expires_at <= ${at}) is not true)`

export const listLostIssues = (
  db: Db,
  { workspaceId, accountId, session = '' }: Principal,
  at: Date,
  limit: number
): Promise<LostIssue[]> =>
  db
    .selectFrom('issueLostClaim as lost')
    .innerJoin('issue', join => join.on(notDeletedIn(workspaceId, 'issue')).onRef('issue.id', '=', 'lost.issueId'))
    .innerJoin('workflowState as state', join =>
      join
        .on('state.workspaceId', '=', workspaceId)
        .onRef('state.id', '=', 'issue.stateId')
        .on('state.category', 'not in', ['COMPLETED', 'CANCELED'])
    )
    .innerJoin('team', join => join.on('team.workspaceId', '=', workspaceId).onRef('team.id', '=', 'issue.teamId'))
    .innerJoin('issueClaim as claim', join =>
      join.on('claim.workspaceId', '=', workspaceId).onRef('claim.issueId', '=', 'lost.issueId')
    )
    .innerJoin('account as holder', join =>
      join.on('holder.workspaceId', '=', workspaceId).onRef('holder.id', '=', 'claim.holderId')
    )
    .select([sql<string>`team.identifier || '-' || issue.number`.as('key'), 'holder.fullname as holder'])
    .where('lost.workspaceId', '=', workspaceId)
    .where('lost.accountId', '=', accountId)
    .where('lost.session', 'in', ['', session])
    .where('lost.lostAt', '>', daysBefore(at, LOST_DAYS))
    .where(eb => eb.or([eb('claim.holderId', '<>', accountId), eb('claim.session', 'is distinct from', session)]))
    .orderBy('lost.lostAt', 'desc')
    .limit(limit)
    .execute()
