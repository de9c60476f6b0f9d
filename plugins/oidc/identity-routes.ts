import { Type } from 'typebox'
import { conflict, forbidden, notFound } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText, Line, Time } from '../../core/api/schemas.ts'
import { readScope } from '../../core/api/scopes.ts'
import { endAttempt, readAttempt } from './attempts.ts'
import type { Ctx } from './context.ts'
import { identityUnlinked } from './contract.ts'
import { link } from './people.ts'
import { normalizeIssuer, NOT_CONFIGURED, providerOf } from './provider.ts'
import { deleteIdentity, findPerson, listIdentities } from './queries.ts'
import { CALLBACK } from './sign-in-routes.ts'

const tags = ['session']
const IdentityShown = Closed({
  id: IdText,
  accountId: IdText,
  issuer: Type.String(),
  subject: Type.String({ description: 'The `sub` of the person at the provider.' }),
  linkedAt: Time
})
const identityToJson = <I extends { linkedAt: Date }>(identity: I) => ({
  ...identity,
  linkedAt: identity.linkedAt.toISOString()
})

export function ownIdentityRoutes(app: App, ctx: Ctx): void {
  const { db, transaction } = ctx
  const { sessions } = ctx.use

  app.post(
    '/v1/oidc/link',
    {
      config: { scope: readScope },
      schema: {
        tags,
        summary: 'Link the identity with which this browser has just signed in at the provider',
        description: 'After POST /v1/oidc/sign_in with `link`. It is linked to the account of this browser’s session.',
        body: Closed({
          callback: Type.String({ maxLength: 8000, description: 'The query of the provider’s redirect.' })
        }),
        response: answers(201, IdentityShown)
      }
    },
    async (request, reply) => {
      const { principal, body } = request
      if (principal.kind !== 'PERSON') throw forbidden('An agent does not sign in: it sends its token.')
      const query = new URLSearchParams(body.callback)
      const begun = readAttempt(sessions.cookies, request, { purpose: 'link', state: query.get('state') })
      await endAttempt(ctx, request, reply, begun)
      const callback = new URL(`${sessions.cookies.addressOf(request)}${CALLBACK}?${query}`)
      const { identity } = await ctx.get(providerOf).finish(callback, begun)
      const linked = await transaction(trx => link(ctx, trx, principal, principal.accountId, identity))
      return reply.code(201).send(identityToJson(linked))
    }
  )

  app.get(
    '/v1/oidc/identities',
    {
      schema: {
        tags,
        summary: 'The identities of an account',
        querystring: Closed({
          accountId: Type.Optional({
            ...IdText,
            description: 'Default: you. Only administrators may read those of others.'
          })
        }),
        response: answers(200, Type.Array(IdentityShown))
      }
    },
    async ({ principal, query }) => {
      const { accountId = principal.accountId } = query
      if (accountId !== principal.accountId && principal.role !== 'ADMIN') {
        throw forbidden('Only an administrator may read the identities of others.')
      }
      return (await listIdentities(db, { workspaceId: principal.workspaceId, accountId })).map(identityToJson)
    }
  )
}

export function identityRoutes(app: App, ctx: Ctx): void {
  const { db, emit, settings, transaction } = ctx

  app.post(
    '/v1/oidc/identities',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Let a person sign in with an identity at the provider',
        body: Closed({
          accountId: IdText,
          issuer: Type.Optional(Line(500, { description: 'The issuer; default: that of this server’s provider.' })),
          subject: Line(255, { description: 'The `sub` of the person at the provider.' })
        }),
        response: answers(201, IdentityShown)
      }
    },
    async ({ principal, body }, reply) => {
      const { accountId, issuer = settings.issuer, subject } = body
      if (issuer === undefined) throw conflict(NOT_CONFIGURED)
      const person = await findPerson(db, principal.workspaceId, accountId)
      if (!person) throw notFound('person', accountId)
      const identity = { issuer: normalizeIssuer(issuer), subject }
      const linked = await transaction(trx => link(ctx, trx, principal, person.id, identity))
      return reply.code(201).send(identityToJson(linked))
    }
  )

  app.delete(
    '/v1/oidc/identities/:id',
    {
      config: { scope: readScope },
      schema: {
        tags,
        summary: 'Unlink an identity: nobody can sign in with it any more',
        description: 'Your own, or, for administrators, anybody’s. Open sessions continue.',
        params: Closed({ id: IdText }),
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params }) => {
      if (principal.kind !== 'PERSON') throw forbidden('An agent has no identity to unlink.')
      const { workspaceId, role } = principal
      return transaction(async trx => {
        const own = role === 'ADMIN' ? undefined : principal.accountId
        const removed = await deleteIdentity(trx, workspaceId, params.id, own)
        if (!removed) throw notFound('identity', params.id)
        const { id, accountId, issuer } = removed
        await emit(trx, identityUnlinked, principal, [{ subjectId: id, accountId, data: { accountId, issuer } }])
        return { id, deleted: true as const }
      })
    }
  )
}
