import { sql, type RawBuilder } from 'kysely'
import { notDeletedIn, restorableRows } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'

export const trashedLabels = restorableRows('label', sql`name = ''`)

/** The columns of a `TrashKind`. Raw: a part of another statement. */
export const listTrashedLabels = (workspaceId: Id): RawBuilder<unknown> => sql`
  select id, null::text as key, name as title, deleted_at, deleted_by_id
  from label where ${trashedLabels.are(workspaceId)}`

export const lockTrashedLabel = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('label')
    .select('name')
    .where(trashedLabels.are(workspaceId))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** In any case. */
export const hasLabelNamed = async (trx: Trx, workspaceId: Id, name: string): Promise<boolean> =>
  (await trx
    .selectFrom('label')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()) !== undefined
