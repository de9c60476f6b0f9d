import { sql, type RawBuilder } from 'kysely'
import { restorableRows } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'

export const trashed = restorableRows(
  'issue_template',
  sql`name = '', title = null, description_markdown = '', criteria = '{}'`
)

/** The columns of a `TrashKind`. Raw: a part of another statement. */
export const listTrash = (workspaceId: Id): RawBuilder<unknown> => sql`
  select id, null::text as key, name as title, deleted_at, deleted_by_id
  from issue_template where ${trashed.are(workspaceId)}`

export const lockTrashed = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('issueTemplate')
    .select(['name', 'teamId'])
    .where(trashed.are(workspaceId))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
