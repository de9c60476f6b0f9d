import type { Id } from '../../../core/api/database/types.ts'
import type { Ctx } from '../context.ts'
import { lockFound } from '../queries/write/locks.ts'
import { keepClaims } from './keep.ts'
import { listHeldBy } from './queries.ts'

/** Ends the claims of an account that was removed; its issues stay as they are. */
export async function endClaimsOf(ctx: Ctx, workspaceId: Id, accountId: Id): Promise<void> {
  for (const { issueId } of await listHeldBy(ctx.db, workspaceId, accountId)) {
    await ctx.transaction(async trx => {
      await lockFound(trx, workspaceId, [issueId])
      await keepClaims(ctx, trx, ctx.asServer(workspaceId), [issueId])
    })
  }
}
