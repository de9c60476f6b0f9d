import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { accepted, type JsonSchema, type Sources } from '../../../test/from-schema.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import type { Principal } from '../../../core/api/contract.ts'
import { coreScopes, readScope } from '../../../core/api/scopes.ts'
import { mcpInstructions, mcpTools, type Tool } from '../contract.ts'
import type { RestRequest } from '../tool-calls.ts'
import { callOf } from '../tool-calls.ts'
import { listed } from '../toolbox.ts'

/** The plugins with the tools that every server has, under one budget. */
const SHIPPED = ['issues', 'projects', 'files', 'comments', 'search', 'knowledge', 'delegation', 'hooks']
/** Maximum tokens of these tools in `tools/list`. */
const MAX_SHIPPED_TOKENS = 3_000
/** Maximum tokens of the core tools' list. */
const MAX_CORE_TOKENS = 1_150
/** Maximum tokens of the tools of any other plugin. */
const MAX_PLUGIN_TOKENS = 400
/** Attempts to detect that an argument makes a difference. */
const TRIES = 50
const SEED = 1

/** Routes with a body that write nothing. */
const READING = /^\/v1\/(issues\/filter|agent-hooks\/)/

interface TracedRequest {
  method: string
  url: string
  body: unknown
  session: unknown
  file: unknown
}

let server: TestServer
let tools: readonly Tool[]
let principal: Principal
t.before(async () => {
  server = await testServer()
  tools = server.contributions(mcpTools).map(({ item }) => item)
  const { id, fullname, workspace } = await server.ok<{ id: string; fullname: string; workspace: { id: string } }>(
    '/v1/users/me'
  )
  principal = {
    workspaceId: workspace.id,
    accountId: id,
    tokenId: id,
    fullname,
    kind: 'PERSON',
    role: 'ADMIN',
    scopes: coreScopes.map(({ name }) => name)
  }
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  for (const name of ['Stability', 'Speed']) await server.ok('/v1/projects', { body: { name } })
  const times = { startsAt: '2026-01-05T00:00:00Z', endsAt: '2026-01-19T00:00:00Z' }
  await server.ok('/v1/cycles', { body: { teamId: 'ENG', name: 'Sprint 1', ...times } })
  await server.ok('/v1/views', { body: { name: 'Everything' } })
  for (const title of ['One', 'Two', 'Three']) {
    await server.ok('/v1/issues', {
      body: { teamId: 'ENG', title, descriptionMarkdown: 'It is long enough to be one.\n\n- [ ] done\n- [ ] told' }
    })
  }
})
t.teardown(() => server.close())

/** Values for arguments whose random text would always be refused. */
const names: Sources = {
  text(name) {
    switch (name) {
      case 'task':
        return fc.constantFrom('ENG-1', 'ENG-2', 'eng-3', 'next')
      case 'parent':
      case 'blockedBy':
        return fc.constantFrom('ENG-1', 'ENG-2', 'eng-3')
      case 'team':
        return fc.constantFrom('ENG', 'Engineering')
      case 'state':
        return fc.constantFrom('Todo', 'In Progress', 'done')
      case 'labels':
      case 'addLabels':
      case 'removeLabels':
        return fc.constantFrom('Bug', 'feature', 'Docs')
      case 'assignee':
        return fc.constantFrom('me', 'Administrator')
      case 'project':
        return fc.constantFrom('Stability', 'speed')
      case 'met':
      case 'unmet':
        return fc.constantFrom('done', 2)
      case 'file':
        return fc.uuid()
      case 'base64':
        return fc.constantFrom('YQ==', 'Yg==')
      case 'due':
        return fc.constantFrom('2030-12-24', 'today', '+3d', 'next friday')
      case 'estimate':
        return fc.constantFrom('3', '0.5')
      case 'cycle':
        return fc.constant('Sprint 1')
      case 'relations':
        return fc.constantFrom('BLOCKED ENG-2', 'related_to eng-3', 'DUPLICATE_OF ENG-1')
      case 'filter':
        return fc.constantFrom('priority:none', '-label:bug due:<7d', 'text')
      case 'view':
        return fc.constantFrom('Everything', 'everything')
      case 'session':
      case 'session_id':
        return fc.stringMatching(/^[a-z]{8}$/)
      case 'title':
      case 'name':
      case 'description':
      case 'acceptanceCriteria':
      case 'note':
      case 'resolution':
      case 'content':
      case 'query':
      case 'text':
      case 'tags':
      case 'instructions':
      case 'cursor':
        return fc.stringMatching(/^[a-z]{5,9} [a-z]{5,9}$/)
    }
  },
  resolve: () => ({})
}

