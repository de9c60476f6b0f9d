import type { Id } from '../../core/api/database/types.ts'
import { newId } from '../../core/api/database/queries.ts'
import { boardLines } from './board.ts'
import type { Ctx } from './context.ts'
import { demoParts, type DemoBoard } from './contract.ts'
import { saveSampleBoard } from './queries.ts'

interface Demo {
  workspaceId: Id
  adminId: Id
  token: string
  records: number
}

interface DemoOptions {
  name: string
  adminEmail: string
  address?: string | undefined
  /** Its administrators open and remove the board; undefined: only its token and the command line do. */
  madeFromId?: Id
}

/** @throws 409 when its name is taken */
export async function makeDemo(ctx: Ctx, { madeFromId, address, ...named }: DemoOptions): Promise<Demo> {
  const { transaction, use, asServer } = ctx
  const workspaceId = newId()
  const caller = asServer(workspaceId)
  const now = ctx.now()
  const { adminId, token } = await transaction(async trx => {
    const added = await use.workspace.add({ ...caller, ...(address !== undefined && { address }) }, trx, named)
    // Recorded first, so that a workspace that could not be filled can be removed.
    if (madeFromId !== undefined) {
      await saveSampleBoard(trx, { sampleWorkspaceId: workspaceId, madeFromId, adminId: added.adminId })
    }
    return added
  })
  const { added, skipped } = await use.transfer.importLines(caller, adminId, boardLines(now))
  // Lines of kinds whose plugin is off are left out, as in any import.
  const wrong = skipped.find(({ reason }) => !reason.startsWith('its kind is none of'))
  if (wrong) throw new Error(`${wrong.where} of the sample board is wrong: ${wrong.reason}`)
  await transaction(async trx => {
    const board: DemoBoard = {
      adminId,
      issues: await use.transfer.imported(caller, trx, 'issue'),
      accounts: await use.transfer.imported(caller, trx, 'account'),
      now
    }
    for (const { item: part } of ctx.contributions(demoParts)) await part(caller, trx, board)
  })
  return { workspaceId, adminId, token, records: Object.values(added).reduce((sum, n) => sum + n, 0) }
}
