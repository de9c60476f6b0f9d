import type { TestServer } from './harness.ts'

export interface ToolResult<T extends object = Record<string, unknown>> {
  isError?: boolean
  content: Array<{ text: string }>
  structuredContent: T
}

/** Sends a call of a tool. @returns its result: `isError` where the tool refuses */
export async function toolResult<T extends object = Record<string, unknown>>(
  server: Pick<TestServer, 'call' | 'token'>,
  name: string,
  args: object = {},
  token = server.token
): Promise<ToolResult<T>> {
  const answer = await server.call('/v1/mcp', {
    token,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  })
  const { result, error } = answer.json<{ result?: ToolResult<T>; error?: { message: string } }>()
  if (result === undefined) throw new Error(`${name}: ${error?.message ?? answer.body}`)
  return result
}

/**
 * Calls a tool as an agent does.
 * @returns its structured answer
 * @throws Error with the sentence with which the tool refuses
 */
export async function callTool<T extends object>(...call: Parameters<typeof toolResult>): Promise<T> {
  const { isError, content, structuredContent } = await toolResult<T>(...call)
  if (isError) throw new Error(`${call[1]}: ${content[0]?.text}`)
  return structuredContent
}
