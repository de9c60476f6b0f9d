import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'

/* The baseline of the MCP endpoint: the protocol's library with one tool that answers its argument. */

const inputSchema = fromJsonSchema<{ task: string }>({
  type: 'object',
  properties: { task: { type: 'string' } },
  required: ['task']
})
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1' })
  server.registerTool('get_task', { description: 'Returns its argument.', inputSchema }, ({ task }) => ({
    content: [{ type: 'text', text: task }],
    structuredContent: { task }
  }))
  return server
})

createServer((request, response) => {
  if (request.method === 'GET') return response.end() // /health/ready
  buffer(request)
    .then(async body => {
      const answer = await handler.fetch(
        new Request(`http://localhost${request.url}`, {
          method: 'POST',
          headers: request.headers as Record<string, string>,
          body: new Uint8Array(body)
        })
      )
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })
    .catch((error: Error) => {
      response.writeHead(500).end(error.message)
    })
}).listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => process.exit())