/** A call's requests to REST, and its result. */
async function traceOf(tool: Tool, args: Record<string, unknown>): Promise<{ requests: TracedRequest[]; end: string }> {
  const requests: TracedRequest[] = []
  const ask = (request: RestRequest) => {
    const { method, url, headers, payload } = request
    requests.push({
      method,
      url,
      body: payload,
      session: headers['x-tracker-session'],
      file: headers['content-disposition']
    })
    return server.app.inject(request)
  }
  const call = callOf(
    ask,
    { id: 'test', headers: { authorization: `Bearer ${server.token}` } },
    principal.accountId,
    args
  )
  const end = await tool.handle(args, call).then(
    result => (tool.hints.readOnly ? JSON.stringify(result) : 'done'),
    (error: Error) => error.message
  )
  return { requests, end }
}

t.test(
  'each has a name of its own, hints that are true of its scope, and says when to use it and what comes back',
  t => {
    t.ok(tools.length > 0)
    t.equal(new Set(tools.map(({ name }) => name)).size, tools.length)
    for (const { name, description, hints, scope } of tools) {
      t.match(name, /^[a-z_]+$/)
      t.match(description, /^[A-Z].{10,}\. Returns .{5,}\.$/, name)
      t.equal(hints.readOnly, scope === readScope, `${name} needs 'write' when it writes, and only then`)
      t.notOk(hints.readOnly && hints.destructive, name)
    }
    t.end()
  }
)

t.test('tools are annotated as closed-world, without annotations that equal the default', t => {
  for (const tool of tools) {
    const { annotations } = listed(tool)
    if (tool.hints.readOnly) t.strictSame(annotations, { readOnlyHint: true }, tool.name)
    else t.match(annotations, { openWorldHint: false, destructiveHint: tool.hints.destructive }, tool.name)
  }
  t.end()
})

t.test('each argument is described, and a name means one thing in all tools', t => {
  const types = new Map<string, unknown>()
  for (const tool of tools) {
    const { inputSchema } = listed(tool) as { inputSchema: JsonSchema & { required?: string[] } }
    t.equal(inputSchema.additionalProperties, false, `${tool.name} takes nothing else`)
    for (const [name, schema] of Object.entries(inputSchema.properties ?? {})) {
      const { type, description } = schema as JsonSchema & { description?: string }
      t.match(description, /^\S.*\.$/, `${tool.name}.${name}`)
      t.same(types.get(name) ?? type, type, `${tool.name}.${name} has the type that it has elsewhere`)
      types.set(name, type)
    }
  }
  t.end()
})

