import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { RefusalLog } from '../audit/lines.ts'
import { assertHasRule } from '../api/confinement.ts'
import type { Contribution, Principal, Scope } from '../api/contract.ts'
import { abbreviate, ApiError, invalid, missing } from '../api/errors.ts'
import type { CallerHeader, ConfinedTokens, HeaderFields, LoginMethod, RequestListener } from '../api/points.ts'
import { assertAdmin, assertScope, readScope, requiredScope } from '../api/scopes.ts'
import { assertSameOrigin } from './same-origin.ts'
import { runAsSharer } from '../limits/shares.ts'
import type { Sessions } from './sessions.ts'
import type { StartReads, TokenLogin } from './token-login.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
    /** The look-up of the token, for routes whose body is read meanwhile; settles before the handler runs. */
    authorizing: Promise<void> | null
    /** The arguments for reading ahead, from the look-up of the token until the body is read. */
    awaitingBody: Parameters<StartReads> | null
  }
  interface FastifyInstance {
    /** Identifies the caller. @throws 401, 403 */
    authenticate(request: FastifyRequest): Promise<Principal>
  }
  interface FastifyContextConfig {
    /** No token is required; `request.principal` must not be read. */
    public?: boolean
    scope?: Scope
    admin?: boolean
    /** A route for signing in: public, but only for pages of this server. */
    signIn?: boolean
    /** False: sessions are not accepted, only tokens. */
    sessions?: boolean
  }
}

/** Printable ASCII without spaces, at most 200 characters. */
const SESSION_NAME = /^[\x21-\x7e]{1,200}$/

/** The client's name for its session; undefined if it is missing or invalid, which is no reason to refuse a request. */
export const validSession = (value: unknown): string | undefined =>
  typeof value === 'string' && SESSION_NAME.test(value) ? value : undefined

const sessionHeader: CallerHeader = {
  name: 'x-tracker-session',
  read(text) {
    const session = validSession(text)
    return session === undefined ? {} : { session }
  }
}

/** The preconditions of HTTP itself: who does not know one of them may ignore it. */
const HTTP_PRECONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range']

/** The fields of the caller that come from headers: the session's name, and those of plugins. @throws 400 */
function fromHeaders({ headers }: FastifyRequest, callerHeaders: readonly CallerHeader[]): HeaderFields {
  for (const header in headers) {
    if (!header.startsWith('if-') || HTTP_PRECONDITIONS.includes(header)) continue
    if (callerHeaders.some(({ name }) => name === header)) continue
    throw invalid(
      `This server does not know the precondition ${header}: leave the header out, or turn the plugin on that reads it.`
    )
  }
  const sent = [sessionHeader, ...callerHeaders].filter(({ name }) => headers[name] !== undefined)
  return Object.assign({}, ...sent.map(({ name, read }) => read(String(headers[name]))))
}

/** The request on whose behalf code sends requests to this server. */
interface Behalf {
  /** Undefined once the request has ended. */
  request: FastifyRequest | undefined
  /** While its token is being looked up: the arguments for reading ahead. */
  ahead: Parameters<StartReads> | undefined
}
const onBehalf = new AsyncLocalStorage<Behalf>()

/**
 * Runs `work` on behalf of `request`: requests to this server with the same token count as use of a tool, without
 * another look-up of the token.
 * @param ahead the arguments of `readAhead` while the token of `request` is being looked up: the inner requests read
 * ahead with it, and wait until `request` is authorized
 */
export async function onBehalfOf<T>(
  request: FastifyRequest,
  work: () => Promise<T>,
  ahead?: Parameters<StartReads>
): Promise<T> {
  const behalf: Behalf = { request, ahead }
  try {
    return await onBehalf.run(behalf, async () => await work())
  } finally {
    // Work that is still running loses the caller's rights.
    behalf.request = undefined
  }
}

/** The caller of a request on behalf of another. @throws 401, 403 */
async function principalOnBehalf(
  caller: FastifyRequest,
  ahead: Behalf['ahead'],
  startReads: StartReads
): Promise<Principal> {
  if (ahead) {
    startReads(...ahead)
    await caller.authorizing
  }
  return { ...caller.principal, origin: 'tool' }
}

/** A client may name the workspace, but only that of its token. @throws 404 */
export function assertOwnWorkspace(
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  requestedId: string | undefined
): void {
  if (requestedId && requestedId.toLowerCase() !== workspaceId) {
    throw missing(`This token does not belong to a workspace '${abbreviate(requestedId)}': leave workspaceId out.`)
  }
}

function unauthenticated(request: FastifyRequest, code: string, message: string, methods: readonly LoginMethod[]) {
  const parameters = methods
    .flatMap(method => Object.entries(method.bearerParameters?.(request) ?? {}))
    .map(([name, value]) => `${name}="${value}"`)
  return new ApiError(401, code, message, {}, { 'www-authenticate': `Bearer ${parameters.join(', ')}`.trim() })
}

