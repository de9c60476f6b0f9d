import { testServer, type Call, type TestServer } from './runner/harness.ts'

/* `tracker/test`: what tests of plugins that are packages of their own may use. */
export { testServer, type Call, type TestServer }

const PROTOCOL_VERSION = '2026-07-28'

/**
 * Calls a tool as an agent does.
 * @returns what the tool answers
 * @throws Error with the sentence with which the tool refuses
 */
export async function callTool<T extends object>(
  server: TestServer,
  name: string,
  args: object = {},
  token = server.token
): Promise<T> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientCapabilities': {}
  }
  const answer = await server.call('/v1/mcp', {
    token,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL_VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name
    },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } }
  })
  const { result, error } = answer.json<{
    result?: { isError?: boolean; content: Array<{ text?: string }>; structuredContent?: T }
    error?: { message: string }
  }>()
  if (result?.structuredContent === undefined || result.isError) {
    throw new Error(`${name}: ${error?.message ?? result?.content[0]?.text ?? answer.body}`)
  }
  return result.structuredContent
}
