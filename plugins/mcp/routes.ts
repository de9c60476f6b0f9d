import { isUtf8 } from 'node:buffer'
import rateLimit from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { Type } from 'typebox'
import { confinementRules } from '../../core/api/confinement.ts'
import { toApiError } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { Closed } from '../../core/api/schemas.ts'
import { readScope } from '../../core/api/scopes.ts'
import { mcpInstructions, TOOLSETS } from './contract.ts'
import type { Endpoint } from './endpoint.ts'
import type { Ctx } from './context.ts'
import { jsonRpcError, MAX_MESSAGES } from './protocol/json-rpc.ts'
import { makeToolbox, toolsOf } from './toolbox.ts'

const PATH = '/v1/mcp'
/** Maximum bytes of a message, as in the protocol's library. */
const BODY_LIMIT = 4 * 1024 * 1024
const INVALID_REQUEST = -32600

const Query = Closed({
  tools: Type.Enum([...TOOLSETS], {
    default: 'all',
    description:
      'Which tools are listed: all, or the few that working a task off takes, without their rarer arguments. ' +
      'Tools that are not listed can be called, too.'
  })
})

export async function mcpRoutes(app: App, ctx: Ctx): Promise<void> {
  const endpoint = loadOnFirstUse(app, ctx)

  answerInJsonRpc(app)
  checkSites(app, endpoint)

  const limit = await makeRateLimit(app, ctx)
  confinementRules(
    app,
    Object.fromEntries(
      ['POST', 'GET', 'DELETE'].map(method => [
        `${method} ${PATH}`,
        { allows: 'all tools; what each does is checked by the routes that it uses' }
      ])
    )
  )

  // Each tool's request is checked by its route; listing the tools needs only the scope `read`.
  const scope = readScope
  app.post(
    PATH,
    {
      config: {
        scope,
        sessions: false,
        readAhead: (...call) => endpoint.loaded?.begin(...call),
        readAheadNeedsBody: true
      },
      // After the body is parsed: its messages are counted, and the refusal echoes its id.
      preHandler: limit,
      schema: {
        tags: ['mcp'],
        summary: 'Model Context Protocol',
        description:
          'Stateless Streamable HTTP: one JSON-RPC message, one JSON answer. Revision 2026-07-28 and those of 2025.',
        querystring: Query
      }
    },
    async (request, reply) => (await endpoint.load()).answer(request, reply)
  )
  app.route({
    method: ['GET', 'DELETE'],
    url: PATH,
    config: { scope, sessions: false },
    schema: { hide: true },
    handler: async (_request: FastifyRequest, reply: FastifyReply) =>
      reply
        .code(405)
        .header('allow', 'POST')
        .send(jsonRpcError(405, 'There are no sessions and no streams here: send each message by POST.'))
  })
}

function checkSites(app: App, endpoint: ReturnType<typeof loadOnFirstUse>): void {
  app.addHook('onRequest', async (request, reply) => {
    const refusal = (await endpoint.load()).refusalOf(request.headers)
    if (refusal !== undefined) return reply.code(403).send(jsonRpcError(403, refusal))
    const { origin } = request.headers
    if (origin !== undefined) {
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'retry-after, www-authenticate, x-request-id',
        vary: 'Origin'
      })
    }
  })
  // https://fetch.spec.whatwg.org/#cors-preflight-fetch
  app.options(PATH, { config: { public: true }, schema: { hide: true } }, async ({ headers }, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
        'access-control-max-age': '600'
      })
      .send()
  )
}

/** With the first message, so that the start does not wait for the protocol's library. */
function loadOnFirstUse(app: App, ctx: Ctx) {
  const toolbox = makeToolbox(toolsOf(ctx.contributions), ctx.log)
  const instructions = ctx.contributions(mcpInstructions).map(({ item }) => item)
  let loading: Promise<Endpoint> | undefined
  const endpoint = {
    loaded: undefined as Endpoint | undefined,
    load: () =>
      (loading ??= import('./endpoint.ts').then(
        ({ makeEndpoint }) => (endpoint.loaded = makeEndpoint({ app, ctx, toolbox, instructions }))
      ))
  }
  app.addHook('onClose', async () => (await loading)?.close())
  return endpoint
}

function answerInJsonRpc(app: App): void {
  // The protocol has its own answers to a body that is not JSON, or not declared as such.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
    done(null, parseMessage(body as Buffer))
  })
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof RateLimited) return reply.code(429).send(error.answer)
    const known = toApiError(error)
    if (known?.statusCode === 400) {
      return reply.code(400).send(jsonRpcError(INVALID_REQUEST, known.message, request.body))
    }
    if (known?.statusCode === 413) {
      return reply.code(413).send(jsonRpcError(413, `The message is too large: send at most ${BODY_LIMIT} bytes.`))
    }
    if (known?.statusCode === 415) return reply.code(415).send(jsonRpcError(415, known.message))
    throw error
  })
}

function parseMessage(body: Buffer): unknown {
  if (!isUtf8(body)) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** @returns a hook that throws RateLimited */
async function makeRateLimit(app: App, { settings, log }: Ctx) {
  const redis = settings.redisUrl === undefined ? undefined : await connect(settings.redisUrl)
  redis?.on('error', (err: Error) => {
    log.warn({ err }, 'the shared rate limit cannot be counted: Redis does not answer')
  })
  app.addHook('onClose', async () => redis?.disconnect())
  await app.register(rateLimit, {
    global: false,
    // Read for each request: they may change.
    max: () => settings.rateLimit,
    timeWindow: () => settings.rateLimitWindowMs,
    keyGenerator: request => request.principal.tokenId,
    // If Redis does not answer, agents are served without a limit.
    skipOnError: true,
    nameSpace: 'tracker-mcp-',
    ...(redis && { redis })
  })
  const count = app.createRateLimit()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (settings.rateLimit === 0) return
    for (let pending = messagesIn(request.body); pending > 0; pending--) {
      const counted = await count(request)
      if (counted.isAllowed) return
      const { max, remaining, ttlInSeconds: retryAfter, isExceeded } = counted
      reply.headers({
        'x-ratelimit-limit': max,
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': retryAfter
      })
      if (!isExceeded) continue
      reply.header('retry-after', retryAfter)
      throw new RateLimited(
        jsonRpcError(
          429,
          `More than ${max} requests with this token, counting each message of a batch: wait ${retryAfter} s.`,
          request.body,
          { retryAfter }
        )
      )
    }
  }
}

/** The number of handled messages: a larger batch is refused as a whole. */
const messagesIn = (body: unknown): number =>
  Array.isArray(body) ? Math.min(Math.max(body.length, 1), MAX_MESSAGES) : 1

async function connect(url: string): Promise<Redis> {
  const { Redis } = await import('ioredis')
  return new Redis(url, {
    connectTimeout: 1_000,
    commandTimeout: 1_000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false
  })
}

class RateLimited extends Error {
  readonly answer: object
  constructor(answer: object) {
    super('rate limit exceeded')
    this.answer = answer
  }
}
