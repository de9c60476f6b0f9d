import t from 'tap'
import { examplesIn, listedTools, namesWithin, problemsOf, type Surface } from '../../../test/guide-text.ts'
import { toolResult } from '../../../test/runner/call-tool.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { readSamples } from '../../../test/samples.ts'
import { TOOLSETS, type Toolset } from '../../mcp/contract.ts'

/* The guides are true: the names in them exist, and their examples work in the given order. */

let server: TestServer
/** The guides and the instruction file for each toolset, by name, and the names that they may use. */
let guides: Record<Toolset, Map<string, string>>
let surfaces: Record<Toolset, Surface>
t.before(async () => {
  // A run goes on until the examples end it.
  server = await testServer({
    settings: { plugins: { mcp: { rateLimit: 0 }, delegation: { runner: { command: ['sleep', '600'] } } } }
  })
  const document = await server.ok<Surface['document']>('/openapi.json')
  const textsFor = async (toolset: Toolset) => {
    const get = async (path: string) => (await server.call(path, { token: null })).body
    const { skills } = JSON.parse(await get(`/.well-known/agent-skills/?tools=${toolset}`)) as {
      skills: Array<{ name: string; url: string }>
    }
    const files = skills.map(({ name, url }) => [name, `/.well-known/agent-skills/${url}`] as const)
    return new Map(await Promise.all(files.map(async ([name, path]) => [name, await get(path)] as const)))
  }
  guides = { all: await textsFor('all'), core: await textsFor('core') }
  const surface = async (toolset: Toolset): Promise<Surface> => ({
    tools: await listedTools(server, toolset),
    document,
    guides: [...guides[toolset].keys()]
  })
  surfaces = { all: await surface('all'), core: await surface('core') }
})
t.teardown(() => server.close())

const fields = new Set<string>()
t.test('every example works, in the order of the text', async t => {
  for (const { board } of await readSamples()) await board?.(server)
  for (const [name, text] of guides.all) {
    const examples = examplesIn(text)
    t.ok(examples.length >= 4, `${name} shows how`)
    for (const { tool, args, answer = {} } of examples) {
      const result = await toolResult(server, tool, args)
      t.notOk(result.isError, `${tool} ${JSON.stringify(args)}: ${result.content[0]!.text}`)
      t.match(result.structuredContent, answer, `${tool} answers what ${name} says`)
      for (const field of namesWithin(result.structuredContent)) fields.add(field)
    }
  }
})

for (const toolset of TOOLSETS) {
  t.test(`for ?tools=${toolset} they name only tools and arguments that it lists`, async t => {
    for (const [name, text] of guides[toolset]) {
      t.strictSame(problemsOf(text, surfaces[toolset], fields), [], name)
      t.strictSame(unlistedNames(text, toolset), [], name)
      t.ok(examplesIn(text).length >= 4, `${name} shows how`)
    }
    const path = `/v1/agent-skill/AGENTS.md?tools=${toolset}`
    const { body } = await server.call(path, { token: null })
    t.strictSame(problemsOf(body, surfaces[toolset], fields), [], path)
    t.strictSame(unlistedNames(body, toolset), [], path)
  })
}

/** The tools and arguments in a text that a toolset leaves out, except names in answers. */
function unlistedNames(text: string, toolset: Toolset): string[] {
  const namesOf = ({ tools }: Surface) => tools.flatMap(({ name, input }) => [name, ...Object.keys(input.properties)])
  const listed = namesOf(surfaces[toolset])
  const unlisted = namesOf(surfaces.all).filter(name => !listed.includes(name) && !fields.has(name))
  return unlisted.filter(name => text.includes(`\`${name}\``))
}

t.test('the guides for the core tools are those of working on issues, whole', t => {
  t.strictSame([...guides.core.keys()], ['working-tracker-issues'])
  for (const { name } of surfaces.core.tools) t.match(guides.core.get('working-tracker-issues'), `${name} {`)
  t.end()
})

t.test('each tool is in a guide', t => {
  const all = [...guides.all.values()].join('\n')
  t.strictSame(
    surfaces.all.tools.map(({ name }) => name).filter(name => !new RegExp(`\\b${name}\\b`).test(all)),
    []
  )
  t.end()
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
    t.match(problemsOf(`Use \`${code}\`.`, surfaces.all, fields), [problem], code)
  }
  t.match(problemsOf('Use close_task.', surfaces.all), [/backticks/])
})
