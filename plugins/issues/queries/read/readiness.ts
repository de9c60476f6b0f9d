import { sql, type RawBuilder } from 'kysely'
import { hasRow, jsonObject } from '../../../../core/api/database/queries.ts'
import type { Id, Reader, WorkspaceId } from '../../../../core/api/database/types.ts'
import { notFound } from '../../../../core/api/errors.ts'
import type { Ctx } from '../../context.ts'
import {
  abandonedWork,
  readyReasons,
  type AbandonedWork,
  type IssuesDatabase,
  type NotReady,
  type ReadinessCaller,
  type ReadyReason
} from '../../contract.ts'
import { isAssigneeRemoved, isBlocked, isOpenState, openBlockers, withTeam } from '../filter/conditions.ts'

/*
 * Why an issue cannot be begun, defined once: the filter `isReady` and refusals use the same reasons, including those
 * of other plugins. Their raw SQL uses the rows `issue` and `state`, its workflow state.
 */

const keyOf = (issue: string, team: string) =>
  sql`${sql.ref(`${team}.identifier`)} || '-' || ${sql.ref(`${issue}.number`)}`

const openSubIssues = (workspaceId: WorkspaceId, named = sql``) => sql`
  issue o
  join workflow_state os on os.workspace_id = o.workspace_id and os.id = o.state_id
    and ${isOpenState('os')}
  ${named}
  where o.workspace_id = ${workspaceId} and o.parent_id = issue.id and o.deleted_at is null`
const keysOf = (issues: RawBuilder<unknown>) =>
  sql<string>`(select string_agg(${keyOf('o', 't')}, ', ' order by t.identifier, o.number) from ${issues})`
const assignee = (workspaceId: WorkspaceId) => sql<string>`(
  select a.fullname from account a where a.workspace_id = ${workspaceId} and a.id = issue.assignee_id)`

/** True if anybody may take the row `issue`, which is in progress. */
export const isAbandoned = (workspaceId: WorkspaceId, at: RawBuilder<Date>, abandoned: readonly AbandonedWork[]) =>
  sql<boolean>`(${sql.join(
    [...abandoned.map(({ condition }) => condition(workspaceId, at)), isAssigneeRemoved(workspaceId)],
    sql` or `
  )})`

const ownReasons = (abandoned: readonly AbandonedWork[]): readonly ReadyReason[] => [
  {
    code: 'CLOSED',
    condition: () => sql`not ${isOpenState('state')}`,
    detail: () => sql`state.name`,
    message: (key, state) => `${key} is closed (${state}): reopen it first.`
  },
  {
    code: 'UNTRIAGED',
    condition: () => sql`state.category = 'TRIAGE'`,
    message: key => `${key} waits for triage: move it to the backlog or to a state that is to do.`
  },
  {
    code: 'NOT_DESCRIBED',
    condition: () => sql`not issue.described`,
    message: key => `${key} has no real description: write what is wanted and why.`
  },
  {
    code: 'NO_CRITERIA',
    condition: () => sql`issue.criteria_total = 0`,
    message: key => `${key} has no acceptance criterion: add a checklist ("- [ ] …") to its description.`
  },
  {
    code: 'BLOCKED',
    condition: isBlocked,
    detail: workspaceId => keysOf(openBlockers(workspaceId, withTeam)),
    message: (key, blockers) => `${key} is blocked by ${blockers}: finish that first.`
  },
  {
    code: 'CLAIMED',
    condition: (workspaceId, { holderId = null }, at) =>
      sql`(state.category = 'STARTED' and issue.assignee_id is not null
        and issue.assignee_id is distinct from ${holderId}::uuid and not ${isAbandoned(workspaceId, at, abandoned)})`,
    detail: assignee,
    message: (key, holder) => `${holder} works on ${key}: ask them to hand it back.`
  },
  {
    code: 'ASSIGNED_TO_OTHER',
    condition: (workspaceId, { accountIds }) =>
      sql`(${isOpenState('state')} and state.category <> 'STARTED' and issue.assignee_id is not null
        and issue.assignee_id <> all(${accountIds}::uuid[]) and not ${isAssigneeRemoved(workspaceId)})`,
    detail: assignee,
    message: (key, holder) => `${key} is assigned to ${holder}: ask them for it, or choose another one.`
  },
  {
    code: 'OPEN_SUB_ISSUES',
    condition: workspaceId => hasRow(openSubIssues(workspaceId)),
    detail: workspaceId => keysOf(openSubIssues(workspaceId, withTeam)),
    message: (key, parts) => `${key} has open sub-issues (${parts}): work on those.`
  }
]

export interface Readiness {
  readonly reasons: readonly ReadyReason[]
  readonly abandoned: readonly AbandonedWork[]
}
export function readinessOf(ctx: Ctx): Readiness {
  const abandoned = ctx.contributions(abandonedWork).map(({ item }) => item)
  const contributed = ctx.contributions(readyReasons).map(({ item }) => item)
  return { reasons: [...ownReasons(abandoned), ...contributed], abandoned }
}

export const conditionsOf = (
  workspaceId: WorkspaceId,
  asker: ReadinessCaller,
  at: RawBuilder<Date>,
  reasons: readonly ReadyReason[]
) => reasons.map(({ code, condition }) => ({ code, holds: condition(workspaceId, asker, at) }))

/** None of the reasons holds for the rows `issue` and `state`. Each is a condition of its own: an index may have it. */
export const noReasonHolds = (
  workspaceId: WorkspaceId,
  asker: ReadinessCaller,
  at: RawBuilder<Date>,
  reasons: readonly ReadyReason[]
): RawBuilder<boolean> =>
  sql.join(
    conditionsOf(workspaceId, asker, at, reasons).map(({ holds }) => sql`not (${holds})`),
    sql` and `
  )

export const isReady = (...args: Parameters<typeof noReasonHolds>): RawBuilder<boolean> => sql`exists (
  select 1 from workflow_state state
  where state.workspace_id = ${args[0]} and state.id = issue.state_id and ${noReasonHolds(...args)})`

export async function reasonsNotReady(
  db: Reader<IssuesDatabase>,
  workspaceId: Id,
  issueId: Id,
  { asker, at, reasons }: { asker: ReadinessCaller; at: RawBuilder<Date>; reasons: readonly ReadyReason[] }
): Promise<NotReady[]> {
  const details = jsonObject<Record<string, string | null>>(
    Object.fromEntries(
      reasons.map(reason => {
        const detail = reason.detail?.(workspaceId) ?? null
        return [
          reason.code,
          sql`case when ${reason.condition(workspaceId, asker, at)} then coalesce(${detail}, '') end`
        ]
      })
    )
  )
  const { rows } = await sql<{ key: string; details: Record<string, string | null> }>`
    select ${keyOf('issue', 'team')} as key, ${details} as details
    from issue
    join team on team.workspace_id = issue.workspace_id and team.id = issue.team_id
    join workflow_state state on state.workspace_id = issue.workspace_id and state.id = issue.state_id
    where issue.workspace_id = ${workspaceId} and issue.id = ${issueId} and issue.deleted_at is null`.execute(db)
  const [issue] = rows
  if (issue === undefined) throw notFound('issue', issueId)
  return reasons.flatMap(({ code, message }) => {
    const detail = issue.details[code]
    return detail == null ? [] : [{ code, message: message(issue.key, detail) }]
  })
}
