import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { CLIENT_KEYWORDS } from '../client-schema.ts'
import { TOOLSETS } from '../contract.ts'

/* The parts of JSON Schema that Gemini, OpenAI's strict mode and Claude accept; sources in client-schema.ts. */

interface Schema {
  type?: unknown
  enum?: unknown[]
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  [keyword: string]: unknown
}

/** The parts of a schema that some client would refuse. */
function problemsOf(schema: Schema, at: string): string[] {
  const { type, enum: words, items, anyOf, properties, required = [], additionalProperties } = schema
  const unknown = Object.keys(schema).filter(keyword => !(CLIENT_KEYWORDS as readonly string[]).includes(keyword))
  const problems = unknown.map(keyword => `${at}: the keyword ${keyword}`)
  if (anyOf !== undefined) {
    if (Object.keys(schema).length > 1) problems.push(`${at}: something beside anyOf`)
    return [...problems, ...anyOf.flatMap((choice, n) => problemsOf(choice, `${at}|${n}`))]
  }
  if (typeof type !== 'string') problems.push(`${at}: no single type`)
  if (words?.some(word => type !== (typeof word as unknown))) problems.push(`${at}: an enum without its type`)
  if (type === 'array') problems.push(...(items ? problemsOf(items, `${at}[]`) : [`${at}: a list without items`]))
  if (type === 'object') {
    const names = Object.keys(properties ?? {})
    if (names.length === 0) problems.push(`${at}: empty properties`)
    if (additionalProperties !== false) problems.push(`${at}: an open object`)
    if (required.some(name => !names.includes(name))) problems.push(`${at}: required and not there`)
    problems.push(...names.flatMap(name => problemsOf(properties?.[name] ?? {}, `${at}.${name}`)))
  }
  return problems
}

let server: TestServer
t.before(async () => {
  server = await testServer()
})
t.teardown(() => server.close())

for (const toolset of TOOLSETS) {
  t.test(`the schemas of ?tools=${toolset} are what every client accepts`, async t => {
    const answer = await server.call(`/v1/mcp?tools=${toolset}`, {
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    })
    const { tools } = answer.json<{ result: { tools: Array<{ name: string; inputSchema: Schema }> } }>().result
    t.ok(tools.length >= 8)
    for (const { name, inputSchema } of tools) t.strictSame(problemsOf(inputSchema, name), [])
  })
}

t.test('what a client refuses is detected', t => {
  const closed = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }
  t.strictSame(problemsOf(closed, 'x'), [])
  for (const [schema, problem] of [
    [{ enum: ['a'] }, 'no single type'],
    [{ type: ['string', 'null'] }, 'no single type'],
    [{ type: 'array', items: { anyOf: [closed], type: 'object' } }, 'something beside anyOf'],
    [{ ...closed, properties: {} }, 'empty properties'],
    [{ ...closed, additionalProperties: undefined }, 'an open object'],
    [{ type: 'integer', minimum: 1 }, 'the keyword minimum'],
    [{ type: 'array' }, 'a list without items']
  ] as Array<[Schema, string]>) {
    t.match(problemsOf(schema, 'x').join(), problem)
  }
  t.end()
})
