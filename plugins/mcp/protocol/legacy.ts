import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  type Server
} from '@modelcontextprotocol/server'
import { jsonRpcError, MAX_MESSAGES } from './json-rpc.ts'

export async function answerLegacy(serverFor: () => Server, web: Request, body: unknown): Promise<Response> {
  const refusal = Array.isArray(body) ? refusedBatch(body) : undefined
  if (refusal) return Response.json(refusal, { status: 400 })
  const server = serverFor()
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

function refusedBatch(messages: readonly unknown[]): object | undefined {
  if (messages.length > MAX_MESSAGES) {
    return jsonRpcError(400, `A batch has at most ${MAX_MESSAGES} messages; better send each by itself.`)
  }
  const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id)
  // Answers are matched by id.
  if (new Set(ids).size < ids.length) {
    return jsonRpcError(
      ProtocolErrorCode.InvalidRequest,
      'Two requests of this batch have the same id: give each its own.'
    )
  }
}

/**
 * Ignored: in a batch it may name a request of the batch, whose answer the library would then wait for forever, and no
 * other request can be running here.
 */
const isCancellation = (message: unknown): boolean =>
  isJSONRPCNotification(message) && message.method === 'notifications/cancelled'
