import { sql, type RawBuilder } from 'kysely'
import type { WorkspaceId } from '../../../core/api/database/types.ts'

const MAX_LISTED = 100

/** Null: none. Raw: a part of the statement of the context. */
export const filesOfContext = (workspaceId: WorkspaceId): RawBuilder<unknown> => sql`(
  select json_agg(json_build_object('id', f.id, 'name', f.name, 'mimeType', f.mime_type, 'bytes', f.bytes,
    'url', '/v1/files/' || f.id || '/' || f.url_name) order by f.id)
  from (
    select id, name, mime_type, bytes, url_name from file
    where workspace_id = ${workspaceId} and subject_type = 'issue' and subject_id = issue.id and state = 'STORED'
    order by id limit ${sql.lit(MAX_LISTED)}) f)`
