import { createHash, randomBytes } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type { TestServer } from '../../../test/runner/harness.ts'

export const plugins = [
  'workspace',
  'agents',
  'issues',
  'claims',
  'comments',
  'mcp',
  'passwords',
  'events',
  'ui',
  'oauth'
]
export const REDIRECT = 'http://127.0.0.1:45923/callback'
/** The address of a server in tests, without `publicUrl`. */
export const ISSUER = 'http://localhost'

export interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
  scope: string
  token_type: string
}

export const sendForm = (server: TestServer, path: string, form: Record<string, string> | string) =>
  server.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString()
  })

/** Registers a client as Codex does. */
export async function register(server: TestServer, more: object = {}): Promise<string> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/v1/oauth/register',
    payload: {
      client_name: 'Codex',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'read write offline_access',
      application_type: 'native',
      ...more
    }
  })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json<{ client_id: string }>().client_id
}

export interface Flow {
  clientId: string
  redirectUri: string
  verifier: string
  query: string
}

/** The query with which a client opens the page for consent. @param more parameters to change; undefined: left out */
export function begin(clientId: string, more: Record<string, string | undefined> = {}): Flow {
  const verifier = randomBytes(32).toString('base64url')
  const values: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a state',
    scope: 'read write',
    resource: `${ISSUER}/v1/mcp`,
    ...more
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, value)
  return { clientId, redirectUri: values['redirect_uri'] ?? REDIRECT, verifier, query: query.toString() }
}

export const consent = (server: TestServer, { query }: Pick<Flow, 'query'>, body: object, token?: string) =>
  server.call('/v1/oauth/consent', {
    body: { query, isApproved: true, ...body },
    ...(token !== undefined && { token })
  })

/** Lets a client act as a new agent. @returns its code */
export async function approved(server: TestServer, flow: Flow, body: object = {}, token?: string): Promise<string> {
  const answer = await consent(server, flow, { newAgent: 'Codex', scopes: ['read', 'write'], ...body }, token)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  const to = new URL(answer.json<{ redirectTo: string }>().redirectTo)
  return to.searchParams.get('code')!
}

export const exchange = (
  server: TestServer,
  { clientId, redirectUri, verifier }: Flow,
  code: string,
  more: Record<string, string> = {}
) =>
  sendForm(server, '/v1/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource: `${ISSUER}/v1/mcp`,
    ...more
  })

export const refresh = (
  server: TestServer,
  clientId: string,
  refreshToken: string,
  more: Record<string, string> = {}
) =>
  sendForm(server, '/v1/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    ...more
  })

/** The whole way of a client, to its tokens. */
export async function connected(
  server: TestServer,
  body: object = {},
  token?: string
): Promise<{ clientId: string; tokens: Tokens; flow: Flow; code: string }> {
  const clientId = await register(server)
  const flow = begin(clientId)
  const code = await approved(server, flow, body, token)
  const answer = await exchange(server, flow, code)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return { clientId, tokens: answer.json<Tokens>(), flow, code }
}

/** Calls a tool, or lists the tools. */
export const mcp = (server: TestServer, token: string | null, method = 'tools/list', params: object = {}) =>
  server.call('/v1/mcp', {
    token,
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
  })
export const toolsOf = (answer: LightMyRequestResponse): string[] =>
  answer.json<{ result: { tools: Array<{ name: string }> } }>().result.tools.map(({ name }) => name)
