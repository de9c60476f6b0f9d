import { job } from '../../../core/api/contract.ts'
import { eachSeparately } from '../../../core/api/http.ts'
import type { Ctx } from '../context.ts'
import { claims } from '../contract.ts'
import { keepClaims } from '../keep.ts'
import { listUnkept, lockIssue } from '../queries/claims.ts'

/** Makes claims agree with their issues, which may have changed while claims were off; once at each start. */
export const reconcileClaims = job<Record<string, never>>()(claims, 'reconcileClaims')

const BATCH = 100

export async function reconcile(ctx: Ctx): Promise<void> {
  for (;;) {
    const unkept = await listUnkept(ctx.db, BATCH)
    await eachSeparately(unkept, ({ workspaceId, issueId }) =>
      ctx.transaction(async trx => {
        await lockIssue(trx, workspaceId, issueId)
        await keepClaims(ctx, trx, ctx.asServer(workspaceId), [issueId])
      })
    )
    if (unkept.length < BATCH) return
  }
}
