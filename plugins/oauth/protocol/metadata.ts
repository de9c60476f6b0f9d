import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLoopback } from '../../../core/api/accounts.ts'
import type { App } from '../../../core/api/plugin.ts'
import type { Ctx } from '../context.ts'
import { AUDIENCE, issuerOf, PATHS } from './addresses.ts'

/**
 * The documents by which a client finds its way from the address of the MCP endpoint to a token.
 * @see https://www.rfc-editor.org/rfc/rfc9728 and https://www.rfc-editor.org/rfc/rfc8414
 */
export function metadataRoutes(app: App, ctx: Ctx): void {
  const { prefix } = ctx.use.address
  const add = (paths: readonly string[], documentOf: (request: FastifyRequest) => object) => {
    for (const url of new Set(paths)) {
      app.get(url, { config: { public: true }, schema: { hide: true } }, async (request, reply: FastifyReply) =>
        reply.header('cache-control', 'public, max-age=300').send(documentOf(request))
      )
    }
  }
  // The addresses with the prefix at the end are those of the standards, if the proxy sends them here.
  const { protectedResource, authorizationServer, openidConfiguration, keys } = PATHS
  add([`${protectedResource}${AUDIENCE}`, protectedResource, `${protectedResource}${prefix}${AUDIENCE}`], request => ({
    resource: issuerOf(ctx, request) + AUDIENCE,
    resource_name: 'tracker',
    authorization_servers: [issuerOf(ctx, request)],
    scopes_supported: ctx.use.access.scopes().map(({ name }) => name),
    bearer_methods_supported: ['header']
  }))
  add([authorizationServer, `${authorizationServer}${prefix}`], request => serverMetadata(ctx, issuerOf(ctx, request)))
  // Clients look here for an issuer with a path. They require the fields of OpenID; there are no ID tokens.
  add([openidConfiguration, `${openidConfiguration}${prefix}`], request => ({
    ...serverMetadata(ctx, issuerOf(ctx, request)),
    jwks_uri: issuerOf(ctx, request) + keys,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256']
  }))
  add([keys], () => ({ keys: [] }))
}

const serverMetadata = ({ settings, use }: Ctx, issuer: string) => ({
  issuer,
  authorization_endpoint: issuer + PATHS.authorize,
  token_endpoint: issuer + PATHS.token,
  ...(settings.registrationsPerHour > 0 && { registration_endpoint: issuer + PATHS.register }),
  revocation_endpoint: issuer + PATHS.revoke,
  scopes_supported: use.access.scopes().map(({ name }) => name),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: settings.clientMetadataDocuments
})

/** For a request without a token. */
export function challengeOf(ctx: Ctx, request: FastifyRequest): Record<string, string> | undefined {
  const isReachable = ctx.use.address.publicUrl !== undefined || isLoopback(request.hostname)
  if (request.routeOptions.url !== AUDIENCE || !isReachable) return undefined
  return {
    resource_metadata: `${issuerOf(ctx, request)}${PATHS.protectedResource}${AUDIENCE}`,
    scope: ctx.use.access.defaultScopes().join(' ')
  }
}
