import type { Id } from '../../../core/db/tables.ts'
import type { Ctx } from '../context.ts'
import { lockFound } from '../queries/locks.ts'
import { keepClaims } from './keep.ts'

/** Ends the claims of an account that was removed; its issues stay as they are. */
export async function endClaimsOf(ctx: Ctx, workspaceId: Id, accountId: Id): Promise<void> {
  const held = await ctx.db
    .selectFrom('issueClaim')
    .select('issueId')
    .where('workspaceId', '=', workspaceId)
    .where('holderId', '=', accountId)
    .where('endedAt', 'is', null)
    .execute()
  for (const { issueId } of held) {
    await ctx.transaction(async trx => {
      await lockFound(trx, workspaceId, [issueId])
      await keepClaims({ ctx, fields: [] }, trx, ctx.asServer(workspaceId), [issueId])
    })
  }
}
