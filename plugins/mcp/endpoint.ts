import { createMcpHandler, isJsonContentType, isLegacyRequest, Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { version } from '../../core/openapi.ts'
import type { App } from '../../core/plugin.ts'
import type { Instruction } from './contract.ts'
import { jsonRpcError } from './json-rpc.ts'
import { callOf } from './loopback.ts'
import type { Toolbox } from './toolbox.ts'

/** Messages of one batch; only the oldest revision has batches. */
const MOST_MESSAGES = 16
/** What is on changes only with a restart; a token's scopes may change at any time. */
const CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const
const DAY = ['start', 'work', 'end']

export interface Endpoint {
  answer (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  close (): Promise<void>
}

/** Both eras of the protocol on one endpoint, without state: each request has a server of its own, and plain JSON as its answer. */
export function makeEndpoint ({ app, log, toolbox, instructions }: { app: App, log: FastifyBaseLogger, toolbox: Toolbox, instructions: readonly Instruction[] }): Endpoint {
  const sentences = instructions.toSorted((a, b) => DAY.indexOf(a.at) - DAY.indexOf(b.at))
  // The library hands the web request through to where the server is made.
  const requests = new WeakMap<Request, FastifyRequest>()

  function serverFor (request: FastifyRequest): Server {
    const { principal } = request
    const server = new Server({ name: 'tracker', version }, {
      capabilities: { tools: { listChanged: false } },
      instructions: sentences.filter(({ scope }) => principal.scopes.includes(scope)).map(({ sentence }) => sentence).join(' '),
      cacheHints: { 'tools/list': CACHE, 'server/discover': CACHE }
    })
    server.setRequestHandler('tools/list', async () => ({ tools: toolbox.visible(principal.scopes) }))
    server.setRequestHandler('tools/call', ({ params }) => toolbox.call(params.name, params.arguments ?? {}, principal, callOf(app, request, params.arguments)))
    return server
  }

  const modern = createMcpHandler(({ requestInfo }) => serverFor(requests.get(requestInfo as Request) as FastifyRequest), {
    legacy: 'reject',
    onerror: error => log.debug({ err: error }, 'MCP request refused')
  })

  async function legacy (request: FastifyRequest, web: Request): Promise<Response> {
    const { body } = request
    if (Array.isArray(body) && body.length > MOST_MESSAGES) {
      return Response.json(jsonRpcError(400, `A batch has at most ${MOST_MESSAGES} messages; better send each by itself.`), { status: 400 })
    }
    const server = serverFor(request)
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
    await server.connect(transport)
    try {
      return await transport.handleRequest(web, { parsedBody: body })
    } finally {
      await server.close()
    }
  }

  return {
    async answer (request, reply) {
      const { body } = request
      const web = new Request(`http://localhost${request.url}`, { method: 'POST', headers: webHeaders(request) })
      const response = !isJsonContentType(request.headers['content-type'])
        ? Response.json(jsonRpcError(415, "Send JSON, with the header 'Content-Type: application/json'.", body), { status: 415 })
        : body === undefined
          ? Response.json({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error: the body is not JSON in UTF-8.' } }, { status: 400 })
          : await isLegacyRequest(web, body)
            ? await legacy(request, web)
            : await modernAnswer(request, web)
      reply.code(response.status).headers(Object.fromEntries(response.headers))
      return reply.send(response.body === null ? undefined : await response.text())
    },
    close: () => modern.close()
  }

  function modernAnswer (request: FastifyRequest, web: Request): Promise<Response> {
    requests.set(web, request)
    return modern.fetch(web, { parsedBody: request.body })
  }
}

function webHeaders ({ headers }: FastifyRequest): Headers {
  const web = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name !== 'content-length') web.set(name, value)
  }
  return web
}
