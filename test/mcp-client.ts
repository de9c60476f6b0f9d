import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client'
import type { TestServer } from './runner/harness.ts'

/** An agent at the MCP endpoint of a listening server, with the client of the protocol's library. */
export interface McpAgent {
  /** @returns the tool's answer; fails the test when it is an error */
  ok<T extends object>(tool: string, args?: object): Promise<T>
  /** @returns the message of the refusal; fails the test when there is none */
  refused(tool: string, args?: object): Promise<string>
  tools(): Promise<string[]>
}

export async function mcpAgent(
  server: TestServer,
  token = server.token,
  headers: Record<string, string> = {}
): Promise<McpAgent> {
  if (!server.app.server.listening) await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as { port: number }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/v1/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } }
    })
  )

  async function call(name: string, args: object): Promise<{ text: string; result: CallToolResult }> {
    const result = await client.callTool({ name, arguments: { ...args } })
    const [content] = result.content
    return { text: content?.type === 'text' ? content.text : '', result }
  }
  return {
    async ok<T>(tool: string, args = {}) {
      const { text, result } = await call(tool, args)
      if (result.isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${text}`)
      return result.structuredContent as T
    },
    async refused(tool, args = {}) {
      const { text, result } = await call(tool, args)
      if (!result.isError) throw new Error(`${tool} ${JSON.stringify(args)} is not refused: ${text}`)
      return text
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name)
  }
}
