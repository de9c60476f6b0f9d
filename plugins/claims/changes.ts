import { invalid } from '../../core/api/errors.ts'
import type { CallerHeader } from '../../core/api/points.ts'
import type { IssueChanges } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import { isActive, isHolder, isLapsed, otherHolder } from './claim.ts'
import { assertMayWrite, claimOf, keepClaims, moveClaims, nameOf } from './keep.ts'
import { claimedByWrite, claimedFrom, type ClaimedJson } from './queries/claims.ts'

export const claimChanges = (ctx: Ctx): IssueChanges => ({
  keepsHolders: true,
  async change(caller, trx, issueId, { isPickUp, isPart, takeover }) {
    const before = isPart ? undefined : await assertMayWrite(ctx, trx, caller, issueId, { needsNoClaim: isPickUp })
    const { workspaceId, accountId } = caller
    const at = ctx.use.database.time()
    return {
      returned: claimedByWrite(workspaceId, accountId, at),
      async after(written?: { key: string; returned: ClaimedJson }) {
        const claimed = written && { id: issueId, key: written.key, ...claimedFrom(written.returned) }
        if (claimed) await moveClaims(ctx, trx, caller, [claimed], { isPickUp, takeover })
        else if (isPickUp) await keepClaims(ctx, trx, caller, [issueId], { isPickUp })
        const known = claimed ?? before
        return known && otherHolder(known, caller)
      }
    }
  },
  async writePart(caller, trx, issueId, { isChange }) {
    await assertMayWrite(ctx, trx, caller, issueId, { needsNoClaim: true })
    if (!isChange) await keepClaims(ctx, trx, caller, [issueId])
  },
  moved: (caller, trx, issueIds) => keepClaims(ctx, trx, caller, issueIds),
  async holderOf(caller, trx, issueId) {
    const { claim, at } = await claimOf(ctx, trx, caller, issueId)
    if (!isActive(claim)) return undefined
    const { id, fullname } = claim.holder
    return {
      id,
      fullname,
      name: nameOf(claim),
      since: claim.since.toISOString(),
      isCaller: isHolder(claim, caller),
      hasLapsed: isLapsed(claim, at)
    }
  }
})

export const ifClaim: CallerHeader = {
  name: 'if-claim',
  read(value) {
    if (!/^\d{1,9}$/.test(value)) throw invalid('The header If-Claim must be the fence of a claim, such as 3.')
    return { claims: { fence: Number(value) } }
  }
}
