import { sql } from 'kysely'
import { boundedList, iso } from '../../core/api/database/queries.ts'
import type { Id, WorkspaceId } from '../../core/api/database/types.ts'
import type { FileTexts } from '../files/contract.ts'
import type { CompletionProof } from '../insights/contract.ts'
import type { ClosingCriteria } from '../workspace/contract.ts'
import type { Trx } from './context.ts'
import { MAX_KEPT_CRITERIA, type Tick } from './ticks.ts'

export const readTicks = (trx: Trx, workspaceId: Id, issueId: Id): Promise<Tick[]> =>
  trx
    .selectFrom('issueTick')
    .select(['digest', 'occurrence', 'n', 'text', 'byId', 'tokenId', 'at', 'evidence'])
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .execute()

export const removeTicks = (trx: Trx, workspaceId: Id, issueIds: readonly Id[]) =>
  trx
    .deleteFrom('issueTick')
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', sql<Id>`any(${issueIds}::uuid[])`)
    .execute()

export async function writeTicks(
  trx: Trx,
  workspaceId: Id,
  issues: ReadonlyArray<{ issueId: Id; ticks: readonly Tick[] }>
): Promise<void> {
  const rows = issues.flatMap(({ issueId, ticks }) => ticks.map(tick => ({ issueId, ...tick })))
  // Raw: one JSON parameter holds all rows, so that the SQL does not depend on their number.
  await sql`
    with tick as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as tick ("issueId" uuid, digest text,
        occurrence int, n int, text text, "byId" uuid, "tokenId" uuid, at timestamptz, evidence text)),
    removed as (
      delete from issue_tick former
      where former.workspace_id = ${workspaceId} and former.issue_id = any(${issues.map(one => one.issueId)}::uuid[])
        and not exists (
          select from tick where tick."issueId" = former.issue_id and tick.digest = former.digest
            and tick.occurrence = former.occurrence))
    insert into issue_tick (workspace_id, issue_id, digest, occurrence, n, text, by_id, token_id, at, evidence)
    select ${workspaceId}::uuid, "issueId", digest, occurrence, n, text, "byId", "tokenId", at, evidence from tick
    on conflict (workspace_id, issue_id, digest, occurrence) do update set n = excluded.n, text = excluded.text,
      by_id = excluded.by_id, token_id = excluded.token_id, at = excluded.at, evidence = excluded.evidence
    `.execute(trx)
}

export interface Unproven {
  id: Id
  key: string
  rule: ClosingCriteria
  total: number
  descriptionMarkdown: string
  /** The texts of criteria ticked by an agent without evidence. */
  unproven: string[]
}

/** @param completedAt only issues that were completed then; null: all, also open ones */
export async function listUnproven(
  trx: Trx,
  workspaceId: Id,
  issueIds: readonly Id[],
  completedAt: Date | null
): Promise<Unproven[]> {
  const wasCompleted = sql`and state.category = 'COMPLETED' and issue.completed_at = ${completedAt}::timestamptz`
  // Raw: a lateral array and conditions over all of its tables.
  const { rows } = await sql<Unproven>`
    select issue.id, team.identifier || '-' || issue.number as key, team.closing_criteria as rule,
      issue.criteria_total as total,
      issue.description_markdown as "descriptionMarkdown", unproven.texts as unproven
    from issue
    join team on team.workspace_id = ${workspaceId} and team.id = issue.team_id and team.closing_criteria <> 'ANY'
    join workflow_state state on state.workspace_id = ${workspaceId} and state.id = issue.state_id
    cross join lateral (
      select array(
        select t.text from issue_tick t
        join account a on a.workspace_id = ${workspaceId} and a.id = t.by_id and a.kind = 'AGENT'
        where team.closing_criteria = 'PROVEN' and t.workspace_id = ${workspaceId} and t.issue_id = issue.id
          and t.evidence is null
        order by t.n) as texts) unproven
    where issue.workspace_id = ${workspaceId} and issue.id = any(${issueIds}::uuid[])
      ${completedAt === null ? sql`` : wasCompleted}
      and (issue.criteria_total = 0 or issue.criteria_met < issue.criteria_total or cardinality(unproven.texts) > 0
        or (team.closing_criteria = 'PROVEN' and issue.criteria_total > ${sql.lit(MAX_KEPT_CRITERIA)}))
    order by issue.id`.execute(trx)
  return rows
}

export async function closingRuleOf(trx: Trx, workspaceId: Id, issueId: Id): Promise<ClosingCriteria> {
  const { closingCriteria } = await trx
    .selectFrom('issue')
    .innerJoin('team', join =>
      join.onRef('team.workspaceId', '=', 'issue.workspaceId').onRef('team.id', '=', 'issue.teamId')
    )
    .select('team.closingCriteria')
    .where('issue.workspaceId', '=', workspaceId)
    .where('issue.id', '=', issueId)
    .executeTakeFirstOrThrow()
  return closingCriteria
}

/** By team, but for those whose rule is ANY. */
export async function closingRules(trx: Trx, workspaceId: Id): Promise<ReadonlyMap<Id, ClosingCriteria>> {
  const teams = await trx
    .selectFrom('team')
    .select(['id', 'closingCriteria'])
    .where('workspaceId', '=', workspaceId)
    .where('closingCriteria', '<>', 'ANY')
    .execute()
  return new Map(teams.map(({ id, closingCriteria }) => [id, closingCriteria]))
}

export const evidenceList = (workspaceId: WorkspaceId) =>
  boundedList(
    sql`
  select t.n, t.text, t.by_id, t.at, t.evidence from issue_tick t
  where t.workspace_id = ${workspaceId} and t.issue_id = issue.id and t.evidence is not null`,
    {
      item: {
        n: sql`taken.n`,
        text: sql`taken.text`,
        met: sql`true`,
        by: sql`(
        select a.fullname from account a where a.workspace_id = ${workspaceId} and a.id = taken.by_id)`,
        at: iso('taken.at'),
        evidence: sql`taken.evidence`
      },
      order: sql`n`
    }
  )

/** Over the row `issue`. */
export const isProven: CompletionProof = workspaceId => sql<boolean>`(
  issue.criteria_total > 0 and issue.criteria_met = issue.criteria_total and (
    select count(*) from issue_tick t
    where t.workspace_id = ${workspaceId} and t.issue_id = issue.id and t.evidence is not null
  ) >= issue.criteria_total)`

export const textsOfEvidence: FileTexts = workspaceId => sql`
  select 'issue' as type, t.issue_id as id, t.evidence as markdown, i.deleted_at is not null as is_deleted
  from issue_tick t join issue i on i.workspace_id = ${workspaceId} and i.id = t.issue_id
  where t.workspace_id = ${workspaceId}`
