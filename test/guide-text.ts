import { Ajv } from 'ajv'
import type { Tool, Toolset } from '../plugins/mcp/contract.ts'
import type { TestServer } from './runner/harness.ts'

/*
 * The conventions of code in guides: a call is `tool {"argument": …}`, its answer (the relevant part) `→ {…}`, an
 * endpoint `POST /v1/path {…}`; a word is the name of a tool, an argument or a field, in capitals a constant, with
 * hyphens a guide. Everything else is a value: JSON, or a key.
 */

/** The tools listed at an address of the MCP server, with the arguments in their schemas. */
export async function listedTools(server: TestServer, toolset: Toolset): Promise<Surface['tools']> {
  const answer = await server.call(`/v1/mcp?tools=${toolset}`, {
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  })
  const { tools } = answer.json<{ result: { tools: Array<{ name: string; inputSchema: { properties: object } }> } }>()
    .result
  return tools.map(({ name, inputSchema }) => ({ name, input: inputSchema }))
}

/** An example of a call, and its answer. */
interface Example {
  tool: string
  args: Record<string, unknown>
  answer?: object
}

interface Operation {
  parameters?: Array<{ in: string; name: string }>
  requestBody?: { content: { 'application/json': { schema: object } } }
}
/** The names that a guide may use. */
export interface Surface {
  tools: ReadonlyArray<Pick<Tool, 'name'> & { input: { properties: object } }>
  /** The OpenAPI document. */
  document: { paths: Record<string, Record<string, Operation>> }
  guides: readonly string[]
}

const FENCE = /^```\n(.*?)^```$/gms
const CALL = /^([a-z_]+) (\{.*\})$/s
const ANSWER = /^→ (\{.*\})$/s
const ENDPOINT = /^(GET|POST|PUT|DELETE) (\/\S+)(?: (\{.*\}))?$/s

/** The code in a guide, in order: text between backticks, and each call or answer in a fence. */
function codeOf(text: string): string[] {
  return [...text.matchAll(/^```\n(.*?)^```$|`([^`\n]+)`/gms)].flatMap(([, fence, span]) =>
    fence === undefined ? [span ?? ''] : fence.trimEnd().split(/\n(?=→ |[a-z_]+ \{)/)
  )
}
const parsed = (json: string): Record<string, unknown> => JSON.parse(json)

export function examplesIn(text: string): Example[] {
  const examples: Example[] = []
  for (const code of codeOf(text)) {
    const [, tool, args] = CALL.exec(code) ?? []
    const [, answer] = ANSWER.exec(code) ?? []
    if (tool !== undefined && args !== undefined) examples.push({ tool, args: parsed(args) })
    else if (answer !== undefined) examples.at(-1)!.answer = parsed(answer)
  }
  return examples
}

/**
 * The unknown names in `text`, and the invalid calls.
 * @param fields the fields of the tools' answers; without them names of fields are not checked
 */
export function problemsOf(text: string, { tools, document, guides }: Surface, fields?: ReadonlySet<string>): string[] {
  const ajv = new Ajv({ strict: false, formats: { 'date-time': true, date: true, uri: true, email: true } })
  const inputs = new Map(tools.map(({ name, input }) => [name, input]))
  const known = new Set([
    ...inputs.keys(),
    ...tools.flatMap(({ input }) => Object.keys(input.properties)),
    ...namesWithin(document),
    ...(fields ?? [])
  ])
  const constants = new Set([...constantsWithin(document), ...constantsWithin([...inputs.values()])])

  const inCode = codeOf(text).flatMap(code => {
    const [, tool, args] = CALL.exec(code) ?? []
    if (tool !== undefined && args !== undefined) {
      const input = inputs.get(tool)
      if (!input) return [`there is no tool ${tool}`]
      return ajv.validate(input, parsed(args)) ? [] : [`${code}: ${ajv.errorsText()}`]
    }
    const [, method, path, body] = ENDPOINT.exec(code) ?? []
    if (method !== undefined && path !== undefined) {
      const operation = operationAt(document, method, path)
      if (!operation) return [`there is no ${method} ${path}`]
      return body === undefined ||
        ajv.validate(operation.requestBody?.content['application/json'].schema ?? false, parsed(body))
        ? []
        : [`${code}: ${ajv.errorsText()}`]
    }
    if (ANSWER.test(code)) return []
    if (/^[a-z]+(-[a-z]+)+$/.test(code)) return guides.includes(code) ? [] : [`there is no guide ${code}`]
    if (/^[a-z]\w*$/.test(code)) {
      return known.has(code) || (fields === undefined && !code.includes('_')) ? [] : [`nothing is called ${code}`]
    }
    if (/^[A-Z_]+$/.test(code)) return constants.has(code) ? [] : [`there is no constant ${code}`]
    return /^[A-Z]+-\d+$/.test(code) || isJson(code) ? [] : [`what is ${code}?`]
  })
  const prose = text.replace(FENCE, '').replace(/`[^`\n]+`/g, '')
  return [
    ...inCode,
    ...[...prose.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([name]) => `${name} belongs between backticks`)
  ]
}

function operationAt({ paths }: Surface['document'], method: string, path: string): Operation | undefined {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const steps = pathname.split('/')
  for (const [template, operations] of Object.entries(paths)) {
    const named = template.split('/')
    const operation = operations[method.toLowerCase()]
    if (
      !operation ||
      named.length !== steps.length ||
      !named.every((step, n) => step.startsWith('{') || step === steps[n])
    ) {
      continue
    }
    const queries = operation.parameters?.filter(parameter => parameter.in === 'query').map(({ name }) => name) ?? []
    if ([...searchParams.keys()].every(name => queries.includes(name))) return operation
  }
  return undefined
}

/** The names of all fields in `value`, which may be an answer or a document of schemas. */
export function namesWithin(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(namesWithin)]
}
function constantsWithin(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return [
    'enum' in value && Array.isArray(value.enum) ? value.enum : [],
    ...Object.values(value).map(constantsWithin)
  ].flat()
}
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
