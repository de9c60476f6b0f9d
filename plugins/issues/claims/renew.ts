import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { conflict } from '../../../core/api/errors.ts'
import type { Ctx } from '../context.ts'
import { lockIssues } from '../queries/write/locks.ts'
import type { Trx } from '../write/writer.ts'
import { after, isActive, isHolder, leaseOf, type Claim } from './claim.ts'
import { assertMayWrite, claimOf, keepClaims, nameOf } from './keep.ts'
import { writeClaims } from './queries.ts'

/** Extends the caller's claim. @returns the claim @throws 409 when it is not the caller's, 412 */
export async function renewClaim(
  ctx: Ctx,
  trx: Trx,
  principal: Principal,
  issueId: Id,
  minutes: number | undefined
): Promise<Claim> {
  const { workspaceId } = principal
  await lockIssues(trx, workspaceId, [issueId])
  await assertMayWrite(ctx, trx, principal, issueId)
  // Revives it, if it has lapsed.
  await keepClaims(ctx, trx, principal, [issueId])
  const { key, claim, at } = await claimOf(ctx, trx, principal, issueId)
  if (!isActive(claim) || !isHolder(claim, principal)) {
    const whose = isActive(claim) ? `it is ${nameOf(claim)}’s` : 'nobody works on it'
    throw conflict(`You have no claim of ${key}, ${whose}: pick it up first.`)
  }
  if (claim.expiresAt === null) return claim
  const asked = after(at, minutes === undefined ? leaseOf(ctx).durationMs : minutes * 60_000)
  const renewed = { ...claim, expiresAt: asked > claim.expiresAt ? asked : claim.expiresAt }
  await writeClaims(trx, workspaceId, [{ issueId, claim: renewed }])
  return renewed
}
