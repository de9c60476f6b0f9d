import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { hashToken, isWellFormedToken } from '../../../core/api/accounts.ts'
import type { Caller } from '../../../core/api/contract.ts'
import type { App } from '../../../core/api/plugin.ts'
import { isKnownClient } from '../clients/clients.ts'
import type { Ctx, Trx } from '../context.ts'
import type { RevocationReason } from '../contract.ts'
import { assertOwnResource, issuerOf, PATHS } from '../protocol/addresses.ts'
import { invalidGrant, OauthError, unknownClient } from '../protocol/errors.ts'
import { acceptForms, formOf, type Parameters } from '../protocol/form.ts'
import { lockGrant, lockLiveGrant, type Grant, type GrantRef } from '../queries/grants.ts'
import { findCode, findRefreshToken, useCode, useRefreshToken } from '../queries/secrets.ts'
import { grantOfToken, issueTokens, revokeGrant, type IssuedTokens } from './grants.ts'

const BODY_LIMIT = 32 * 1024
/** Milliseconds in which a refresh token may be used again: processes of one client refresh at the same time. */
const GRACE_MS = 30_000
/** Uses of a refresh token within that time. */
const MAX_USES = 20

export function tokenRoutes(app: App, ctx: Ctx): void {
  acceptForms(app)
  // Bodies are checked by the routes, to answer the errors of OAuth.
  const schema = { hide: true, body: Type.Unknown() }
  const options = { bodyLimit: BODY_LIMIT, config: { public: true }, schema }

  app.post(PATHS.token, options, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    const form = formOf(request)
    const type = form.required('grant_type')
    const clientId = form.required('client_id')
    if (!(await isKnownClient(ctx, clientId))) throw unknownClient()
    assertOwnResource(issuerOf(ctx, request), form.optional('resource'), invalidTarget)
    if (type === 'authorization_code') return exchangeCode(ctx, request, clientId, form)
    if (type === 'refresh_token') return refresh(ctx, request, clientId, form)
    throw new OauthError(400, 'unsupported_grant_type', 'The grants here are `authorization_code` and `refresh_token`.')
  })

  // https://www.rfc-editor.org/rfc/rfc7009
  app.post(PATHS.revoke, options, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const form = formOf(request)
    const clientId = form.optional('client_id')
    const grantRef = await grantOfToken(ctx, form.required('token'))
    // A token that is unknown, or of a connection that has ended, counts as revoked.
    if (grantRef === undefined) return {}
    const isForeign = await ctx.transaction(async trx => {
      const grant = await lockGrant(trx, grantRef)
      if (grant === undefined) return false
      if (clientId !== undefined && clientId !== grant.clientId) return true
      await revokeGrant(ctx, trx, serverFor(ctx, request, grantRef), grant, 'CLIENT')
      return false
    })
    if (isForeign) throw new OauthError(400, 'unauthorized_client', 'This token belongs to another client.')
    return {}
  })
}

const invalidTarget = (message: string) => new OauthError(400, 'invalid_target', message)

async function exchangeCode(ctx: Ctx, request: FastifyRequest, clientId: string, form: Parameters) {
  const [text, verifier] = [form.required('code'), form.required('code_verifier')]
  const redirectUri = form.required('redirect_uri')
  const code = isWellFormedToken(text) ? await findCode(ctx.db, hashToken(text)) : undefined
  if (code === undefined) throw invalidGrant('This code is unknown, or has expired: authorize again.')
  return withGrant(ctx, request, code, async (grant, trx) => {
    // Whoever sends it twice, it may have been stolen.
    if (!(await useCode(trx, code, ctx.now()))) return 'CODE_REUSED'
    if (grant.clientId !== clientId) return invalidGrant('This code belongs to another client.')
    if (code.redirectUri !== redirectUri) return invalidGrant('The code was sent to another redirect URI.')
    if (!isVerifierOf(code.codeChallenge, verifier)) {
      return invalidGrant('The `code_verifier` does not fit the request.')
    }
    if (code.expiresAt <= ctx.now()) return invalidGrant('This code has expired: authorize again.')
    return issueTokens(ctx, trx, grant)
  })
}

function isVerifierOf(challenge: string, verifier: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const hash = createHash('sha256').update(verifier).digest()
  const expected = Buffer.from(challenge, 'base64url')
  return expected.length === hash.length && timingSafeEqual(hash, expected)
}

async function refresh(ctx: Ctx, request: FastifyRequest, clientId: string, form: Parameters) {
  const text = form.required('refresh_token')
  const token = isWellFormedToken(text) ? await findRefreshToken(ctx.db, hashToken(text)) : undefined
  if (token === undefined) throw invalidGrant('This refresh token is unknown, or has expired: authorize again.')
  return withGrant(ctx, request, token, async (grant, trx) => {
    const at = ctx.now()
    if (grant.clientId !== clientId) return invalidGrant('This refresh token belongs to another client.')
    if (token.expiresAt <= at) return invalidGrant('This refresh token has expired: authorize again.')
    const { usedAt, uses } = await useRefreshToken(trx, token, at)
    const isReused = usedAt !== null && at.getTime() - usedAt.getTime() > GRACE_MS
    if (isReused || uses > MAX_USES) return 'REFRESH_TOKEN_REUSED'
    return issueTokens(ctx, trx, grant)
  })
}

/**
 * Runs `work` with the locked grant, in a transaction that is committed even if the request is refused.
 * @param work returns tokens, the error for the client, or the reason for which the grant ends
 * @throws OauthError
 */
async function withGrant(
  ctx: Ctx,
  request: FastifyRequest,
  ref: GrantRef,
  work: (grant: Grant, trx: Trx) => Promise<IssuedTokens | OauthError | RevocationReason>
): Promise<IssuedTokens> {
  const result = await ctx.transaction(async trx => {
    const grant = await lockLiveGrant(trx, ref, ctx.now())
    if (grant === undefined) return ended()
    const outcome = await work(grant, trx)
    if (typeof outcome !== 'string') return outcome
    await revokeGrant(ctx, trx, serverFor(ctx, request, ref), grant, outcome)
    return ended()
  })
  if (result instanceof OauthError) throw result
  return result
}

/** The server itself, for a client without an account. */
const serverFor = (ctx: Ctx, { ip: address }: FastifyRequest, { workspaceId }: GrantRef): Caller => ({
  ...ctx.asServer(workspaceId),
  origin: 'rest',
  address
})

const ended = () => invalidGrant('This connection has ended: authorize again.')
