import type { IncomingHttpHeaders } from 'node:http'
import {
  classifyInboundRequest,
  createMcpHandler,
  isJsonContentType,
  isJSONRPCNotification,
  isJSONRPCRequest,
  localhostAllowedOrigins,
  ProtocolErrorCode,
  Server,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
  type InboundHttpRequest
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { onBehalfOf } from '../../core/auth.ts'
import { version } from '../../core/openapi.ts'
import type { App } from '../../core/plugin.ts'
import type { Ctx } from './context.ts'
import type { Instruction, Toolset } from './contract.ts'
import { directAnswer, directCall, type DirectCall } from './direct-call.ts'
import { hostNames } from './host-names.ts'
import { jsonRpcError } from './json-rpc.ts'
import { callOf } from './loopback.ts'
import type { Toolbox } from './toolbox.ts'

/** Messages of one batch; only the oldest revision has batches. */
const MAX_MESSAGES = 16
/** What is on changes only with a restart; a token's scopes may change at any time. */
const CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const
const SERVER = { name: 'tracker', version }
const DAY = ['start', 'work', 'end']

export interface Endpoint {
  /** Why a request is refused that comes from a foreign site, by its `Origin` or its `Host`. */
  refusalOf(headers: IncomingHttpHeaders): string | undefined
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  close(): Promise<void>
}

/**
 * Both eras of the protocol on one endpoint, without state: each request has a server of its own, and plain JSON as its
 * answer.
 */
export function makeEndpoint({
  app,
  ctx,
  toolbox,
  instructions
}: {
  app: App
  ctx: Ctx
  toolbox: Toolbox
  instructions: readonly Instruction[]
}): Endpoint {
  const sentences = instructions.toSorted((a, b) => DAY.indexOf(a.at) - DAY.indexOf(b.at))
  // The library hands the web request through to where the server is made.
  const requests = new WeakMap<Request, FastifyRequest>()

  /** The rules for a token, without those about tools that are not listed to it. */
  function instructionsFor(scopes: readonly string[], toolset: Toolset): string {
    const isListed = new Set(toolbox.visible(scopes, toolset).map(({ name }) => name))
    return sentences
      .filter(({ scope }) => scopes.includes(scope.name))
      .filter(({ sentence }) => !sentence.match(/\w+/g)?.some(word => toolbox.has(word) && !isListed.has(word)))
      .map(({ sentence }) => sentence)
      .join(' ')
  }

  function serverFor(request: FastifyRequest): Server {
    const { principal } = request
    const { tools: toolset } = request.query as { tools: Toolset }
    const server = new Server(SERVER, {
      capabilities: { tools: { listChanged: false } },
      instructions: instructionsFor(principal.scopes, toolset),
      cacheHints: { 'tools/list': CACHE, 'server/discover': CACHE }
    })
    server.setRequestHandler('tools/list', async () => ({ tools: toolbox.visible(principal.scopes, toolset) }))
    server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {}, _meta: meta = {} } }) =>
      callTool(request, { name, args, meta })
    )
    return server
  }

  const callTool = (request: FastifyRequest, { name, args, meta }: Pick<DirectCall, 'name' | 'args' | 'meta'>) =>
    onBehalfOf(request, () =>
      toolbox.call(
        name,
        args,
        request.principal,
        callOf(asked => app.inject(asked), request, args, meta)
      )
    )

  const modern = createMcpHandler(
    ({ requestInfo }) => serverFor(requests.get(requestInfo as Request) as FastifyRequest),
    {
      legacy: 'reject',
      // A listener's stream would never end: `modernAnswer` says what it gets instead.
      maxSubscriptions: 0,
      onerror: error => ctx.log.debug({ err: error }, 'MCP request refused')
    }
  )

  async function legacy(request: FastifyRequest, web: Request): Promise<Response> {
    const { body } = request
    const refusal = Array.isArray(body) ? refusedBatch(body) : undefined
    if (refusal) return Response.json(refusal, { status: 400 })
    const server = serverFor(request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true
    })
    await server.connect(transport)
    try {
      return await transport.handleRequest(web, {
        parsedBody: Array.isArray(body) ? body.filter(message => !isCancellation(message)) : body
      })
    } finally {
      await server.close()
    }
  }

  const allowedOrigins = [...localhostAllowedOrigins(), ...ctx.settings.allowedOrigins]
  return {
    refusalOf({ origin, host }) {
      const originCheck = validateOriginHeader(origin, allowedOrigins)
      if (!originCheck.ok) {
        return `${originCheck.message}: an administrator can add it to plugins.mcp.allowedOrigins.`
      }
      const hostCheck = validateHostHeader(host, hostNames(app, ctx, host))
      if (!hostCheck.ok) return `${hostCheck.message}: an administrator can add it to plugins.mcp.allowedHosts.`
    },
    async answer(request, reply) {
      const { headers, body } = request
      if (!isJsonContentType(headers['content-type'])) {
        return reply
          .code(415)
          .send(jsonRpcError(415, "Send JSON, with the header 'Content-Type: application/json'.", body))
      }
      if (body === undefined) {
        return reply
          .code(400)
          .send(jsonRpcError(ProtocolErrorCode.ParseError, 'Parse error: the body is not JSON in UTF-8.'))
      }
      const call = directCall(headers, body)
      if (call && toolbox.has(call.name)) {
        return reply.type('application/json').send(directAnswer(call, await callTool(request, call), SERVER))
      }
      const web = new Request(`http://localhost${request.url}`, { method: 'POST', headers: webHeaders(request) })
      const response =
        classifyInboundRequest(inbound(request)).kind === 'legacy'
          ? await legacy(request, web)
          : await modernAnswer(request, web)
      reply.code(response.status).headers(Object.fromEntries(response.headers))
      return reply.send(response.body === null ? undefined : await response.text())
    },
    close: () => modern.close()
  }

  async function modernAnswer(request: FastifyRequest, web: Request): Promise<Response> {
    requests.set(web, request)
    const response = await modern.fetch(web, { parsedBody: request.body })
    // Nothing changes here that a client could listen for. What else is wrong with the message has been said before
    // this.
    if (response.ok && isJSONRPCRequest(request.body) && request.body.method === 'subscriptions/listen') {
      return Response.json(jsonRpcError(ProtocolErrorCode.MethodNotFound, 'Method not found', request.body), {
        status: 404
      })
    }
    return response
  }
}

function refusedBatch(messages: readonly unknown[]): object | undefined {
  if (messages.length > MAX_MESSAGES) {
    return jsonRpcError(400, `A batch has at most ${MAX_MESSAGES} messages; better send each by itself.`)
  }
  const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id)
  // Answers are told apart by their ids.
  if (new Set(ids).size < ids.length) {
    return jsonRpcError(
      ProtocolErrorCode.InvalidRequest,
      'Two requests of this batch have the same id: give each its own.'
    )
  }
}

/**
 * In a batch it may name a request of the batch, whose answer the library would then wait for in vain; no other request
 * can be running here.
 */
const isCancellation = (message: unknown): boolean =>
  isJSONRPCNotification(message) && message.method === 'notifications/cancelled'

function inbound({ headers, body }: FastifyRequest): InboundHttpRequest {
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = headers
  return {
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: String(version) }),
    ...(method !== undefined && { mcpMethodHeader: String(method) }),
    ...(name !== undefined && { mcpNameHeader: String(name) }),
    body
  }
}

function webHeaders({ headers }: FastifyRequest): Headers {
  const web = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name !== 'content-length') web.set(name, value)
  }
  return web
}
