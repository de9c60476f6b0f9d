import { job } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { eachSeparately } from '../../../core/api/http.ts'
import type { Ctx } from '../context.ts'
import { claims } from '../contract.ts'
import { keepClaims } from '../keep.ts'
import { listHeldBy, listUnkept, lockIssue } from '../queries/claims.ts'

/** Makes claims agree with their issues, which may have changed while claims were off; once at each start. */
export const reconcileClaims = job<Record<string, never>>()(claims, 'reconcileClaims')

const BATCH = 100

export async function reconcile(ctx: Ctx): Promise<void> {
  for (;;) {
    const unkept = await listUnkept(ctx.db, BATCH)
    await eachSeparately(unkept, ({ workspaceId, issueId }) => keepClaim(ctx, workspaceId, issueId))
    if (unkept.length < BATCH) return
  }
}

export async function endClaimsOf(ctx: Ctx, workspaceId: Id, accountId: Id): Promise<void> {
  for (const { issueId } of await listHeldBy(ctx.db, workspaceId, accountId)) await keepClaim(ctx, workspaceId, issueId)
}

const keepClaim = (ctx: Ctx, workspaceId: Id, issueId: Id): Promise<void> =>
  ctx.transaction(async trx => {
    await lockIssue(trx, workspaceId, issueId)
    await keepClaims(ctx, trx, ctx.asServer(workspaceId), [issueId])
  })
