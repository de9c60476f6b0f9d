import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { Db } from '../context.ts'

export interface CategoryCounts {
  projectId: Id
  category: StateCategory
  n: number
  criteriaMet: number
  criteriaTotal: number
  completedLately: number
}

/** @param projectId undefined: all projects with issues */
export async function countIssues(
  db: Db,
  workspaceId: Id,
  projectId: Id | undefined,
  since: Date
): Promise<CategoryCounts[]> {
  // Raw: Kysely has no filtered aggregates of other types than its own.
  const { rows } = await sql<CategoryCounts>`
    select i.project_id as "projectId", s.category, count(*)::int as n,
      sum(i.criteria_met)::int as "criteriaMet", sum(i.criteria_total)::int as "criteriaTotal",
      (count(*) filter (where s.category = 'COMPLETED' and i.completed_at >= ${since}))::int as "completedLately"
    from issue i
    join workflow_state s on s.workspace_id = ${workspaceId} and s.id = i.state_id
    join project p on p.workspace_id = ${workspaceId} and p.id = i.project_id and p.deleted_at is null
    where i.workspace_id = ${workspaceId} and i.deleted_at is null
      and ${projectId === undefined ? sql`i.project_id is not null` : sql`i.project_id = ${projectId}`}
    group by i.project_id, s.category order by i.project_id, s.category`.execute(db)
  return rows
}
