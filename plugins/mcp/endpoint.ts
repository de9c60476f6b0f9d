import type { IncomingHttpHeaders } from 'node:http'
import {
  classifyInboundRequest,
  createMcpHandler,
  isJsonContentType,
  isJSONRPCRequest,
  localhostAllowedOrigins,
  ProtocolErrorCode,
  validateHostHeader,
  validateOriginHeader,
  type InboundHttpRequest,
  type Server
} from '@modelcontextprotocol/server'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../core/api/plugin.ts'
import type { Ctx } from './context.ts'
import type { Instruction } from './contract.ts'
import { makeHostNames } from './protocol/host-names.ts'
import { jsonRpcError } from './protocol/json-rpc.ts'
import { answerLegacy } from './protocol/legacy.ts'
import { sendInside } from './fast-path/inner-request.ts'
import { makePlainCalls, type PlainCalls } from './fast-path/plain-calls.ts'
import { makeToolCalls, type SendRequest } from './tool-calls.ts'
import { makeServers } from './protocol/server.ts'
import type { Toolbox } from './toolbox.ts'

export interface Endpoint {
  /** The reason to refuse a request from a foreign site, by its `Origin` or its `Host`. */
  refusalOf(headers: IncomingHttpHeaders): string | undefined
  begin: PlainCalls['begin']
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  close(): Promise<void>
}

/**
 * Both eras of the protocol on one endpoint, without state: each request has a server of its own, and a plain JSON
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
  const { fastPath } = ctx.settings
  const send: SendRequest = request => (fastPath ? sendInside(app, request) : app.inject(request))
  const calls = makeToolCalls(send)
  const serverFor = makeServers({ toolbox, callTool: calls.callTool, instructions })
  const plainCalls = fastPath ? makePlainCalls(toolbox, calls) : undefined
  const modern = makeModern(serverFor, ctx.log)
  const hostNames = makeHostNames(app, ctx)
  const { publicUrl } = ctx.use.address
  const ownName = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  const allowedOrigins = [...localhostAllowedOrigins(), ...ctx.settings.allowedOrigins, ...ownName]
  // Clients keep one name: each check parses two URLs.
  let allowed: Pick<IncomingHttpHeaders, 'origin' | 'host'> | undefined
  return {
    refusalOf({ origin, host }) {
      if (allowed !== undefined && allowed.host === host && allowed.origin === origin) return undefined
      const originCheck = validateOriginHeader(origin, allowedOrigins)
      if (!originCheck.ok) {
        return `${originCheck.message}: an administrator can add it to plugins.mcp.allowedOrigins.`
      }
      const hostCheck = validateHostHeader(host, hostNames(host))
      if (!hostCheck.ok) return `${hostCheck.message}: an administrator can add it to plugins.mcp.allowedHosts.`
      allowed = { origin, host }
    },
    begin: (...call) => plainCalls?.begin(...call),
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
      const answer = await plainCalls?.answer(request)
      if (answer !== undefined) return reply.type('application/json').send(answer)
      const web = new Request(`http://localhost${request.url}`, { method: 'POST', headers: webHeaders(request) })
      const response =
        classifyInboundRequest(inbound(request)).kind === 'legacy'
          ? await answerLegacy(() => serverFor(request), web, body)
          : await modern.answer(request, web)
      reply.code(response.status).headers(Object.fromEntries(response.headers))
      return reply.send(response.body === null ? undefined : await response.text())
    },
    close: () => modern.close()
  }
}

function makeModern(serverFor: (request: FastifyRequest) => Server, log: FastifyBaseLogger) {
  // The library passes the web request to the code that makes the server.
  const requests = new WeakMap<Request, FastifyRequest>()
  const handler = createMcpHandler(
    ({ requestInfo }) => serverFor(requests.get(requestInfo as Request) as FastifyRequest),
    {
      legacy: 'reject',
      // A subscription's stream would never end: `answer` refuses it below.
      maxSubscriptions: 0,
      onerror: error => log.debug({ err: error }, 'MCP request refused')
    }
  )
  return {
    async answer(request: FastifyRequest, web: Request): Promise<Response> {
      const { body } = request
      requests.set(web, request)
      const response = await handler.fetch(web, { parsedBody: body })
      // There is nothing to subscribe to. Any other error in the message was reported before.
      if (response.ok && isJSONRPCRequest(body) && body.method === 'subscriptions/listen') {
        return Response.json(jsonRpcError(ProtocolErrorCode.MethodNotFound, 'Method not found', body), { status: 404 })
      }
      return response
    },
    close: () => handler.close()
  }
}

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
