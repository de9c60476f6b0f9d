import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from '../test/runner/process.ts'

/** Sends requests with a token: GET, or POST with a body. @throws Error when one is refused */
export const makeClient =
  (token: string) =>
  async <T>({ url }: ServerProcess, path: string, body?: object): Promise<T> => {
    const response = await fetch(url + path, {
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream'
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as T
  }

interface ToolResult {
  isError?: boolean
  content: Array<{ text: string }>
  structuredContent?: Record<string, unknown>
}

/** The message that calls a tool. @param more further parameters; the protocol of 2025 needs none */
export const toolMessage = (name: string, args: object, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, ...more }
})

/** Calls a tool. @returns its result and its text, which is what a model reads */
export async function callTool(server: ServerProcess, token: string, name: string, args: object) {
  const { result } = await makeClient(token)<{ result: ToolResult }>(server, '/v1/mcp', toolMessage(name, args))
  return { ...result, text: result.content[0]?.text ?? '' }
}

/** Resolves when no job waits. */
export async function untilIndexed({ url }: ServerProcess): Promise<void> {
  while (/^tracker_jobs_pending (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1] !== '0') {
    await sleep(100)
  }
}

/** Resolves when the embedding model is ready, and all texts have their vectors. */
export async function untilEmbedded({ url }: ServerProcess): Promise<void> {
  for (;;) {
    const health = await (await fetch(`${url}/health/ready`)).json()
    const { embeddings } = health as { embeddings: { state: string; backlog: number } }
    if (embeddings.state === 'ready' && embeddings.backlog === 0) return
    await sleep(200)
  }
}
