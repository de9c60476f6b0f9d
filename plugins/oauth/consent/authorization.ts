import type { FastifyRequest } from 'fastify'
import { invalid } from '../../../core/api/errors.ts'
import { clientOf, type Client } from '../clients/clients.ts'
import { isLoopbackRedirect, isRegistered } from '../clients/redirects.ts'
import type { Ctx } from '../context.ts'
import { assertOwnResource, issuerOf } from '../protocol/addresses.ts'
import { parameters, type Parameters } from '../protocol/form.ts'
import { scopesOf } from '../protocol/scopes.ts'

/** Read from the query with which the client has sent the browser. */
export interface Authorization {
  client: Client
  redirectUri: string
  redirectHost: string
  state: string | undefined
  codeChallenge: string
  scopes: string[]
}

/**
 * Reads the query with which a client has sent the browser. Nothing is redirected: an error is displayed, because a
 * client that registered itself may have chosen any address.
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.11.2
 * @throws 400
 */
export async function readAuthorization(ctx: Ctx, request: FastifyRequest, query: string): Promise<Authorization> {
  const refuse = (message: string) => invalid(message)
  const sent = parameters(new URLSearchParams(query), refuse)
  const client = await clientOf(ctx, sent.required('client_id'))
  const redirectUri = sent.required('redirect_uri')
  if (!isRegistered(client.redirectUris, redirectUri)) {
    throw invalid('The redirect URI is none of those that this client has registered: nothing was sent there.')
  }
  assertSupported(sent)
  assertOwnResource(issuerOf(ctx, request), sent.optional('resource'), refuse)
  return {
    client,
    redirectUri,
    redirectHost: new URL(redirectUri).host,
    state: sent.optional('state'),
    codeChallenge: sent.required('code_challenge'),
    scopes: scopesOf(ctx, sent.optional('scope'))
  }
}

/** @throws 400 for a flow other than the authorization code with PKCE. @see https://www.rfc-editor.org/rfc/rfc7636 */
function assertSupported({ required, optional }: Parameters): void {
  if (required('response_type') !== 'code') throw invalid('The only `response_type` here is `code`.')
  const mode = optional('response_mode')
  if (mode !== undefined && mode !== 'query') throw invalid('The only `response_mode` here is `query`.')
  // Without the method it would be `plain`, which protects nothing.
  if (!/^[\w-]{43}$/.test(required('code_challenge')) || optional('code_challenge_method') !== 'S256') {
    throw invalid('A client must prove by PKCE that it began the request: `code_challenge` with the method `S256`.')
  }
}

/** True if the host to which the code goes vouches for the client's name. On a person's machine, any program may. */
export const isProven = ({ client, redirectUri }: Authorization): boolean =>
  client.provenBy !== undefined && !isLoopbackRedirect(redirectUri)

/** The address to which the browser goes with the answer. @see https://www.rfc-editor.org/rfc/rfc9207 */
export function answerAddress(
  { redirectUri, state }: Authorization,
  issuer: string,
  answer: { code: string } | { error: 'access_denied' }
): string {
  const address = new URL(redirectUri)
  const values = { ...answer, ...(state !== undefined && { state }), iss: issuer }
  for (const [name, value] of Object.entries(values)) address.searchParams.set(name, value)
  return address.href
}
