import type { Caller } from '../../../core/api/contract.ts'
import type { TrashKind } from '../../trash/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { lockGraph } from '../queries/write/locks.ts'
import { afterPurge } from '../write/participants.ts'
import { listTrash, lockForPurge, purgeRows, type PurgeSelection } from './queries.ts'

export const issueTrash = (ctx: Ctx): TrashKind => ({
  name: 'issues',
  title: 'Issue',
  list: ({ workspaceId }) => listTrash(workspaceId),
  purge: (caller, before, limit) => ctx.transaction(trx => purgeIssues(ctx, trx, caller, { before, limit }))
})

/** @returns the number of issues that were removed for good, with all that belongs to them */
export async function purgeIssues(ctx: Ctx, trx: Trx, caller: Caller, selection: PurgeSelection): Promise<number> {
  const { workspaceId } = caller
  await lockGraph(trx, workspaceId)
  const ids = await lockForPurge(trx, workspaceId, selection)
  if (ids.length === 0) return 0
  await purgeRows(trx, workspaceId, ids, ctx.now())
  await afterPurge(ctx, caller, trx, ids)
  return ids.length
}
