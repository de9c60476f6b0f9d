import { sql, type RawBuilder } from 'kysely'
import { restorableRows } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'

export const trashed = restorableRows('project', sql`name = '', description = null, description_markdown = ''`)

/** The columns of a `TrashKind`. Raw: a part of another statement. */
export const listTrash = (workspaceId: Id): RawBuilder<unknown> => sql`
  select id, null::text as key, name as title, deleted_at, deleted_by_id
  from project where ${trashed.are(workspaceId)}`

export const lockTrashed = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('project')
    .select(['name', 'deletedAt'])
    .where(trashed.are(workspaceId))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
