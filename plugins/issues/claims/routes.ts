import { Type } from 'typebox'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed } from '../../../core/api/schemas.ts'
import { one, tags, type RouteContext } from '../routes/answers.ts'
import type { Claim as StoredClaim } from './claim.ts'
import { renewClaim } from './renew.ts'
import { Claim } from './schemas.ts'

const MAX_RENEWAL_MINUTES = 24 * 60

export function claimRoutes(app: App, routes: RouteContext): void {
  app.post(
    '/v1/issues/:issueId/claim/renew',
    {
      schema: {
        tags,
        summary: 'Keep an issue for longer',
        description:
          'For long silent work: every request of an agent renews its claims for `plugins.issues.claimMinutes`. ' +
          'Nothing is shortened, and it is no change of the issue.',
        params: one,
        body: Closed({
          minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RENEWAL_MINUTES, description: 'From now.' }))
        }),
        response: answers(200, Closed({ claim: Claim }))
      }
    },
    async ({ principal, params, body }) => {
      const { id } = await routes.find(principal, params.issueId)
      const claim = await routes.ctx.transaction(trx => renewClaim(routes.ctx, trx, principal, id, body.minutes))
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
