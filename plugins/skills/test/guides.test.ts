import t from 'tap'
import { examplesIn, namesWithin, problemsOf, type Surface } from '../../../test/guide-text.ts'
import { testServer, type TestServer } from '../../../test/harness.ts'
import { readSamples } from '../../../test/samples.ts'
import { mcpTools } from '../../mcp/contract.ts'

/* The guides are true: what they name is there, what they show works, in the order in which they show it. */

let server: TestServer
let guides: Map<string, string>
let surface: Surface
t.before(async () => {
  // A run goes on until the examples end it.
  server = await testServer({
    settings: { plugins: { mcp: { rateLimit: 0 }, delegation: { runner: { command: ['sleep', '600'] } } } }
  })
  const { skills } = await server.ok<{ skills: Array<{ name: string; url: string }> }>('/.well-known/agent-skills/', {
    token: null
  })
  guides = new Map(
    await Promise.all(
      skills.map(
        async ({ name, url }) =>
          [name, (await server.call(`/.well-known/agent-skills/${url}`, { token: null })).body] as const
      )
    )
  )
  surface = {
    tools: server.contributions(mcpTools).map(({ item }) => item),
    document: await server.ok('/openapi.json'),
    guides: [...guides.keys()]
  }
})
t.teardown(() => server.close())

const fields = new Set<string>()
t.test('every example works, in the order of the text', async t => {
  for (const { board } of await readSamples()) await board?.(server)
  for (const [name, text] of guides) {
    const examples = examplesIn(text)
    t.ok(examples.length >= 4, `${name} shows how`)
    for (const { tool, args, answer = {} } of examples) {
      const { result } = (
        await server.call('/v1/mcp', {
          body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } },
          headers: { accept: 'application/json, text/event-stream' }
        })
      ).json()
      t.notOk(result.isError, `${tool} ${JSON.stringify(args)}: ${result.content[0].text}`)
      t.match(result.structuredContent, answer, `${tool} answers what ${name} says`)
      for (const field of namesWithin(result.structuredContent)) fields.add(field)
    }
  }
})

t.test('they name only existing tools and arguments', async t => {
  for (const [name, text] of guides) t.strictSame(problemsOf(text, surface, fields), [], name)
})

t.test('each tool is in a guide', async t => {
  const all = [...guides.values()].join('\n')
  t.strictSame(
    surface.tools.map(({ name }) => name).filter(name => !new RegExp(`\\b${name}\\b`).test(all)),
    []
  )
})

t.test('mistakes in a guide are detected', async t => {
  const wrong = {
    'pick_up_tasks {"task": "ENG-1"}': /no tool pick_up_tasks/,
    'pick_up_task {"task": "ENG-1", "force": true}': /additional properties/,
    'list_tasks {"priority": "urgently"}': /allowed values/,
    'POST /v1/knowledges/:id': /there is no POST/,
    'POST /v1/knowledge/:id {"status": "WRONG"}': /allowed values/,
    'GET /v1/agent_runs?task=ENG-1': /there is no GET/,
    takeOver: /nothing is called/,
    'working-issues': /no guide/,
    STUCK: /no constant/
  }
  for (const [code, problem] of Object.entries(wrong)) {
    t.match(problemsOf(`Use \`${code}\`.`, surface, fields), [problem], code)
  }
  t.match(problemsOf('Use close_task.', surface), [/backticks/])
})