interface AuthOptions {
  tokens: TokenLogin
  sessions: Sessions
  /** The setting `publicUrl`; undefined: browsers use the host that a request names. */
  publicUrl: string | undefined
  /** Complete before the first request, like the following lists. */
  loginMethods: () => readonly LoginMethod[]
  refusals: RefusalLog
  callerHeaders: () => readonly CallerHeader[]
  confinedTokens: () => ReadonlyArray<Contribution<ConfinedTokens>>
  tokenAudiences: () => ReadonlyArray<Contribution<string>>
  requestListeners: () => readonly RequestListener[]
}

/** @throws 401, 403 */
async function principalOf(
  request: FastifyRequest,
  { tokens, sessions, loginMethods, refusals, tokenAudiences }: Omit<AuthOptions, 'publicUrl'>,
  startReads: StartReads
): Promise<Principal> {
  const { authorization } = request.headers
  const { request: caller, ahead } = onBehalf.getStore() ?? {}
  if (authorization !== undefined && caller?.headers.authorization === authorization) {
    return principalOnBehalf(caller, ahead, startReads)
  }
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  const principal =
    token === undefined
      ? await principalOfSession(request, sessions, startReads)
      : acceptedFor(request, await tokens.principalOf(token, 'ACCESS', startReads), tokenAudiences)
  if (principal) return principal
  if (authorization === undefined) {
    throw unauthenticated(
      request,
      'TOKEN_MISSING',
      "Send an access token in the header 'Authorization: Bearer <token>', or, in a browser, sign in.",
      loginMethods()
    )
  }
  refusals.write({ security: 'token.refused', address: request.ip, reason: 'TOKEN_INVALID' }, request.log)
  throw unauthenticated(
    request,
    'TOKEN_INVALID',
    'The access token is malformed, unknown, revoked or expired: ask an administrator for a new one.',
    loginMethods()
  )
}

/** @returns undefined for a token of another route, and for one of a plugin that is off */
function acceptedFor(
  { routeOptions: { url } }: FastifyRequest,
  principal: Principal | undefined,
  audiences: AuthOptions['tokenAudiences']
): Principal | undefined {
  const { audience, plugin } = principal?.confinedTo ?? {}
  if (principal === undefined || audience === undefined) return principal
  const isAccepted = audience === url && audiences().some(({ from, item }) => from === plugin && item === audience)
  return isAccepted ? { ...principal, confinedTo: undefined } : undefined
}

async function principalOfSession(
  request: FastifyRequest,
  sessions: Sessions,
  startReads: StartReads
): Promise<Principal | undefined> {
  const mayHaveSession = request.headers.authorization === undefined && request.routeOptions.config.sessions !== false
  return mayHaveSession ? sessions.principalOf(request, startReads) : undefined
}

/** Authentication and authorization: tokens, sessions, scopes and roles, before the body is read. */
export const auth = fp<AuthOptions>(
  async (app, { publicUrl, ...who }) => {
    const { callerHeaders, confinedTokens, requestListeners } = who
    // Set by the hook below for every route that is not public.
    app.decorateRequest('principal', null as unknown as Principal)
    app.decorateRequest('authorizing', null)
    app.decorateRequest('awaitingBody', null)
    const authenticate = (request: FastifyRequest, startReads: StartReads) => principalOf(request, who, startReads)
    app.decorate('authenticate', (request: FastifyRequest) => authenticate(request, () => {}))

    async function authorize(request: FastifyRequest): Promise<void> {
      const { scope, admin, readAhead, readAheadNeedsBody } = request.routeOptions.config
      const startReads: StartReads = (owner, reads) => {
        if (readAheadNeedsBody) request.awaitingBody = [owner, reads]
        else readAhead?.(request, owner, reads)
      }
      // On behalf of another request, the address is that of its client.
      const fields = fromHeaders(request, callerHeaders())
      const principal = { address: request.ip, ...(await authenticate(request, startReads)), ...fields }
      request.principal = principal
      for (const { kind, hear } of requestListeners()) if (kind === principal.kind) hear(principal)
      assertScope(principal, requiredScope(request.method, scope))
      if (admin) assertAdmin(principal)
      if (principal.confinedTo) assertHasRule(request, principal.confinedTo, confinedTokens())
    }

    app.addHook('onRoute', ({ method, url, config }) => {
      if (!config?.readAhead || requiredScope(String(method), config.scope) === readScope) return
      throw new Error(`${String(method)} ${url} reads ahead and writes: only what needs the scope 'read' reads ahead.`)
    })
    app.addHook('onRequest', async (request, reply) => {
      const { public: open, signIn } = request.routeOptions.config
      if (signIn) return assertSameOrigin(request, publicUrl)
      if (open || request.is404) return
      // The browser's next user must find nothing in its cache. A route may set another value.
      if (request.headers.authorization === undefined) reply.header('cache-control', 'no-store')
      const authorizing = authorize(request)
      if (request.awaitingBody === null) return authorizing
      authorizing.catch(() => {}) // it is awaited below, or by what answers an error of the body
      request.authorizing = authorizing
    })
    app.addHook('preHandler', async request => {
      if (request.awaitingBody) request.routeOptions.config.readAhead?.(request, ...request.awaitingBody)
      await request.authorizing
    })
    app.addHook('preHandler', (request, _reply, done) => {
      if (request.principal) runAsSharer(request.principal, done)
      else done()
    })

    app.addHook('onClose', () => who.tokens.close())
  },
  { name: 'auth' }
)
