import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'

/** The route for which access tokens are made. */
export const AUDIENCE = '/v1/mcp'
export const PATHS = {
  protectedResource: '/.well-known/oauth-protected-resource',
  authorizationServer: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
  authorize: '/authorize',
  token: '/v1/oauth/token',
  register: '/v1/oauth/register',
  revoke: '/v1/oauth/revoke',
  keys: '/v1/oauth/keys'
} as const

/** The address of this authorization server: its identity, and the beginning of the addresses of its endpoints. */
export const issuerOf = ({ use }: Ctx, request: FastifyRequest): string => use.sessions.cookies.addressOf(request)

/** @throws the caller's error when a client names another resource. @see https://www.rfc-editor.org/rfc/rfc8707 */
export function assertOwnResource(issuer: string, resource: string | undefined, refuse: (message: string) => Error) {
  const own = issuer + AUDIENCE
  // Clients may have the address with a query, such as `?tools=core`, or a slash at its end.
  if (resource === undefined || resource.split(/[?#]/)[0]!.replace(/\/$/, '') === own) return
  throw refuse(`This server makes tokens for the resource ${own} only.`)
}