t.test('no argument is unused, and what only reads writes nothing', async t => {
  for (const tool of tools) {
    const { properties = {}, required = [], ...rest } = JSON.parse(JSON.stringify(tool.input)) as JsonSchema
    for (const name of Object.keys(properties)) {
      const args = accepted({ ...rest, properties, required: [...required, name] }, names) as fc.Arbitrary<
        Record<string, unknown>
      >
      const pairs = fc.sample(
        fc.tuple(args, args).map(([one, { [name]: value }]) => {
          const { [name]: _, ...without } = one
          return [one, required.includes(name) ? { ...one, [name]: value } : without] as const
        }),
        { numRuns: TRIES, seed: SEED }
      )
      let matters = false
      for (const [one, other] of pairs) {
        const traces = [await traceOf(tool, one), await traceOf(tool, other)]
        t.ok(
          traces.every(({ requests }) => requests.length <= 1),
          `${tool.name} is one request`
        )
        for (const { method, url } of tool.hints.readOnly ? traces.flatMap(({ requests }) => requests) : []) {
          t.ok(method === 'GET' || READING.test(url), `${tool.name} reads: ${method} ${url}`)
        }
        matters = JSON.stringify(traces[0]) !== JSON.stringify(traces[1])
        if (matters) break
      }
      t.ok(matters, `${tool.name}.${name} makes a difference`)
    }
  }
})

const tokensOf = (of: readonly Tool[]): number => countTokens(JSON.stringify({ tools: of.map(listed) }))

/** The answer of `/v1/mcp` with this query to a message. */
async function answered(query: string, method: string, params: object = {}, token = server.token) {
  const headers = { accept: 'application/json, text/event-stream' }
  return server.call(`/v1/mcp${query}`, { token, headers, body: { jsonrpc: '2.0', id: 1, method, params } })
}
type ListAnswer = {
  result: { tools: Array<{ name: string; inputSchema: { properties: object; required?: string[] } }> }
}

t.test('?tools=core lists the eight tools that working a task off takes, for few tokens', async t => {
  const answer = await answered('?tools=core', 'tools/list')
  const { tools: core } = answer.json<ListAnswer>().result
  t.strictSame(core.map(({ name }) => name).toSorted(), [
    'add_note',
    'close_task',
    'create_task',
    'get_task',
    'list_tasks',
    'pick_up_task',
    'search_tasks',
    'update_task'
  ])
  const { inputSchema } = core.find(({ name }) => name === 'create_task')!
  t.strictSame(inputSchema.required, ['title', 'description'], 'no template is listed that would have one')
  t.ok(countTokens(answer.body) <= MAX_CORE_TOKENS, `the core tools cost ${countTokens(answer.body)} tokens`)
  t.equal((await answered('?tools=all', 'tools/list')).body, (await answered('', 'tools/list')).body)
})

t.test('a token that may only read is listed the core tools that read', async t => {
  const { token } = await server.agent('Reader of the core', ['read'])
  const { tools: core } = (await answered('?tools=core', 'tools/list', {}, token)).json<ListAnswer>().result
  t.strictSame(core.map(({ name }) => name).toSorted(), ['get_task', 'list_tasks', 'search_tasks'])
})

t.test('what ?tools=core leaves out of a list is an argument or a tool all the same', async t => {
  for (const { name, core, input } of tools) {
    for (const argument of core?.omits ?? []) t.ok(argument in input.properties, `${name}.${argument}`)
  }
  const call = async (name: string, args: object) =>
    (await answered('?tools=core', 'tools/call', { name, arguments: args })).json().result
  t.match(await call('list_tasks', { priority: 'none', orderBy: 'number' }), { structuredContent: { total: Number } })
  t.match(await call('list_projects', {}), { structuredContent: { total: Number } })
})

/** Calls with more results than one. Runs, which need a runner, are tested with `delegation`. */
const LISTS: Readonly<Record<string, object>> = {
  list_tasks: {},
  search_tasks: { query: 'long enough' },
  find_similar_tasks: { text: 'long enough' },
  list_projects: {},
  recall_knowledge: { query: 'deploy redis' }
}

