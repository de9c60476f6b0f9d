import { newId } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { Health } from '../states.ts'

const columns = ['id', 'projectId', 'health', 'body', 'bodyMarkdown', 'createdById', 'createdAt', 'updatedAt'] as const

export const listUpdates = (db: Db, workspaceId: Id, projectId: Id, limit: number) =>
  db
    .selectFrom('projectUpdate')
    .select(columns)
    .where('workspaceId', '=', workspaceId)
    .where('projectId', '=', projectId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const findUpdate = (db: Db, workspaceId: Id, id: Id) => selectUpdate(db, workspaceId, id).executeTakeFirst()

export const lockUpdate = (trx: Trx, workspaceId: Id, id: Id) =>
  selectUpdate(trx, workspaceId, id).forNoKeyUpdate().executeTakeFirst()

const selectUpdate = (db: Db, workspaceId: Id, id: Id) =>
  db.selectFrom('projectUpdate').select(columns).where('workspaceId', '=', workspaceId).where('id', '=', id)

interface UpdateValues {
  health: Health
  body: string | null
  bodyMarkdown: string
}

export const insertUpdate = (
  trx: Trx,
  workspaceId: Id,
  values: UpdateValues & { id?: Id; projectId: Id; createdById: Id; createdAt: Date; updatedAt: Date }
) =>
  trx
    .insertInto('projectUpdate')
    .values({ workspaceId, id: newId(), ...values })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const changeUpdate = (trx: Trx, workspaceId: Id, id: Id, at: Date, values: Partial<UpdateValues>) =>
  trx
    .updateTable('projectUpdate')
    .set({ ...values, updatedAt: at })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const deleteUpdate = (trx: Trx, workspaceId: Id, id: Id) =>
  trx.deleteFrom('projectUpdate').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()

export async function purgeTexts(trx: Trx, workspaceId: Id, projectIds: readonly Id[]): Promise<void> {
  if (projectIds.length === 0) return
  await trx
    .deleteFrom('projectUpdate')
    .where('workspaceId', '=', workspaceId)
    .where('projectId', 'in', projectIds)
    .execute()
  await trx
    .updateTable('milestone')
    .set({ name: '' })
    .where('workspaceId', '=', workspaceId)
    .where('projectId', 'in', projectIds)
    .execute()
}
