import { Type } from 'typebox'
import { confinementRules, fieldOf } from '../../core/api/confinement.ts'
import type { Principal } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { conflict } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, Ref } from '../../core/api/schemas.ts'
import { after, isActive, isHolder, leaseOf, type Claim as StoredClaim } from './claim.ts'
import type { Ctx, Trx } from './context.ts'
import { assertMayWrite, claimOf, keepClaims, nameOf } from './keep.ts'
import { writeClaims } from './queries/claims.ts'
import { Claim } from './schemas.ts'

const RENEW = '/v1/issues/:issueId/claim/renew'
const MAX_RENEWAL_MINUTES = 24 * 60

export function claimRoutes(app: App, ctx: Ctx): void {
  const { issues } = ctx.use
  confinementRules(app, {
    [`POST ${RENEW}`]: {
      allows: 'its issue and sub-issues',
      check: ({ principal, params }) => issues.assertReach(principal, ctx.db, fieldOf(params, 'issueId') ?? '', 'write')
    }
  })
  app.post(
    RENEW,
    {
      schema: {
        tags: ['issues'],
        summary: 'Keep an issue for longer',
        description:
          'For long silent work: every request of an agent renews its claims for `plugins.claims.claimMinutes`. ' +
          'Nothing is shortened, and it is no change of the issue.',
        params: Closed({ issueId: Ref('An issue’s UUID or key (`ENG-12`, any case).') }),
        body: Closed({
          minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RENEWAL_MINUTES, description: 'From now.' }))
        }),
        response: answers(200, Closed({ claim: Claim }))
      }
    },
    async ({ principal, params, body }) => {
      const { id } = await issues.find(principal, ctx.db, params.issueId)
      const claim = await ctx.transaction(trx => renewClaim(ctx, trx, principal, id, body.minutes))
      return { claim: claimToJson(claim) }
    }
  )
}

const claimToJson = ({ holder, session, since, expiresAt, fence }: StoredClaim) => ({
  holder: { id: holder.id, fullname: holder.fullname },
  ...(session !== null && { session }),
  since: since.toISOString(),
  ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
  fence
})

async function renewClaim(
  ctx: Ctx,
  trx: Trx,
  principal: Principal,
  issueId: Id,
  minutes: number | undefined
): Promise<StoredClaim> {
  const { workspaceId } = principal
  await ctx.use.issues.lock(principal, trx, [issueId])
  await assertMayWrite(ctx, trx, principal, issueId)
  // Revives a claim that has lapsed.
  await keepClaims(ctx, trx, principal, [issueId])
  const { key, claim, at } = await claimOf(ctx, trx, principal, issueId)
  if (!isActive(claim) || !isHolder(claim, principal)) {
    const reason = isActive(claim) ? `it is ${nameOf(claim)}’s` : 'nobody works on it'
    throw conflict(`You have no claim of ${key}, ${reason}: pick it up first.`)
  }
  if (claim.expiresAt === null) return claim
  const expiresAt = after(at, minutes === undefined ? leaseOf(ctx).durationMs : minutes * 60_000)
  const renewed = { ...claim, expiresAt: expiresAt > claim.expiresAt ? expiresAt : claim.expiresAt }
  await writeClaims(trx, workspaceId, [{ issueId, claim: renewed }])
  return renewed
}
