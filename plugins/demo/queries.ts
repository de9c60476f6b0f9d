import type { Id } from '../../core/db/tables.ts'
import type { SampleBoard } from './contract.ts'
import type { Db, Trx } from './context.ts'

/** The sample board that was made from a workspace, or that this workspace is itself. */
export async function findSampleBoard(db: Db, workspaceId: Id) {
  const board = await db
    .selectFrom('sampleBoard')
    .select(['sampleWorkspaceId as id', 'madeFromId', 'adminId'])
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
  if (board === undefined) return undefined
  // By itself: on a distributed engine the sample may be on another node.
  const sample = await db.selectFrom('workspace').select('name').where('id', '=', board.id).executeTakeFirst()
  return sample && { ...board, name: sample.name }
}

/** Keeps a sample board with itself and with the workspace from which it was made, in the place of one that is gone. */
export const saveSampleBoard = (trx: Trx, board: SampleBoard) =>
  trx
    .insertInto('sampleBoard')
    .values([board.madeFromId, board.sampleWorkspaceId].map(workspaceId => ({ workspaceId, ...board })))
    .onConflict(conflict =>
      conflict.column('workspaceId').doUpdateSet(eb => ({
        sampleWorkspaceId: eb.ref('excluded.sampleWorkspaceId'),
        adminId: eb.ref('excluded.adminId')
      }))
    )
    .execute()

export const deleteSampleBoard = (db: Db, workspaceId: Id) =>
  db.deleteFrom('sampleBoard').where('workspaceId', '=', workspaceId).execute()
