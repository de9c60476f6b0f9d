import t from 'tap'
import { hookServer } from '../plugins/hooks/test/client.ts'
import { installed } from '../plugins/index.ts'

t.test('what agents read of their work is called a task: by tools, rules and hooks alike', async t => {
  const server = await hookServer({ plugins: Object.keys(installed) })
  t.teardown(() => server.close())
  const mcp = async (method: string, params: object) => {
    const headers = { accept: 'application/json, text/event-stream' }
    return (await server.call('/v1/mcp', { headers, body: { jsonrpc: '2.0', id: 1, method, params } })).body
  }
  const worker = await server.worker('Ada')
  await worker.begin()
  const start = await worker.hook('session-start')
  server.clock.pass(20)
  const texts = {
    tools: await mcp('tools/list', {}),
    rules: await mcp('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' }
    }),
    'the hook at the start of a session': start,
    'the hook at the end of a turn': await worker.hook('stop')
  }
  for (const [where, text] of Object.entries(texts)) {
    t.match(text, /\btasks?\b/i, where)
    t.notMatch(text, /\bissues?\b/i, where)
  }
})
