import { Counter, Gauge } from 'prom-client'
import { job } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { eachSeparately } from '../../../core/api/http.ts'
import { singleton } from '../../../core/api/plugin.ts'
import type { Metrics } from '../../../core/api/points.ts'
import { isActive, isLapsed } from '../claim.ts'
import type { Ctx } from '../context.ts'
import { claims } from '../contract.ts'
import { claimsOf, emitLapsed } from '../keep.ts'
import { countClaims, listDueClaims, lockIssue, removeOldLosses, writeClaims } from '../queries/claims.ts'

export const lapseClaims = job<Record<string, never>>()(claims, 'lapseClaims')
export const forgetLosses = job<Record<string, never>>()(claims, 'forgetLosses')

const BATCH = 100

const lapsedClaims = singleton(
  'lapsedClaims',
  () => new Counter({ name: 'tracker_claims_lapsed_total', help: 'Claims that this process saw lapse', registers: [] })
)

/** Emits `claim.lapsed` once for each claim that has expired, even if that was while no server ran. */
export async function announceLapsed(ctx: Ctx): Promise<void> {
  for (;;) {
    const due = await listDueClaims(ctx.db, ctx.use.database.time(), BATCH)
    await eachSeparately(due, ({ workspaceId, issueId }) => announce(ctx, workspaceId, issueId))
    if (due.length < BATCH) return
  }
}

async function announce(ctx: Ctx, workspaceId: Id, issueId: Id): Promise<void> {
  const hasLapsed = await ctx.transaction(async trx => {
    await lockIssue(trx, workspaceId, issueId)
    const [claimed] = await claimsOf(ctx, trx, ctx.asServer(workspaceId), [issueId])
    if (claimed === undefined) return false
    const { id, key, claim, at } = claimed
    // Before the lock was granted, another process may have emitted it, or the holder may have renewed the claim.
    if (!isActive(claim) || !isLapsed(claim, at) || claim.lapsedAt !== null) return false
    await writeClaims(trx, workspaceId, [{ issueId, claim: { ...claim, lapsedAt: at } }])
    await emitLapsed(ctx, trx, workspaceId, [{ id, key, claim, at }])
    return true
  })
  if (hasLapsed) ctx.get(lapsedClaims).inc()
}

export const removeLosses = async (ctx: Ctx): Promise<void> => {
  await ctx.transaction(trx => removeOldLosses(trx, ctx.use.database.time()))
}

export const claimMetrics =
  (ctx: Ctx): Metrics =>
  registry => {
    registry.registerMetric(ctx.get(lapsedClaims))
    registry.registerMetric(
      new Gauge({
        name: 'tracker_claims',
        help: 'Issues that somebody works on, of all workspaces',
        labelNames: ['state'],
        registers: [],
        async collect() {
          const { active, lapsed } = await countClaims(ctx.db, ctx.use.database.time())
          this.set({ state: 'active' }, active)
          this.set({ state: 'lapsed' }, lapsed)
        }
      })
    )
  }
