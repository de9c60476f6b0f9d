import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { CONTEXT_VERSION } from '../../../test/runner/context-version.ts'

const PLUGINS = ['workspace', 'issues', 'comments', 'mcp']
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {}
}
const first = await testServer({ plugins: PLUGINS, settings: { jobs: false } })
t.teardown(() => first.close())
const board = { title: 'Größer 🚀', descriptionMarkdown: 'Both ways.\n\n- [ ] one', labels: ['Bug'] }
await first.ok('/v1/issues', { body: { teamId: 'ENG', ...board } })

/** A server on the same board. */
async function serverWith(fastPath: boolean): Promise<TestServer> {
  const settings = { jobs: false, plugins: { mcp: { rateLimit: 0, fastPath } } }
  const server = await testServer({ plugins: PLUGINS, settings, on: first })
  t.teardown(() => server.close())
  return server
}
const [fast, plain] = [await serverWith(true), await serverWith(false)]

const CALLS: Array<[what: string, tool: string, args: object]> = [
  ['a read', 'get_task', { task: 'ENG-1' }],
  ['a list', 'list_tasks', { team: 'ENG' }],
  ['a number for a key', 'get_task', { task: 1 }],
  ['a task that is not there', 'get_task', { task: 'ENG-99' }],
  ['an unknown argument', 'get_task', { task: 'ENG-1', colour: 'red' }],
  ['a missing argument', 'get_task', {}],
  ['a change', 'update_task', { task: 'ENG-1', labels: ['Feature'] }],
  ['a refused change', 'update_task', { task: 'ENG-1', labels: ['Nothing'] }],
  ['a tool that is not there', 'nothing', {}]
]
const ERAS: Record<string, (tool: string) => { headers: object; meta: object }> = {
  legacy: () => ({ headers: {}, meta: { progressToken: 1 } }),
  modern: tool => ({
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool },
    meta: META
  })
}

/** Replaces the parts in which answers to the same change differ: its time, and the version, which contains it. */
const withoutTimes = (text: string) =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time').replaceAll(CONTEXT_VERSION, 'a version')

for (const [era, envelope] of Object.entries(ERAS)) {
  for (const [what, tool, args] of CALLS) {
    t.test(`${what} is answered alike with and without the fast path (${era})`, async t => {
      const { headers, meta: _meta } = envelope(tool)
      const answers = []
      // Twice: a token that was seen before may read ahead.
      for (const server of [fast, fast, plain, plain]) {
        const { statusCode, body } = await server.call('/v1/mcp', {
          headers: { accept: 'application/json, text/event-stream', ...headers },
          body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args, _meta } }
        })
        answers.push({ statusCode, json: JSON.parse(withoutTimes(body)) as unknown })
      }
      t.strictSame(answers.slice(2), answers.slice(0, 2))
    })
  }
}
