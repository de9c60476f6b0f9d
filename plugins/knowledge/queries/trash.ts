import { sql, type RawBuilder } from 'kysely'
import type { Principal } from '../../../core/api/contract.ts'
import { restorableRows } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'

export const trashed = restorableRows('knowledge_entry', sql`content = '', tags = '{}'`)

const TITLE_LENGTH = 200

/** The columns of a `TrashKind`; people see their own, administrators all. Raw: a part of another statement. */
export function listTrash({ workspaceId, accountId, kind, role }: Principal): RawBuilder<unknown> {
  const isOwn = kind === 'AGENT' || role === 'ADMIN' ? sql`` : sql`and created_by_id = ${accountId}`
  return sql`
    select id, null::text as key, left(content, ${TITLE_LENGTH}::integer) as title, deleted_at, deleted_by_id
    from knowledge_entry where ${trashed.are(workspaceId)} ${isOwn}`
}

export const lockTrashed = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('knowledgeEntry')
    .select(['status', 'content', 'tags', 'createdById'])
    .where(trashed.are(workspaceId))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
