import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { networkOf } from '../../../core/api/accounts.ts'
import { newId } from '../../../core/api/database/queries.ts'
import type { App } from '../../../core/api/plugin.ts'
import type { Ctx } from '../context.ts'
import { PATHS } from '../protocol/addresses.ts'
import { OauthError } from '../protocol/errors.ts'
import { scopesOf } from '../protocol/scopes.ts'
import { countClients, insertClient, lockRegistrations } from '../queries/clients.ts'
import { nameOf, readMetadata, usesCodes, type ClientMetadata } from './metadata.ts'
import { isRedirect } from './redirects.ts'

const HOUR_MS = 3_600_000
const UNUSED_CLIENT_MS = 24 * HOUR_MS
const BODY_LIMIT = 32 * 1024

/** Dynamic client registration. @see https://www.rfc-editor.org/rfc/rfc7591 */
export function registrationRoute(app: App, ctx: Ctx): void {
  app.post(
    PATHS.register,
    // Checked below, to answer the errors of OAuth.
    { bodyLimit: BODY_LIMIT, config: { public: true }, schema: { hide: true, body: Type.Unknown() } },
    async (request, reply) => {
      if (ctx.settings.registrationsPerHour === 0) {
        throw new OauthError(403, 'access_denied', 'This server registers no clients (registrationsPerHour).')
      }
      const metadata = readMetadata(request.body)
      if (metadata === undefined) throw invalidMetadata('Send a JSON object with `redirect_uris`, a list of addresses.')
      if (!usesCodes(metadata)) throw invalidMetadata('The only grant here is `authorization_code`, refreshed.')
      const refused = metadata.redirect_uris.find(uri => !isRedirect(uri))
      if (refused !== undefined) {
        throw new OauthError(
          400,
          'invalid_redirect_uri',
          'A redirect URI begins with https://, or with http:// and localhost, 127.0.0.1 or [::1]; it has no fragment.'
        )
      }
      return register(ctx, request, reply, metadata)
    }
  )
}

const invalidMetadata = (message: string) => new OauthError(400, 'invalid_client_metadata', message)

async function register(ctx: Ctx, request: FastifyRequest, reply: FastifyReply, metadata: ClientMetadata) {
  const createdAt = ctx.now()
  const client = {
    id: newId(),
    name: nameOf(metadata),
    redirectUris: metadata.redirect_uris,
    network: createHash('sha256').update(networkOf(request.ip)).digest(),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + UNUSED_CLIENT_MS)
  }
  const since = new Date(createdAt.getTime() - HOUR_MS)
  const { registrationsPerHour, maxUnusedClients } = ctx.settings
  await ctx.transaction(async trx => {
    await lockRegistrations(trx)
    const { network, expiresAt: expireBefore } = client
    const { ofNetwork, unused } = await countClients(trx, { network, since, expireBefore })
    if (ofNetwork >= registrationsPerHour || unused >= maxUnusedClients) throw tooMany()
    await insertClient(trx, client)
  })
  const { scope } = (request.body ?? {}) as { scope?: unknown }
  return reply.code(201).send({
    client_id: client.id,
    client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: scopesOf(ctx, typeof scope === 'string' ? scope : undefined).join(' '),
    ...(metadata.application_type !== undefined && { application_type: metadata.application_type })
  })
}

const tooMany = () =>
  new OauthError(429, 'temporarily_unavailable', 'Too many clients were registered: try again in an hour.', {
    'retry-after': String(HOUR_MS / 1000)
  })