t.test('a list that was cut says so, and says the total and the next ones where it counts them', async t => {
  for (const content of ['We deploy redis on Mondays.', 'We deploy redis on port 6380.']) {
    await server.ok('/v1/knowledge', { body: { kind: 'FACT', content } })
  }
  const lists = tools.filter(({ name, listField }) => listField !== undefined && name !== 'list_agent_runs')
  t.strictSame(lists.map(({ name }) => name).toSorted(), Object.keys(LISTS).toSorted())
  for (const { name, listField } of lists) {
    const listed = async (args: object) => {
      const answer = await answered('', 'tools/call', { name, arguments: { ...LISTS[name], ...args } })
      return answer.json<{ result: { structuredContent: Record<string, unknown> } }>().result.structuredContent
    }
    const whole = await listed({})
    t.ok((whole[listField!] as unknown[]).length > 1, `${name} has more than one`)
    t.match(whole, { totalIsExact: undefined, next: undefined }, `${name} is whole`)
    const { [listField!]: rows, total, totalIsExact, next, more } = await listed({ limit: 1 })
    t.equal((rows as unknown[]).length, 1, name)
    t.ok(totalIsExact === false || more === true || (total === whole['total'] && next !== undefined), name)
  }
})

t.test('from lists the next projects, until there are no more', async t => {
  const projects = async (args: object) => {
    const answer = await answered('', 'tools/call', { name: 'list_projects', arguments: args })
    return answer.json<{ result: { structuredContent: { projects: object[]; next?: number } } }>().result
      .structuredContent
  }
  const pages: object[] = []
  for (let from: number | undefined = 0; from !== undefined;) {
    const page = await projects({ limit: 1, from })
    pages.push(...page.projects)
    from = page.next
  }
  t.strictSame(pages, (await projects({})).projects)
})

t.test('the rules of ?tools=core name only tools that it lists', async t => {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const { instructions } = (await answered('?tools=core', 'initialize', params)).json<{
    result: { instructions: string }
  }>().result
  t.match(instructions, /pick_up_task.*update_task.*close_task/)
  t.notMatch(instructions, /find_similar_tasks|load_context|remember|delegate_task/)
})

t.test('an argument with the name of a prototype is refused as any unknown one', async t => {
  const args: unknown = JSON.parse('{"task": "ENG-1", "__proto__": {"limit": 1}}')
  const answer = await answered('', 'tools/call', { name: 'get_task', arguments: args })
  const { result } = answer.json<{ result: object }>()
  t.match(result, { isError: true, content: [{ text: /^arguments\.__proto__ is not an argument of this tool/ }] })
})

t.test('another value of tools is refused with those that there are', async t => {
  const answer = await answered('?tools=few', 'tools/list')
  t.equal(answer.statusCode, 400)
  t.match(answer.json(), { jsonrpc: '2.0', id: 1, error: { message: /tools.*all, core/ } })
})

t.test('the shipped tools keep to their budget, and those of each further plugin to its own', t => {
  const byPlugin = Map.groupBy(server.contributions(mcpTools), ({ from }) => from)
  const table: string[] = []
  for (const [plugin, contributed] of byPlugin) {
    const own = contributed.map(({ item }) => item)
    for (const tool of own) table.push(`${String(tokensOf([tool])).padStart(6)}  ${plugin}: ${tool.name}`)
    if (!SHIPPED.includes(plugin)) {
      t.ok(tokensOf(own) <= MAX_PLUGIN_TOKENS, `the tools of ${plugin} cost ${tokensOf(own)} tokens`)
    }
  }
  const shipped = SHIPPED.flatMap(plugin => byPlugin.get(plugin) ?? []).map(({ item }) => item)
  t.comment(`${table.join('\n')}\n${String(tokensOf(shipped)).padStart(6)}  together, as shipped`)
  t.ok(shipped.length > 0)
  t.ok(tokensOf(shipped) <= MAX_SHIPPED_TOKENS, `the shipped tools cost ${tokensOf(shipped)} tokens`)
  t.end()
})

t.test('the rules that an agent reads when it connects are short', t => {
  const rules = server.contributions(mcpInstructions).map(({ item }) => item.sentence)
  t.ok(countTokens(rules.join(' ')) < 200)
  t.end()
})
