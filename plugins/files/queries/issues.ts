import { sql } from 'kysely'
import { notDeletedIn } from '../../../core/api/database/queries.ts'
import type { FileSubject, FileTexts } from '../contract.ts'

/* Raw: parts of other statements. */

export const descriptions: FileTexts = workspaceId => sql`
  select 'issue' as type, id, description_markdown as markdown, deleted_at is not null as is_deleted
  from issue where workspace_id = ${workspaceId}`

export const namedIssues: FileSubject['named'] = workspaceId => sql`
  select i.id, t.identifier || '-' || i.number as key, i.title from issue i
  join team t on t.workspace_id = ${workspaceId} and t.id = i.team_id
  where ${notDeletedIn(workspaceId, 'i')}`
