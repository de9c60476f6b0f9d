import type { Id } from '../../core/db/tables.ts'
import type { Db, Trx } from './context.ts'

/** The sample board that was made from a workspace, or that this workspace is itself. */
export const findSampleBoard = (db: Db, workspaceId: Id) =>
  db
    .selectFrom('sampleBoard')
    .innerJoin('workspace', 'workspace.id', 'sampleBoard.sampleWorkspaceId')
    .select(['workspace.id', 'workspace.name', 'sampleBoard.workspaceId as madeFromId', 'sampleBoard.adminId'])
    .where(eb =>
      eb.or([eb('sampleBoard.workspaceId', '=', workspaceId), eb('sampleBoard.sampleWorkspaceId', '=', workspaceId)])
    )
    .executeTakeFirst()

/** Keeps which sample board was made from a workspace, in the place of one that is gone. */
export const saveSampleBoard = (
  trx: Trx,
  madeFromId: Id,
  { sampleWorkspaceId, adminId }: { sampleWorkspaceId: Id; adminId: Id }
) =>
  trx
    .insertInto('sampleBoard')
    .values({ workspaceId: madeFromId, sampleWorkspaceId, adminId })
    .onConflict(conflict => conflict.column('workspaceId').doUpdateSet({ sampleWorkspaceId, adminId }))
    .execute()

export const deleteSampleBoard = (db: Db, madeFromId: Id) =>
  db.deleteFrom('sampleBoard').where('workspaceId', '=', madeFromId).execute()
