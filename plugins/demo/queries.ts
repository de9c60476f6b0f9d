import type { Id } from '../../core/api/database/types.ts'
import type { SampleBoard } from './contract.ts'
import type { Db, Trx } from './context.ts'

/** Or the workspace itself, if it is one. */
export async function findSampleBoard(db: Db, workspaceId: Id) {
  const board = await db
    .selectFrom('sampleBoard')
    .select(['sampleWorkspaceId as id', 'madeFromId', 'adminId'])
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
  if (board === undefined) return undefined
  // A separate query: on a distributed engine the sample may be on another node.
  const name = await workspaceName(db, board.id)
  return name === undefined ? undefined : { ...board, name }
}

export async function workspaceName(db: Db, id: Id): Promise<string | undefined> {
  const workspace = await db.selectFrom('workspace').select('name').where('id', '=', id).executeTakeFirst()
  return workspace?.name
}

/** For itself and for the workspace from which it was created, replacing a removed one. */
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

export const deleteSampleBoard = (trx: Trx, workspaceId: Id) =>
  trx.deleteFrom('sampleBoard').where('workspaceId', '=', workspaceId).execute()
