import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'

export async function namesForRunner(db: Db, workspaceId: Id, issueId: Id) {
  // Raw: tables of other plugins.
  const { rows } = await sql<{ labels: string[]; team: string[] }>`
    select array[team.identifier, team.name] as team, array(
      select label.name from issue_label l
      join label on label.workspace_id = ${workspaceId} and label.id = l.label_id
      where l.workspace_id = ${workspaceId} and l.issue_id = issue.id order by label.name) as labels
    from issue join team on team.workspace_id = ${workspaceId} and team.id = issue.team_id
    where issue.workspace_id = ${workspaceId} and issue.id = ${issueId}`.execute(db)
  return rows[0]!
}
