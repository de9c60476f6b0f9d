import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { installed } from '../plugins/index.ts'
import { mcpTools } from '../plugins/mcp/contract.ts'
import { testServer, type TestServer } from './runner/harness.ts'

/** The rules that an agent reads when it connects. */
async function instructions(server: TestServer, token = server.token): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  return (
    await server.call('/v1/mcp', {
      token,
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      headers: { accept: 'application/json, text/event-stream' }
    })
  ).json().result.instructions
}

t.test('an agent that connects learns the rules of a working day, in its order', async t => {
  const server = await testServer({ settings: { plugins: { delegation: { runner: { command: ['true'] } } } } })
  t.teardown(() => server.close())
  const text = await instructions(server)
  t.match(text, /pick_up_task.*before the first edit.*Tick each .*criterion.*Close a task with its resolution/s)
  for (const tool of ['find_similar_tasks', 'load_context', 'delegate_task', 'remember']) t.match(text, tool)
  t.ok(countTokens(text) <= 150, `${countTokens(text)} tokens`)
  t.ok(
    text.indexOf('load_context') < text.indexOf('close_task') && text.indexOf('close_task') < text.indexOf('remember')
  )

  const reader = await server.agent('Reader', ['read'])
  t.match(await instructions(server, reader.token), /load_context/)
  t.notMatch(
    await instructions(server, reader.token),
    /pick_up_task|remember|delegate_task|close_task/,
    'who may not write is not told to'
  )
})

t.test('they name tools that are on, and no others', async t => {
  const server = await testServer({
    plugins: Object.keys(installed).filter(name => !['search', 'knowledge', 'delegation'].includes(name))
  })
  t.teardown(() => server.close())
  const text = await instructions(server)
  const on = server.contributions(mcpTools).map(({ item }) => item.name)
  t.strictSame(
    [...text.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([name]) => name).filter(name => !on.includes(name)),
    []
  )
  t.notMatch(text, /known|similar|own agent/)
})
