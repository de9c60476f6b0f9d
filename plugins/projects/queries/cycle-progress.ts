import { sql } from 'kysely'
import { notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'

const MAX_ISSUES = 5_000

export const FOLLOWED = ['cycle', 'state', 'assignee', 'estimate'] as const
export type Followed = (typeof FOLLOWED)[number]
/** Values are ids, names from earlier releases, or the number of an estimate. */
export type FieldChange = readonly [field: Followed, at: string, from: string | null, to: string | null]

export interface InvolvedIssue {
  id: Id
  teamId: Id
  createdAt: Date
  values: Record<Followed, string | null>
  /** In the order of time. */
  changes: FieldChange[] | null
}

export async function involvedIssues(
  db: Db,
  workspaceId: Id,
  { id, name }: { id: Id; name: string }
): Promise<InvolvedIssue[]> {
  const refs = [id, name]
  // Raw: the column of issues is a field that this plugin contributes; the history is aggregated as JSON.
  const { rows } = await sql<InvolvedIssue>`
    with involved as (
      select id from issue where workspace_id = ${workspaceId} and cycle_id = ${id}
      union
      select issue_id from issue_change
      where workspace_id = ${workspaceId} and change = 'cycle' and coalesce(to_id::text, to_name) = any(${refs}::text[])
      union
      select issue_id from issue_change
      where workspace_id = ${workspaceId} and change = 'cycle'
        and coalesce(from_id::text, from_name) = any(${refs}::text[]))
    select issue.id, issue.team_id as "teamId", issue.created_at as "createdAt",
      json_build_object('cycle', issue.cycle_id, 'state', issue.state_id, 'assignee', issue.assignee_id,
        'estimate', issue.estimate::text) as values,
      (select json_agg(json_build_array(h.change, h.at, coalesce(h.from_id::text, h.from_name),
          coalesce(h.to_id::text, h.to_name)) order by h.at, h.id)
        from issue_change h
        where h.workspace_id = ${workspaceId} and h.issue_id = issue.id and h.change = any(${[...FOLLOWED]}::text[])
      ) as changes
    from issue join involved on involved.id = issue.id
    where issue.workspace_id = ${workspaceId} and issue.deleted_at is null
    order by issue.id limit ${MAX_ISSUES}`.execute(db)
  return rows
}

/** For histories of earlier releases. */
export async function accountsNamed(db: Db, workspaceId: Id, names: readonly string[]): Promise<Map<string, Id>> {
  if (names.length === 0) return new Map()
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'fullname'])
    .where('workspaceId', '=', workspaceId)
    .where('fullname', 'in', names)
    .execute()
  return new Map(accounts.map(({ id, fullname }) => [fullname, id]))
}

export async function titlesOf(db: Db, workspaceId: Id, ids: readonly Id[]) {
  const issues = await db
    .selectFrom('issue')
    .innerJoin('team', join => join.on('team.workspaceId', '=', workspaceId).onRef('team.id', '=', 'issue.teamId'))
    .select(['issue.id', 'issue.title', 'issue.number', 'team.identifier'])
    .where(notDeletedIn(workspaceId, 'issue'))
    .where('issue.id', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()
  return new Map(issues.map(({ id, title, identifier, number }) => [id, { key: `${identifier}-${number}`, title }]))
}

export interface CycleCounts {
  cycleId: Id
  total: number
  started: number
  completed: number
}

/** @param teamId undefined: of all teams */
export async function countIssues(db: Db, workspaceId: Id, teamId: Id | undefined): Promise<CycleCounts[]> {
  // Raw: Kysely has no filtered aggregates of other types than its own.
  const { rows } = await sql<CycleCounts>`
    select i.cycle_id as "cycleId", (count(*) filter (where s.category <> 'CANCELED'))::int as total,
      (count(*) filter (where s.category = 'STARTED'))::int as started,
      (count(*) filter (where s.category = 'COMPLETED'))::int as completed
    from issue i
    join workflow_state s on s.workspace_id = ${workspaceId} and s.id = i.state_id
    join cycle c on c.workspace_id = ${workspaceId} and c.id = i.cycle_id and c.deleted_at is null
    where i.workspace_id = ${workspaceId} and i.deleted_at is null and i.cycle_id is not null
      ${teamId === undefined ? sql`` : sql`and c.team_id = ${teamId}`}
    group by i.cycle_id order by i.cycle_id`.execute(db)
  return rows
}
