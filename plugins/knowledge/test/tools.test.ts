import t from 'tap'
import { testServer, type TestServer } from '../../../test/harness.ts'
import { mcpTools } from '../../mcp/contract.ts'
import { tokensOf } from '../context.ts'

/** Calls a tool as the mcp plugin does: with REST as the caller. */
function toolbox (server: TestServer) {
  const call = { me: '', session: undefined, rest: <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => server.ok<T>(path, { method, ...body && { body } }) }
  return async (name: string, args: Record<string, unknown>) => server.contributions(mcpTools).find(tool => tool.name === name)!.handle(args, call)
}

t.test('an agent remembers, recalls and loads what it needs by tools', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const tool = toolbox(server)
  const issue = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Slow tests', descriptionMarkdown: 'They wait for Redis.\n\n- [ ] fast' } })
  const made = await tool('remember', { content: 'Redis listens on port 6380 in tests.', kind: 'HOWTO', tags: ['tests'], task: issue.key })
  t.match(made, { id: String, status: 'ACTIVE' })
  await t.rejects(tool('remember', { content: 'Redis listens on port 6380 in tests!' }), /Nearly the same is known/)
  t.match(await tool('recall_knowledge', { query: 'redis port', tags: ['tests'] }), { entries: [{ kind: 'HOWTO', content: 'Redis listens on port 6380 in tests.' }] })
  t.match(await tool('load_context', { task: issue.key }), { entries: [{ content: /6380/, because: ['issue', 'words'] }], omitted: { entries: 0 } })
  t.match(await tool('remember', { content: 'Redis listens on port 6381 in tests.', supersedes: (made as { id: string }).id }), { status: 'ACTIVE' })

  for (let n = 0; n < 60; n++) await tool('remember', { content: `Test ${n} needs redis: ${'really '.repeat(40)}`, task: issue.key, force: true })
  const context = await tool('load_context', { task: issue.key })
  t.ok(tokensOf(context) <= 1500, 'within the default budget')
  t.ok((context as { omitted: { entries: number } }).omitted.entries > 0, 'it says that there is more')
})
